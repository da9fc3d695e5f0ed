/**
 * The `format`s that Kubernetes enforces for custom resources. Any other format is documentation. Dashes in a name do not
 * count (`date-time` is `datetime`).
 */
import { isIPv6 } from 'node:net';
import { isEmail, isUri } from './format-address.ts';
import { isCreditCard, isIsbn10, isIsbn13 } from './format-checksum.ts';
import { isDate, isDateTime, isDuration } from './format-time.ts';

type Check = (text: string) => boolean;

const matches =
  (pattern: RegExp): Check =>
  text =>
    pattern.test(text);

const isShortName: Check = text => text.length <= 63 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(text);

const STRING_FORMATS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['bsonobjectid', matches(/^[0-9a-fA-F]{24}$/)],
  ['uri', isUri],
  ['email', isEmail],
  ['hostname', isHostname],
  ['ipv4', text => isSloppyIp(text) && text.includes('.')],
  ['ipv6', text => isSloppyIp(text) && text.includes(':')],
  ['cidr', isCidr],
  ['mac', isMac],
  ['uuid', matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i)],
  ['uuid3', matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i)],
  ['uuid4', matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ['uuid5', matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ['isbn', text => isIsbn10(text) || isIsbn13(text)],
  ['isbn10', isIsbn10],
  ['isbn13', isIsbn13],
  ['creditcard', isCreditCard],
  ['ssn', text => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text)],
  ['hexcolor', matches(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/)],
  ['rgbcolor', isRgbColor],
  ['byte', isBase64],
  ['password', () => true],
  ['date', isDate],
  ['duration', isDuration],
  ['datetime', isDateTime],
  ['k8sshortname', isShortName],
  [
    'k8slongname',
    text => text.length <= 253 && text.split('.').every(part => /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(part)),
  ],
]);

/** The part of a format that counts for these types, and its check where the value is a string. */
export function formatCheck(format: string, types: readonly string[]): { format: string; isFormat: Check | undefined } {
  const none = { format: '', isFormat: undefined };
  if (format === '') return none;
  const type = types.length === 1 ? types[0] : '';
  if (type === 'integer') return format === 'int32' || format === 'int64' ? { format, isFormat: undefined } : none;
  if (type === 'number') return format === 'float' || format === 'double' ? { format, isFormat: undefined } : none;
  if (type !== '' && type !== 'string') return none;
  const check = STRING_FORMATS.get(format.replaceAll('-', ''));
  return check === undefined ? none : { format, isFormat: check };
}

/** Whether the format is enforced or only documentation (which a CRD's author is warned about). */
export function isEnforcedFormat(format: string, types: readonly string[]): boolean {
  return format === '' || formatCheck(format, types).format !== '';
}

const HOST_CHARACTER = '[a-zA-Z0-9\\p{S}\\p{L}]';
/** One label with at most one dash, right after its first character; or labels with dashes inside, and a top-level domain. */
const HOSTNAME = new RegExp(
  `^(${HOST_CHARACTER}-?${HOST_CHARACTER}{0,62}|(${HOST_CHARACTER}([a-zA-Z0-9\\p{S}\\p{L}-]{0,61}${HOST_CHARACTER})?\\.)+[a-zA-Z\\p{L}]{2,63})$`,
  'u',
);

/** Lengths come first: they bound what the pattern has to look at. */
function isHostname(text: string): boolean {
  if (Buffer.byteLength(text) > 255 || text.split('.').some(label => Buffer.byteLength(label) > 63)) return false;
  return HOSTNAME.test(text);
}

/** As Go's older parser read addresses: leading zeros in IPv4 are allowed, zones are not. */
function isSloppyIp(text: string): boolean {
  if (text.includes(':')) return !text.includes('%') && isIPv6(text);
  const parts = text.split('.');
  return parts.length === 4 && parts.every(part => /^[0-9]{1,16}$/.test(part) && Number(part) <= 255);
}

function isCidr(text: string): boolean {
  const [address, prefix, ...rest] = text.split('/');
  if (address === undefined || prefix === undefined || rest.length > 0) return false;
  if (!isSloppyIp(address) || !/^[0-9]{1,3}$/.test(prefix)) return false;
  return Number(prefix) <= (address.includes(':') ? 128 : 32);
}

/** EUI-48, EUI-64 or a 20-byte InfiniBand address, with colons, dashes, dots or nothing between. */
function isMac(text: string): boolean {
  for (const bytes of [6, 8, 20]) {
    if (new RegExp(`^[0-9a-fA-F]{${2 * bytes}}$`).test(text)) return true;
    if (new RegExp(`^[0-9a-fA-F]{2}(:[0-9a-fA-F]{2}){${bytes - 1}}$`).test(text)) return true;
    if (new RegExp(`^[0-9a-fA-F]{2}(-[0-9a-fA-F]{2}){${bytes - 1}}$`).test(text)) return true;
    if (new RegExp(`^[0-9a-fA-F]{4}(\\.[0-9a-fA-F]{4}){${bytes / 2 - 1}}$`).test(text)) return true;
  }
  return false;
}

function isRgbColor(text: string): boolean {
  const inside = /^rgb\(([^()]*)\)$/.exec(text)?.[1];
  const parts = inside?.split(',').map(part => part.trim());
  return parts?.length === 3 && parts.every(part => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
}

function isBase64(text: string): boolean {
  return text.length > 0 && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}
