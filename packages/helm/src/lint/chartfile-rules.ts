/** Rules for Chart.yaml. */

import { GoMap, parseConstraint, parseVersion, parseYaml, typeOf, type Value } from '@capstan/gotemplate';
import type { Maintainer, Metadata } from '../chart/metadata.ts';
import { readMetadata } from '../chart/read-metadata.ts';
import type { HelmVersion } from '../version.ts';
import type { Report } from './report.ts';

const file = 'Chart.yaml';

export function lintChartfile(report: Report, text: string, helm: HelmVersion): void {
  let metadata: Metadata;
  let raw: Value;
  try {
    metadata = readMetadata(text);
    raw = parseYaml(text);
  } catch (error) {
    report.check('ERROR', file, `unable to parse YAML\n\t${(error as Error).message}`);
    return;
  }
  const fields = raw instanceof GoMap ? raw : new GoMap();
  if (helm === 4) report.check('WARNING', file, unknownFields(text, fields));
  report.check('ERROR', file, nameOf(metadata));
  report.check('ERROR', file, apiVersionOf(fields, metadata));
  report.check('ERROR', file, textType(fields, 'version'));
  report.check('ERROR', file, versionOf(metadata));
  report.check('ERROR', file, textType(fields, 'appVersion'));
  report.check('ERROR', file, maintainersOf(metadata.maintainers ?? []));
  report.check('ERROR', file, sourcesOf(metadata.sources ?? []));
  report.check('INFO', file, metadata.icon ? undefined : 'icon is recommended');
  report.check(
    'ERROR',
    file,
    metadata.icon && !isRequestUrl(metadata.icon) ? `invalid icon URL '${metadata.icon}'` : undefined,
  );
  lintApiVersion(report, fields, metadata);
  if (helm === 4) {
    const strict = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/.test(metadata.version ?? '');
    report.check('WARNING', file, strict ? undefined : `version '${metadata.version ?? ''}' is not a valid SemVerV2`);
  }
}

/** What v1 charts cannot say in Chart.yaml. */
function lintApiVersion(report: Report, fields: GoMap, metadata: Metadata): void {
  const said = fields.get('apiVersion');
  const version = typeof said === 'string' ? said : '';
  if (version === 'v2') return;
  if (metadata.type) {
    report.check('ERROR', file, `chart type is not valid in apiVersion '${version}'. It is valid in apiVersion 'v2'`);
  }
  if (metadata.dependencies) {
    const message = `dependencies are not valid in the Chart file with apiVersion '${version}'. They are valid in apiVersion 'v2'`;
    report.check('ERROR', file, message);
  }
}

const known = new Set([
  ...['name', 'home', 'sources', 'version', 'description', 'keywords', 'maintainers', 'icon', 'apiVersion'],
  ...['condition', 'tags', 'appVersion', 'deprecated', 'annotations', 'kubeVersion', 'dependencies', 'type'],
]);

function unknownFields(text: string, fields: GoMap): string | undefined {
  const strict = 'failed to strictly parse chart metadata file\n\t';
  try {
    parseYaml(text, { strict: true });
  } catch (error) {
    return strict + (error as Error).message;
  }
  const unknown = fields.keys().find(key => !known.has(key));
  return (
    unknown && `${strict}error unmarshaling JSON: while decoding JSON: json: unknown field ${JSON.stringify(unknown)}`
  );
}

function nameOf({ name }: Metadata): string | undefined {
  if (!name) return 'name is required';
  return name.includes('/') ? `chart name ${JSON.stringify(name)} is invalid` : undefined;
}

function apiVersionOf(fields: GoMap, { apiVersion }: Metadata): string | undefined {
  const allowed = 'The value must be either "v1" or "v2"';
  if (!fields.get('apiVersion')) return `apiVersion is required. ${allowed}`;
  return apiVersion === 'v1' || apiVersion === 'v2' ? undefined : `apiVersion '${apiVersion}' is not valid. ${allowed}`;
}

function textType(fields: GoMap, key: string): string | undefined {
  const value = fields.get(key);
  if (value === undefined || typeof value === 'string') return undefined;
  return `${key} should be of type string but it's of type ${typeOf(value)?.name ?? '<nil>'}`;
}

function versionOf({ version }: Metadata): string | undefined {
  if (!version) return 'version is required';
  try {
    const parsed = parseVersion(version);
    return parseConstraint('>0.0.0-0')(parsed) ? undefined : `version ${version} is less than or equal to 0.0.0-0`;
  } catch {
    return `version '${version}' is not a valid SemVer`;
  }
}

function maintainersOf(maintainers: readonly (Maintainer | null)[]): string | undefined {
  for (const maintainer of maintainers) {
    if (maintainer === null) return 'a maintainer entry is empty';
    const { name, email, url } = maintainer;
    if (!name) return 'each maintainer requires a name';
    if (email && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) {
      return `invalid email '${email}' for maintainer '${name}'`;
    }
    if (url && !isUrl(url)) return `invalid url '${url}' for maintainer '${name}'`;
  }
  return undefined;
}

function sourcesOf(sources: readonly string[]): string | undefined {
  const wrong = sources.find(source => !isRequestUrl(source));
  return wrong === undefined ? undefined : `invalid source URL '${wrong}'`;
}

/** An absolute URL. */
function isRequestUrl(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(text) && URL.canParse(text);
}

/** A URL, where the scheme may be left out. */
function isUrl(text: string): boolean {
  return !/\s/.test(text) && text.includes('.') && (isRequestUrl(text) || URL.canParse(`http://${text}`));
}
