/** Who one is: tokens known beforehand (`static-tokens.ts`), tokens of service accounts, and certificates. */
export { firstOf, requestAuthenticator, type TokenAuthenticator, type TokenResult } from './authenticator.ts';
export { userOfCertificate } from './client-certificate.ts';
export { handleIssuerDiscovery } from './issuer-discovery.ts';
export { API_AUDIENCES } from './service-account-claims.ts';
export { newServiceAccountKey, ServiceAccountTokens } from './service-account-tokens.ts';
export { hashToken, newToken, staticTokens, type TokenUser, tokenAuthenticator } from './static-tokens.ts';
