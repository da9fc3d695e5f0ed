import { post, type Script, type Step } from '../script.ts';
import { configMap, pod } from './objects.ts';
import { configmaps, pods, secrets } from './paths.ts';

const limit = (memory: string | number): Step =>
  post(
    `memory ${JSON.stringify(memory)}`,
    pods,
    pod('x', { containers: [{ name: 'a', image: 'a', resources: { limits: { memory } } }] }),
    { query: { dryRun: 'All' } },
  );

export const quantities: Script = {
  name: 'quantities',
  about: 'quantities, as they are written and as they come back; data of ConfigMaps and Secrets',
  steps: [
    ...[
      '1',
      '1000',
      '1024',
      '1Ki',
      '1024Ki',
      '1k',
      '1000k',
      '0.5Gi',
      '1.5Gi',
      '100m',
      '1500m',
      '1e3',
      '1E3',
      '1e-1',
      '12e6',
      '0',
      '0.0',
      '+5',
      '-5',
      '01',
      '1.10',
      '.5',
      '5.',
      '1n',
      '1u',
      '9223372036854775807',
      '9223372036854775808',
      '1Ei',
      '0.1Ki',
      '1.0001Ki',
    ].map(limit),
    ...['', ' 1', '1 ', '1 Gi', '1gi', '1GI', '1KB', 'e3', '--1', '1.2.3', '0x10', 'NaN', '1e', '1ee3', '1Kii'].map(
      limit,
    ),
    ...[0, 1, 1.5, 1e21, 0.001].map(limit),
    post('a ConfigMap with binary data', configmaps, { ...configMap('binary', { a: 'x' }), binaryData: { b: '/w==' } }),
    post('a key in both kinds of data', configmaps, { ...configMap('both', { a: 'x' }), binaryData: { a: '/w==' } }),
    post('an immutable ConfigMap', configmaps, { ...configMap('fixed', { a: 'x' }), immutable: true }),
    post('a Secret of a known type without its keys', secrets, {
      metadata: { name: 'tls' },
      type: 'kubernetes.io/tls',
    }),
    post('a Secret of basic auth', secrets, {
      metadata: { name: 'basic' },
      type: 'kubernetes.io/basic-auth',
      stringData: { username: 'u' },
    }),
    post('a Secret of a docker config that is none', secrets, {
      metadata: { name: 'docker' },
      type: 'kubernetes.io/dockerconfigjson',
      stringData: { '.dockerconfigjson': 'x' },
    }),
    post('a Secret of a type of one’s own', secrets, { metadata: { name: 'own' }, type: 'example.org/own' }),
  ],
};
