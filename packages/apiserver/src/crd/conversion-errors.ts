/** Rules for `spec.conversion`. Paths are those of the older API version, in which Kubernetes reports them. */
import { validateDns1035Label, validateDns1123Subdomain } from '@capstan/kube';
import { type FieldError, indexPath, invalidValue, requiredValue, unsupportedValue } from '../field-error.ts';
import type { CrdConversion, WebhookClientConfig } from './types.ts';

const PATH = 'spec.conversion';
const STRATEGIES = ['None', 'Webhook'];
const REVIEW_VERSIONS = ['v1', 'v1beta1'];

export function conversionErrors(conversion: CrdConversion): FieldError[] {
  const { strategy, webhook } = conversion;
  const errors: FieldError[] = [];
  if (!strategy) errors.push(requiredValue(`${PATH}.strategy`));
  else if (!STRATEGIES.includes(strategy)) errors.push(unsupportedValue(`${PATH}.strategy`, strategy, STRATEGIES));
  if (strategy === 'Webhook') {
    const { clientConfig, conversionReviewVersions = [] } = webhook ?? {};
    errors.push(...clientErrors(clientConfig), ...reviewVersionErrors(conversionReviewVersions));
    return errors;
  }
  const words = 'should not be set when strategy is not set to Webhook';
  const forbidden = (name: string): FieldError => ({
    type: 'FieldValueForbidden',
    field: `${PATH}.${name}`,
    badValue: '',
    detail: words,
  });
  if (webhook?.clientConfig) errors.push(forbidden('webhookClientConfig'));
  if (webhook?.conversionReviewVersions?.length) errors.push(forbidden('conversionReviewVersions'));
  return errors;
}

function clientErrors(config: WebhookClientConfig | undefined): FieldError[] {
  const path = `${PATH}.webhookClientConfig`;
  if (config === undefined) return [requiredValue(path, 'required when strategy is set to Webhook')];
  if ((config.url === undefined) === (config.service === undefined)) {
    return [requiredValue(path, 'exactly one of url or service is required')];
  }
  return config.url !== undefined
    ? urlErrors(config.url, `${path}.url`)
    : serviceErrors(config.service!, `${path}.service`);
}

function urlErrors(text: string, path: string): FieldError[] {
  const form = '; desired format: https://host[/path]';
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return [requiredValue(path, `url must be a valid URL: parse ${JSON.stringify(text)}${form}`)];
  }
  const errors: FieldError[] = [];
  const scheme = url.protocol.replace(/:$/, '');
  if (scheme !== 'https') errors.push(invalidValue(path, scheme, `'https' is the only allowed URL scheme${form}`));
  if (url.host === '') errors.push(invalidValue(path, '', `host must be specified${form}`));
  if (url.username !== '' || url.password !== '') {
    const user = url.password === '' ? url.username : `${url.username}:${url.password}`;
    errors.push(invalidValue(path, user, 'user information is not permitted in the URL'));
  }
  if (url.hash !== '') errors.push(invalidValue(path, url.hash.slice(1), 'fragments are not permitted in the URL'));
  if (url.search !== '') {
    errors.push(invalidValue(path, url.search.slice(1), 'query parameters are not permitted in the URL'));
  }
  return errors;
}

function serviceErrors(service: NonNullable<WebhookClientConfig['service']>, path: string): FieldError[] {
  const errors: FieldError[] = [];
  // Kubernetes passes the two in the other order here, so a missing name is reported as a missing namespace.
  if (!service.namespace) errors.push(requiredValue(`${path}.name`));
  if (!service.name) errors.push(requiredValue(`${path}.namespace`));
  const { port = 443, path: urlPath = '' } = service;
  if (port < 1 || port > 65535) {
    errors.push(invalidValue(`${path}.port`, port, 'port is not valid: must be between 1 and 65535, inclusive'));
  }
  return [...errors, ...servicePathErrors(urlPath, `${path}.path`)];
}

function servicePathErrors(urlPath: string, path: string): FieldError[] {
  if (urlPath === '' || urlPath === '/') return [];
  if (urlPath === '//') return [invalidValue(path, urlPath, 'segment[0] may not be empty')];
  const errors: FieldError[] = [];
  if (!urlPath.startsWith('/')) errors.push(invalidValue(path, urlPath, `must start with a '/'`));
  const segments = urlPath.slice(1).replace(/\/$/, '').split('/');
  for (const [i, segment] of segments.entries()) {
    if (segment === '') errors.push(invalidValue(path, urlPath, `segment[${i}] may not be empty`));
    else {
      for (const problem of validateDns1123Subdomain(segment)) {
        errors.push(invalidValue(path, urlPath, `segment[${i}]: ${problem}`));
      }
    }
  }
  return errors;
}

function reviewVersionErrors(versions: readonly string[]): FieldError[] {
  const path = `${PATH}.conversionReviewVersions`;
  if (versions.length === 0) return [requiredValue(path)];
  const errors: FieldError[] = [];
  for (const [i, version] of versions.entries()) {
    if (versions.indexOf(version) < i) errors.push(invalidValue(indexPath(path, i), version, 'duplicate version'));
    else {
      for (const problem of validateDns1035Label(version))
        errors.push(invalidValue(indexPath(path, i), version, problem));
    }
  }
  if (!versions.some(version => REVIEW_VERSIONS.includes(version))) {
    errors.push(invalidValue(path, versions, `must include at least one of ${REVIEW_VERSIONS.join(', ')}`));
  }
  return errors;
}
