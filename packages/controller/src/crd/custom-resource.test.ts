import { type CustomResourceDefinition, customResourceDefinitions, type Transport } from '@capstan/kube';
import { beforeEach, describe, expect, expectTypeOf, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { createHome, type Home } from '../testing/home.fixture.ts';
import { type CustomResource, customResource, type ObjectOf } from './custom-resource.ts';
import { ensureCrds } from './ensure-crds.ts';

const robots = customResource({
  group: 'robot.example.io',
  version: 'v1alpha1',
  kind: 'Robot',
  shortNames: ['rb'],
  schema: z.object({
    spec: z.object({
      model: z.string().min(1),
      arms: z.int32().min(0).default(2),
      tools: z
        .array(z.object({ name: z.string(), weight: z.number().optional() }))
        .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] })
        .optional(),
    }),
    status: z.object({ phase: z.enum(['Online', 'Offline']) }).optional(),
  }),
  columns: [{ name: 'Phase', type: 'string', jsonPath: '.status.phase' }],
  rules: [{ rule: 'self.spec.arms <= 8', message: 'a robot has at most eight arms' }],
});
type Robot = ObjectOf<typeof robots>;

const robot = (spec: object) => ({ metadata: { name: 'r2', namespace: 'default' }, spec });

describe('a custom resource', () => {
  it('has a static type that follows from the schema', () => {
    expectTypeOf<Robot['spec']['arms']>().toEqualTypeOf<number>();
    expectTypeOf<NonNullable<Robot['status']>['phase']>().toEqualTypeOf<'Online' | 'Offline'>();
    expectTypeOf<NonNullable<Robot['spec']['tools']>[number]['name']>().toEqualTypeOf<string>();
  });

  it('is a complete CustomResourceDefinition', () => {
    expect(robots.definition).toMatchSnapshot();
  });

  it('is the same definition as YAML', () => {
    expect(parse(robots.yaml)).toEqual(JSON.parse(JSON.stringify(robots.definition)));
    expect(robots.yaml).not.toContain('&');
  });

  it('validates at run time, field by field', () => {
    expect(robots.problems(robot({ model: 'x' }))).toEqual([]);
    expect(robots.problems(robot({ model: '', tools: [{}] })).map(({ path }) => path)).toEqual([
      '.spec.model',
      '.spec.tools[0].name',
    ]);
    expect(robots.parse(robot({ model: 'x' }))).toEqual({
      apiVersion: 'robot.example.io/v1alpha1',
      kind: 'Robot',
      metadata: { name: 'r2', namespace: 'default' },
      spec: { model: 'x', arms: 2 },
    });
    expect(() => robots.parse(robot({ arms: -1 }))).toThrow(
      /^Robot r2 is not valid: \.spec\.model: .*; \.spec\.arms: /,
    );
  });

  it('says which kind it is whose schema cannot be, and which field', () => {
    const define = (schema: z.ZodObject) => () => customResource({ group: 'g.io', version: 'v1', kind: 'Bad', schema });
    expect(define(z.object({ spec: z.object({ when: z.date() }) }))).toThrow(
      'Bad: .spec.when cannot be part of a CRD schema: JSON has no date',
    );
    expect(define(z.object({ metadata: z.object({}) }))).toThrow('the schema of Bad describes metadata');
  });
});

describe('custom resources in a cluster', () => {
  let home: Home;
  beforeEach(async () => {
    home = await createHome();
  });

  const ensure = async (resources: readonly CustomResource[], transport?: Transport) => {
    const client = transport === undefined ? home.client : home.manager({ transport }).client;
    const ensured = ensureCrds(resources, { client, clock: home.clock, random: home.random }).then(
      () => undefined,
      (error: Error) => error,
    );
    await home.clock.advance(31_000);
    return ensured;
  };

  it('are served after ensureCrds, with defaults, rules, status and pruning', async () => {
    expect(await ensure([robots])).toBeUndefined();
    const created = await home.client.create(robots, {
      metadata: { name: 'r2', namespace: 'default' },
      spec: { model: 'x', extra: 1 } as never,
    });
    expect(created.spec).toEqual({ model: 'x', arms: 2 });
    await expect(home.client.patch(robots, created.metadata, { merge: { spec: { arms: 9 } } })).rejects.toThrow(
      'a robot has at most eight arms',
    );
    const updated = await home.client.applyStatus(
      robots,
      { name: 'r2', namespace: 'default', status: { phase: 'Online' } },
      { owner: 'test' },
    );
    expect(updated.status).toEqual({ phase: 'Online' });
    expect(await ensure([robots])).toBeUndefined();
  });

  it('are refused with one clear error that names the definition, and the good ones are in place', async () => {
    const { definition } = robots;
    const bad = { ...robots, definition: { ...definition, metadata: { name: 'wrong.example.io' } } } as CustomResource;
    const error = await ensure([bad, robots]);
    expect(error).toMatchObject({ code: 'CrdRefused' });
    expect(error!.message).toMatch(/^the API server refuses wrong\.example\.io: .*metadata\.name/);
    const served: CustomResourceDefinition = await home.client.get(customResourceDefinitions, {
      name: 'robots.robot.example.io',
    });
    expect(served.status?.conditions).toContainEqual(expect.objectContaining({ type: 'Established', status: 'True' }));
  });

  it('that are accepted but never served are an error when the deadline has passed', async () => {
    const transport = home.transport();
    const stuck: Transport = {
      ...transport,
      watch: async request => {
        const stream = await transport.watch(request);
        if (stream.refused !== undefined) return stream;
        async function* silence(signal: AbortSignal) {
          await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
          yield* [];
        }
        return { ...stream, events: silence(request.signal!) };
      },
      request: request =>
        request.method === 'GET'
          ? new Promise((_, reject) => request.signal!.addEventListener('abort', () => reject(request.signal!.reason)))
          : transport.request(request),
    };
    const error = await ensure([robots], stuck);
    expect(error).toMatchObject({ code: 'CrdNotEstablished' });
    expect(error!.message).toBe('the API server accepted robots.robot.example.io but does not serve it after 30 s');
  });
});
