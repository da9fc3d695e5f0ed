import { get, jsonPatch, mergePatch, post, put, type Script, type Step } from '../script.ts';
import { crd, specSchema } from './objects.ts';
import { crds } from './paths.ts';

const group = 'rules.example.org';
const gauges = `/apis/${group}/v1/namespaces/$ns/gauges`;
const gauge = (name: string, spec: object, metadata: object = {}) => ({
  apiVersion: `${group}/v1`,
  kind: 'Gauge',
  metadata: { name, ...metadata },
  spec,
});
const rule = (text: string, rest: object = {}) => ({ rule: text, ...rest });

const definition = crd(
  group,
  'Gauge',
  specSchema(
    {
      min: { type: 'integer' },
      max: { type: 'integer', 'x-kubernetes-validations': [rule('self <= 100', { message: 'no more than 100' })] },
      unit: {
        type: 'string',
        maxLength: 20,
        'x-kubernetes-validations': [
          rule('self == oldSelf', { message: 'the unit stays', reason: 'FieldValueForbidden' }),
        ],
      },
      host: {
        type: 'string',
        maxLength: 50,
        'x-kubernetes-validations': [
          rule("self.endsWith('.example.org')", { messageExpression: "'host ' + self + ' is elsewhere'" }),
        ],
      },
      once: {
        type: 'string',
        maxLength: 20,
        'x-kubernetes-validations': [
          rule('!oldSelf.hasValue() || self == oldSelf.value()', { optionalOldSelf: true, message: 'set once' }),
        ],
      },
      size: {
        type: 'string',
        maxLength: 20,
        'x-kubernetes-validations': [rule("quantity(self).isLessThan(quantity('1Gi'))")],
      },
      url: {
        type: 'string',
        maxLength: 100,
        'x-kubernetes-validations': [rule("isURL(self) && url(self).getScheme() == 'https'")],
      },
      address: {
        type: 'string',
        maxLength: 60,
        'x-kubernetes-validations': [rule("isIP(self) && cidr('10.0.0.0/8').containsIP(self)")],
      },
      text: {
        type: 'string',
        maxLength: 50,
        'x-kubernetes-validations': [rule("self.matches('^[a-z]+$')"), rule("self.find('[0-9]+') == ''")],
      },
      wait: {
        type: 'string',
        format: 'duration',
        maxLength: 10,
        'x-kubernetes-validations': [rule("self > duration('1s')")],
      },
      port: {
        'x-kubernetes-int-or-string': true,
        'x-kubernetes-validations': [rule('type(self) == int ? self < 1000 : self == "http"')],
      },
      tags: {
        type: 'array',
        maxItems: 5,
        items: { type: 'string', maxLength: 10 },
        'x-kubernetes-validations': [
          rule('self.isSorted()'),
          rule('self.all(x, self.exists_one(y, x == y))', { message: 'no tag twice' }),
        ],
      },
      map: {
        type: 'object',
        maxProperties: 5,
        additionalProperties: { type: 'integer' },
        'x-kubernetes-validations': [rule('self.all(k, self[k] > 0)', { fieldPath: '' })],
      },
      divisor: { type: 'integer', 'x-kubernetes-validations': [rule('10 / self > 1')] },
      parts: {
        type: 'array',
        maxItems: 5,
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['id'],
        items: {
          type: 'object',
          required: ['id'],
          properties: { id: { type: 'string', maxLength: 5 }, size: { type: 'integer' } },
          'x-kubernetes-validations': [
            rule('!has(self.size) || !has(oldSelf.size) || self.size >= oldSelf.size', {
              message: 'parts do not shrink',
            }),
          ],
        },
      },
    },
    {
      'x-kubernetes-validations': [
        rule('!has(self.min) || !has(self.max) || self.min <= self.max', {
          message: 'min is above max',
          fieldPath: '.min',
          reason: 'FieldValueInvalid',
        }),
        rule('has(self.unit) || !has(oldSelf.unit)', { message: 'the unit cannot be taken away' }),
      ],
    },
  ),
);
const tryout = (title: string, spec: object): Step =>
  post(title, gauges, gauge('tryout', spec), { query: { dryRun: 'All' } });
