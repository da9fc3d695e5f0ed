/** What Kubernetes fills in for a container, its probes and its hooks. */
import { fill, listOf, type Tree } from '../tree.ts';

export function defaultContainer(container: Tree): void {
  fill(container, 'imagePullPolicy', imageTag(container['image'] ?? '') === 'latest' ? 'Always' : 'IfNotPresent');
  fill(container, 'terminationMessagePath', '/dev/termination-log');
  fill(container, 'terminationMessagePolicy', 'File');
  for (const probe of ['livenessProbe', 'readinessProbe', 'startupProbe']) defaultProbe(container[probe]);
  for (const hook of ['postStart', 'preStop']) defaultHttpGet(container['lifecycle']?.[hook]?.httpGet);
  for (const variable of listOf(container, 'env')) defaultFieldSelector(variable['valueFrom']?.fieldRef);
}

function defaultProbe(probe: Tree | undefined): void {
  if (probe === undefined) return;
  fill(probe, 'timeoutSeconds', 1);
  fill(probe, 'periodSeconds', 10);
  fill(probe, 'successThreshold', 1);
  fill(probe, 'failureThreshold', 3);
  defaultHttpGet(probe['httpGet']);
  if (probe['grpc'] !== undefined) probe['grpc'].service ??= '';
}

function defaultHttpGet(action: Tree | undefined): void {
  if (action === undefined) return;
  fill(action, 'path', '/');
  fill(action, 'scheme', 'HTTP');
}

/** Also of the items of downward API volumes. */
export function defaultFieldSelector(selector: Tree | undefined): void {
  if (selector !== undefined) fill(selector, 'apiVersion', 'v1');
}

const COMPONENT = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';
const HOST = '(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*(?::[0-9]+)?';
const IMAGE = new RegExp(
  `^(?:${HOST}/)?${COMPONENT}(?:/${COMPONENT})*(?::[\\w][\\w.-]{0,127})?(?:@[A-Za-z][\\w+.-]*:[0-9a-fA-F]{32,})?$`,
);

/** The tag of an image, `latest` where there is neither tag nor digest: that image may change under its name. '' for what is no image. */
export function imageTag(image: string): string {
  if (!IMAGE.test(image)) return '';
  const [name, digest] = image.split('@', 2) as [string, string?];
  const lastPart = name.slice(name.lastIndexOf('/') + 1);
  const colon = lastPart.indexOf(':');
  if (colon >= 0) return lastPart.slice(colon + 1);
  return digest === undefined ? 'latest' : '';
}
