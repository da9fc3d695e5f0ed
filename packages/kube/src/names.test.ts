import { describe, expect, it } from 'vitest';
import * as names from './names.ts';
import { oracle } from './oracle.fixture.ts';

const rules: Record<string, (value: string) => string[]> = {
  dns1123Subdomain: names.validateDns1123Subdomain,
  dns1123Label: names.validateDns1123Label,
  dns1035Label: names.validateDns1035Label,
  qualifiedName: names.validateQualifiedName,
  labelValue: names.validateLabelValue,
  configKey: names.validateConfigKey,
  environmentName: names.validateEnvironmentName,
  portName: names.validatePortName,
};

describe('names', () => {
  it.each(oracle.names)('$rule judges $input as Kubernetes does', ({ rule, input, problems }) => {
    expect(rules[rule]!(input)).toEqual(problems);
  });

  it('allows capitals in the prefix of an annotation key only', () => {
    expect(names.validateAnnotationKey('Example.com/name')).toEqual([]);
    expect(names.validateLabelKey('Example.com/name')).not.toEqual([]);
  });

  it('bounds port numbers', () => {
    expect(names.validatePortNumber(443)).toEqual([]);
    expect(names.validatePortNumber(0)).toEqual(['must be between 1 and 65535, inclusive']);
  });

  it('tells which names a shell would take', () => {
    expect(names.isPortableEnvironmentName('MY_ENV.NAME')).toBe(true);
    expect(names.isPortableEnvironmentName('1a')).toBe(false);
  });
});