const schema = (maximum: number) => [
  {
    op: 'replace',
    path: '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/level/maximum',
    value: maximum,
  },
];
const tanks = `/apis/${group}/v1/namespaces/$ns/tanks`;
const tank = (name: string, spec: object) => ({ apiVersion: `${group}/v1`, kind: 'Tank', metadata: { name }, spec });

export const crdRules: Script = {
  name: 'crd-rules',
  about: 'custom resources: CEL rules, transitions, and values that were valid once',
  steps: [
    post('defines gauges', crds, definition),
    get('until gauges are served', gauges, { until: { status: 200 } }),
    post(
      'creates one that keeps all rules',
      gauges,
      gauge('good', {
        min: 1,
        max: 10,
        unit: 'bar',
        host: 'a.example.org',
        size: '1Mi',
        once: 'x',
        parts: [{ id: 'a', size: 2 }],
      }),
    ),
    tryout('max above the limit', { max: 101 }),
    tryout('min above max', { min: 5, max: 1 }),
    tryout('two rules broken at once', { min: 500, max: 101 }),
    tryout('a host elsewhere', { host: 'a.example.com' }),
    tryout('a quantity too large', { size: '2Gi' }),
    tryout('a quantity that is none', { size: 'big' }),
    tryout('a URL of another scheme', { url: 'http://example.org' }),
    tryout('a URL that is none', { url: ':::' }),
    tryout('a good URL', { url: 'https://example.org/a?b=c' }),
    tryout('an address outside', { address: '192.0.2.1' }),
    tryout('an address inside', { address: '10.1.2.3' }),
    tryout('a text out of pattern', { text: 'ABC1' }),
    tryout('a text in pattern', { text: 'abc' }),
    tryout('a duration too short', { wait: '500ms' }),
    tryout('a duration that is long enough', { wait: '1m' }),
    tryout('a duration that is none', { wait: 'long' }),
    tryout('a port as number', { port: 80 }),
    tryout('a port as another text', { port: 'ftp' }),
    tryout('tags out of order', { tags: ['b', 'a'] }),
    tryout('a tag twice', { tags: ['a', 'a'] }),
    tryout('a map with a bad value', { map: { a: 1, b: 0 } }),
    tryout('a division by nothing', { divisor: 0 }),
    tryout('a wrong type keeps rules from running', { max: 'x', host: 'elsewhere' }),
    mergePatch('changes the unit', `${gauges}/good`, { spec: { unit: 'psi' } }),
    mergePatch('takes the unit away', `${gauges}/good`, { spec: { unit: null } }),
    mergePatch('changes what is set once', `${gauges}/good`, { spec: { once: 'y' } }),
    mergePatch('shrinks a part', `${gauges}/good`, { spec: { parts: [{ id: 'a', size: 1 }] } }),
    mergePatch('grows a part and adds one', `${gauges}/good`, {
      spec: {
        parts: [
          { id: 'b', size: 1 },
          { id: 'a', size: 3 },
        ],
      },
    }),
    mergePatch('breaks a rule by patch', `${gauges}/good`, { spec: { min: 50 } }),
    put('breaks a rule by PUT without a version', `${gauges}/good`, gauge('good', { max: 200 })),
    get('which is as it was', `${gauges}/good`),

    post(
      'defines tanks',
      crds,
      crd(
        group,
        'Tank',
        specSchema({
          level: { type: 'integer', maximum: 100 },
          note: { type: 'string' },
          list: { type: 'array', 'x-kubernetes-list-type': 'atomic', items: { type: 'string' } },
        }),
      ),
    ),
    get('until tanks are served', tanks, { until: { status: 200 } }),
    post('creates a tank', tanks, tank('old', { level: 80 })),
    jsonPatch('lowers the maximum', `${crds}/tanks.${group}`, schema(50)),
    post('until the new maximum counts', tanks, tank('new', { level: 80 }), {
      until: { status: 422 },
      query: { dryRun: 'All' },
    }),
    mergePatch('the old level may stay', `${tanks}/old`, { spec: { note: 'unchanged' } }),
    mergePatch('another bad level may not', `${tanks}/old`, { spec: { level: 81 } }),
    mergePatch('a good level may', `${tanks}/old`, { spec: { level: 10 } }),
    mergePatch('and then not go back', `${tanks}/old`, { spec: { level: 80 } }),
  ],
};
