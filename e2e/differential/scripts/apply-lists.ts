import { apply, get, type Script, strategicPatch } from '../script.ts';
import { deployment } from './objects.ts';
import { deployments, inGroup, services } from './paths.ts';

const alice = { manager: 'alice' };
const bob = { manager: 'bob' };
const web = `${deployments}/web`;

const containers = (...list: object[]) =>
  deployment('web', {
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: list } },
  });
const only = (...list: object[]) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  spec: { template: { spec: { containers: list } } },
});
const service = (spec: object) => ({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec });
const policy = (spec: object) => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'policy' },
  spec,
});
const policies = inGroup('networking.k8s.io/v1', 'networkpolicies/policy');

export const applyLists: Script = {
  name: 'apply-lists',
  about: 'server-side apply on lists: by key, as sets, atomic, nested',
  steps: [
    apply(
      'creates a Deployment',
      web,
      alice,
      containers({ name: 'a', image: 'a:1', env: [{ name: 'X', value: '1' }] }),
    ),
    apply('bob adds a container', web, bob, only({ name: 'b', image: 'b:1' })),
    apply(
      'bob adds a variable to the container of alice',
      web,
      bob,
      only({ name: 'b', image: 'b:1' }, { name: 'a', env: [{ name: 'Y', value: '1' }] }),
    ),
    apply(
      'bob changes the variable of alice',
      web,
      bob,
      only({ name: 'b', image: 'b:1' }, { name: 'a', env: [{ name: 'X', value: '2' }] }),
    ),
    apply(
      'alice drops her variable and adds a port',
      web,
      alice,
      containers({ name: 'a', image: 'a:1', ports: [{ containerPort: 80 }] }),
    ),
    apply(
      'alice adds the same port by another protocol',
      web,
      alice,
      containers({
        name: 'a',
        image: 'a:1',
        ports: [{ containerPort: 80 }, { containerPort: 80, protocol: 'UDP', name: 'dns' }],
      }),
    ),
    apply(
      'alice repeats a port',
      web,
      alice,
      containers({ name: 'a', image: 'a:1', ports: [{ containerPort: 80 }, { containerPort: 80 }] }),
    ),
    apply(
      'alice repeats a container',
      web,
      alice,
      containers({ name: 'a', image: 'a:1' }, { name: 'a', image: 'a:2' }),
    ),
    apply('a container without its key', web, alice, containers({ image: 'a:1' })),
    apply(
      'alice orders her containers otherwise',
      web,
      alice,
      containers({ name: 'z', image: 'z:1' }, { name: 'a', image: 'a:1' }),
    ),
    apply(
      'alice sets a command, which is atomic',
      web,
      alice,
      containers({ name: 'a', image: 'a:1', command: ['x', 'y'] }),
    ),
    apply('bob wants another command', web, bob, only({ name: 'a', command: ['x'] })),
    apply('bob takes the command by force', web, { ...bob, force: true }, only({ name: 'a', command: ['x'] })),
    apply('alice leaves the command to bob', web, alice, containers({ name: 'a', image: 'a:1' })),
    apply('bob leaves', web, bob, { apiVersion: 'apps/v1', kind: 'Deployment' }),
    apply(
      'resources, whose limits are a map',
      web,
      alice,
      containers({
        name: 'a',
        image: 'a:1',
        resources: { limits: { cpu: '1000m', memory: '1Gi' }, requests: { cpu: 0.5 } },
      }),
    ),
    apply(
      'the same resources written otherwise',
      web,
      alice,
      containers({
        name: 'a',
        image: 'a:1',
        resources: { limits: { cpu: 1, memory: '1024Mi' }, requests: { cpu: '500m' } },
      }),
    ),
    apply('bob applies replicas only', web, bob, { apiVersion: 'apps/v1', kind: 'Deployment', spec: { replicas: 3 } }),
    apply('alice wants other replicas', web, alice, deployment('web', { replicas: 5 })),
    apply('bob gives up replicas, which fall back to the default', web, bob, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      spec: {},
    }),
    apply('a null leaves a field to its default', web, alice, deployment('web', { replicas: null })),
    strategicPatch('a patch changes the image', web, only({ name: 'main', image: 'other:2' }), {
      query: { fieldManager: 'patcher' },
    }),
    apply('alice meets the changed image', web, alice, deployment('web')),
    get('the Deployment in the end', web),

    apply(
      'creates a Service with two ports',
      `${services}/web`,
      alice,
      service({
        selector: { app: 'web' },
        ports: [
          { name: 'http', port: 80 },
          { name: 'https', port: 443 },
        ],
      }),
    ),
    apply('bob adds a port', `${services}/web`, bob, service({ ports: [{ name: 'metrics', port: 9090 }] })),
    apply(
      'alice drops a port',
      `${services}/web`,
      alice,
      service({ selector: { app: 'web' }, ports: [{ name: 'http', port: 80 }] }),
    ),
    apply(
      'alice changes the target of her port',
      `${services}/web`,
      alice,
      service({
        selector: { app: 'web' },
        ports: [{ name: 'http', port: 80, targetPort: 'http' }],
      }),
    ),
    apply(
      'bob names the port of alice otherwise',
      `${services}/web`,
      bob,
      service({ ports: [{ name: 'plain', port: 80 }] }),
    ),
    apply('the selector is atomic', `${services}/web`, bob, service({ selector: { app: 'web', tier: 'front' } })),
    apply('external addresses', `${services}/web`, bob, service({ externalIPs: ['192.0.2.1', '192.0.2.2'] })),

    apply('creates a NetworkPolicy', policies, alice, policy({ podSelector: {}, policyTypes: ['Ingress'] })),
    apply('bob applies other rules', policies, bob, policy({ ingress: [{ ports: [{ port: 80 }] }] })),
    apply(
      'alice applies rules of her own',
      policies,
      alice,
      policy({ podSelector: {}, ingress: [{}], policyTypes: ['Ingress'] }),
    ),
  ],
};
