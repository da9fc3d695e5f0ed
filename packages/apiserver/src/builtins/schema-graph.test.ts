import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { fieldDescription, typeDescription } from './descriptions.ts';
import { definitionOf, rawDefinitions, schemaOf } from './schema-graph.ts';

const POD = 'io.k8s.api.core.v1.Pod';

test('a reference is replaced by the very node it points to', () => {
  const template = schemaOf('io.k8s.api.apps.v1.DeploymentSpec').properties?.['template'];
  expect(template?.properties?.['spec']).toBe(schemaOf('io.k8s.api.core.v1.PodSpec'));
});

test('a definition that contains itself is a cycle', () => {
  const props = schemaOf('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps');
  expect(props.properties?.['properties']?.additionalProperties).toBe(props);
});

test('no node of the graph has a reference left', () => {
  const seen = new Set<unknown>();
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null || seen.has(node)) return;
    seen.add(node);
    // JSONSchemaProps has a property of that name, which is a schema.
    expect(typeof (node as { $ref?: unknown }).$ref).not.toBe('string');
    for (const child of Object.values(node)) visit(child);
  };
  for (const name of Object.keys(rawDefinitions())) visit(schemaOf(name));
  expect(seen.size).toBeGreaterThan(1000);
});

test('lists know how server-side apply and strategic merge patch merge them', () => {
  const ports = schemaOf('io.k8s.api.core.v1.Container').properties?.['ports'];
  expect(ports).toMatchObject({
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['containerPort', 'protocol'],
    'x-kubernetes-patch-strategy': 'merge',
    'x-kubernetes-patch-merge-key': 'containerPort',
  });
  expect(ports?.items?.properties?.['protocol']?.default).toBe('TCP');
});

test('a field that refers to a definition and adds marks has both', () => {
  const strategy = schemaOf('io.k8s.api.apps.v1.DeploymentSpec').properties?.['strategy'];
  expect(strategy?.['x-kubernetes-patch-strategy']).toBe('retainKeys');
  expect(strategy?.properties).toHaveProperty('rollingUpdate');
  expect(definitionOf(strategy!)).toBe('io.k8s.api.apps.v1.DeploymentStrategy');
});

test('quantities, int-or-string values and opaque values are marked', () => {
  const limits = schemaOf('io.k8s.api.core.v1.ResourceRequirements').properties?.['limits'];
  expect(limits?.additionalProperties).toEqual({ type: 'string', format: 'quantity' });
  expect(schemaOf('io.k8s.api.core.v1.ServicePort').properties?.['targetPort']).toEqual({
    'x-kubernetes-int-or-string': true,
  });
  const revision = schemaOf('io.k8s.api.apps.v1.ControllerRevision');
  expect(revision.properties?.['data']?.['x-kubernetes-preserve-unknown-fields']).toBe(true);
});

test('a name that does not exist is a mistake that says so', () => {
  expect(() => schemaOf('io.k8s.api.core.v1.Pot')).toThrow('there is no schema io.k8s.api.core.v1.Pot');
});

test('descriptions come by definition and field', () => {
  expect(typeDescription(POD)).toContain('Pod is a collection of containers');
  expect(fieldDescription('io.k8s.api.core.v1.PodSpec', 'restartPolicy')).toContain('Restart policy');
  expect(fieldDescription(POD, 'no-such-field')).toBe('');
});

test('reading the file and linking a Pod costs far less than a start may', () => {
  const script = `
    const { schemaOf } = await import('${new URL('./schema-graph.ts', import.meta.url)}');
    const before = process.cpuUsage();
    schemaOf('${POD}');
    console.log(process.cpuUsage(before).user / 1000);`;
  const run = (): number =>
    Number(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }));
  // About 4 ms of processor time. The best of three, since the machine may be busy with other things.
  expect(Math.min(run(), run(), run())).toBeLessThan(40);
});
