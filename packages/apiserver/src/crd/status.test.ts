import { describe, expect, test } from 'vitest';
import { widgetCrd } from './crd.fixture.ts';
import { crdStatus } from './status.ts';
import type { CrdNames, CustomResourceDefinition } from './types.ts';

const now = '2026-11-15T22:00:00Z';
const alone = { others: [], builtins: [], now };

function named(names: CrdNames, group = 'example.com'): CustomResourceDefinition {
  const crd = widgetCrd({ group, names });
  return { ...crd, status: { conditions: [], acceptedNames: names, storedVersions: ['v1'] } };
}

describe('the status of a CRD', () => {
  test('free names are accepted and the kind is established', () => {
    expect(crdStatus(widgetCrd(), alone)).toEqual({
      conditions: [
        {
          type: 'NamesAccepted',
          status: 'True',
          lastTransitionTime: now,
          reason: 'NoConflicts',
          message: 'no conflicts found',
        },
        {
          type: 'Established',
          status: 'True',
          lastTransitionTime: now,
          reason: 'InitialNamesAccepted',
          message: 'the initial names have been accepted',
        },
      ],
      acceptedNames: widgetCrd().spec.names,
      storedVersions: ['v1'],
    });
  });

  test('it does not change when nothing does', () => {
    const crd = widgetCrd();
    const status = crdStatus(crd, alone);
    expect(crdStatus({ ...crd, status }, { ...alone, now: '2027-01-01T00:00:00Z' })).toEqual(status);
  });

  test.each([
    ['plural', { plural: 'widgets', kind: 'X' }, 'PluralConflict', '"widgets" is already in use'],
    ['singular', { plural: 'xs', singular: 'widget', kind: 'X' }, 'SingularConflict', '"widget" is already in use'],
    ['short name', { plural: 'xs', shortNames: ['wd'], kind: 'X' }, 'ShortNamesConflict', '"wd" is already in use'],
    ['kind', { plural: 'xs', kind: 'Widget' }, 'KindConflict', '"Widget" is already in use'],
    [
      'list kind',
      { plural: 'xs', kind: 'X', listKind: 'WidgetList' },
      'ListKindConflict',
      '"WidgetList" is already in use',
    ],
  ] satisfies [string, CrdNames, string, string][])(
    'a %s that another CRD of the group has is refused',
    (_name, names, reason, message) => {
      const { conditions } = crdStatus(widgetCrd(), { ...alone, others: [named(names)] });
      expect(conditions).toMatchObject([
        { type: 'NamesAccepted', status: 'False', reason, message },
        { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' },
      ]);
      expect(
        crdStatus(widgetCrd(), { ...alone, others: [named(names, 'other.example.com')] }).conditions?.[0]?.status,
      ).toBe('True');
    },
  );

  test('names of built-in kinds are taken in their group', () => {
    const builtin = {
      group: 'apps',
      kind: 'Deployment',
      listKind: 'DeploymentList',
      plural: 'deployments',
      singular: 'deployment',
      shortNames: ['deploy'],
    };
    const crd = widgetCrd({ group: 'apps', names: { plural: 'widgets', kind: 'Deployment' } });
    expect(crdStatus(crd, { ...alone, builtins: [builtin] }).conditions?.[0]).toMatchObject({ reason: 'KindConflict' });
  });

  test('what is established stays established, and keeps the names it has', () => {
    const crd = widgetCrd();
    const established = { ...crd, status: crdStatus(crd, alone) };
    const wanting = {
      ...established,
      spec: { ...crd.spec, names: { ...crd.spec.names, shortNames: ['wd', 'taken'] } },
    };
    const status = crdStatus(wanting, {
      ...alone,
      others: [named({ plural: 'xs', kind: 'X', shortNames: ['taken'] })],
    });
    expect(status.conditions).toMatchObject([{ status: 'False' }, { type: 'Established', status: 'True' }]);
    expect(status.acceptedNames.shortNames).toEqual(['wd']);
  });
});
