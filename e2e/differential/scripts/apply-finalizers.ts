import { apply, get, mergePatch, post, type Script } from '../script.ts';
import { configMap } from './objects.ts';
import { configmaps } from './paths.ts';

const alice = { manager: 'alice' };
const bob = { manager: 'bob' };
const object = `${configmaps}/object`;
const metadata = (fields: object) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'object', ...fields } });
const owner = (name: string, uid: string, rest: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name,
  uid,
  ...rest,
});

export const applyFinalizers: Script = {
  name: 'apply-metadata',
  about: 'server-side apply on metadata: finalizers are a set, owners a map by uid',
  steps: [
    post('creates the first owner', configmaps, configMap('first'), { capture: { first: 'metadata.uid' } }),
    post('creates the second owner', configmaps, configMap('second'), { capture: { second: 'metadata.uid' } }),
    apply('alice sets a finalizer', object, alice, metadata({ finalizers: ['example.org/a'] })),
    apply('bob adds another', object, bob, metadata({ finalizers: ['example.org/b'] })),
    apply('bob shares that of alice', object, bob, metadata({ finalizers: ['example.org/b', 'example.org/a'] })),
    apply('alice gives up hers', object, alice, metadata({})),
    apply('bob gives up both', object, bob, metadata({ finalizers: [] })),
    apply('a finalizer twice', object, bob, metadata({ finalizers: ['example.org/b', 'example.org/b'] })),
    apply('a finalizer without a domain', object, bob, metadata({ finalizers: ['b'] })),
    apply('alice sets an owner', object, alice, metadata({ ownerReferences: [owner('first', '$first')] })),
    apply(
      'bob adds another owner',
      object,
      bob,
      metadata({ ownerReferences: [owner('second', '$second', { controller: true })] }),
    ),
    apply(
      'alice wants to be the controller as well',
      object,
      alice,
      metadata({ ownerReferences: [owner('first', '$first', { controller: true })] }),
    ),
    apply(
      'bob changes the owner of alice',
      object,
      bob,
      metadata({ ownerReferences: [owner('first', '$first', { blockOwnerDeletion: true })] }),
    ),
    apply(
      'an owner without a uid',
      object,
      bob,
      metadata({ ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'first' }] }),
    ),
    apply('alice gives up her owner', object, alice, metadata({})),
    apply('managedFields in the applied object', object, alice, metadata({ managedFields: [] })),
    apply(
      'managedFields with an entry in the applied object',
      object,
      alice,
      metadata({
        managedFields: [{ manager: 'x', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} }],
      }),
    ),
    apply('a generateName in the applied object', object, alice, metadata({ generateName: 'object-' })),
    apply('no manager', object, { manager: '' }, metadata({})),
    apply('a manager with a line break', object, { manager: 'a\nb' }, metadata({})),
    apply('a manager of 129 characters', object, { manager: 'm'.repeat(129) }, metadata({})),
    apply('no apiVersion', object, alice, { kind: 'ConfigMap' }),
    apply('no kind', object, alice, { apiVersion: 'v1' }),
    apply('another kind', object, alice, { apiVersion: 'v1', kind: 'Secret' }),
    apply('another version', object, alice, { apiVersion: 'v2', kind: 'ConfigMap' }),
    apply('another name', object, alice, metadata({ name: 'another' })),
    apply('another namespace', object, alice, metadata({ namespace: 'another' })),
    apply('a name that is not valid', `${configmaps}/Not_Valid`, alice, metadata({})),
    apply('a field of the wrong type', object, alice, { ...metadata({}), data: 'text' }),
    apply('a value of the wrong type', object, alice, { ...metadata({}), data: { a: 1 } }),
    apply('a field that there is not', object, alice, { ...metadata({}), nothing: true }),
    apply(
      'a field that there is not, warned of',
      object,
      alice,
      { ...metadata({}), nothing: true },
      { query: { fieldValidation: 'Warn' } },
    ),
    apply(
      'a field that there is not, ignored',
      object,
      alice,
      { ...metadata({}), nothing: true },
      { query: { fieldValidation: 'Ignore' } },
    ),
    apply(
      'YAML',
      object,
      alice,
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: object}\ndata:\n  yes: "no"\n  text: |\n    two\n    lines\n',
    ),
    apply('YAML that is broken', object, alice, 'apiVersion: v1\nkind: [ConfigMap\n'),
    apply(
      'YAML with a key twice',
      object,
      alice,
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: object}\ndata:\n  a: "1"\n  a: "2"\n',
    ),
    apply(
      'two YAML documents',
      object,
      alice,
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: object}\n---\napiVersion: v1\nkind: ConfigMap\n',
    ),
    apply('an empty body', object, alice, ''),
    apply('a list as the body', object, alice, []),
    apply('force that is no boolean', object, alice, metadata({}), { query: { force: 'maybe' } }),
    mergePatch('force on a patch that is no apply', object, {}, { query: { force: 'true' } }),
    apply('a dry run', object, alice, configMap('object', { dry: 'run' }), { query: { dryRun: 'All' } }),
    apply('a dry run that would create', `${configmaps}/never`, alice, configMap('never'), {
      query: { dryRun: 'All' },
    }),
    get('which creates nothing', `${configmaps}/never`),
    get('the object in the end', object),
  ],
};
