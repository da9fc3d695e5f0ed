/** Our built-in kinds against what a real kube-apiserver answered to the same requests (`fixtures/`). */
import { readdirSync, readFileSync } from 'node:fs';
import type { StatusCause } from '@capstan/kube';
import { describe, expect, test } from 'vitest';
import { answerOf, comparableObject } from './answer.fixture.ts';
import type { RecordedAnswer, RecordedCase } from './recorded-cases.fixture.ts';

const folder = new URL('./fixtures/', import.meta.url);

/**
 * Cases whose words differ, each for a reason that was looked at. Code, fields and reasons of the causes are still held
 * against the real ones.
 */
const ACCEPTED: ReadonlyMap<string, string> = new Map([
  ['the template of a Job', 'the message prints the whole template in Kubernetes-internal field names'],
  ['the command of a Pod', 'a diff of the spec in Kubernetes-internal field names follows the message'],
  ['the node of a Pod', 'the same'],
  ['the resources of a Pod', 'the same'],
  ['the image of a Pod to nothing', 'the same'],
  ['the order of containers', 'the same'],
  ['the size of a claim', 'the same'],
  ['the volume of a claim that has one', 'the same'],
  ['the access modes of a claim', 'the same'],
  ['the source of a volume', 'the same'],
  ['the claims of a StatefulSet', 'the message prints the claims in Kubernetes-internal field names'],
  ['an Event of events.k8s.io with old fields', 'Kubernetes calls it by the group that it is stored in'],
  ['an Event of events.k8s.io about something else', 'Kubernetes calls it by the group that it is stored in'],
  ['an Event of events.k8s.io without its fields', 'Kubernetes calls it by the group that it is stored in'],
]);

for (const file of readdirSync(folder).filter(name => name.endsWith('.answers.json'))) {
  describe(file.slice(0, -'.answers.json'.length), () => {
    const cases = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as RecordedCase[];
    test.each(cases.map(one => [one.name, one] as const))('%s', (_name, one) => {
      const inWords = !ACCEPTED.has(one.name);
      expect(comparable(answerOf(one), inWords)).toEqual(comparable(one.answer, inWords));
    });
  });
}

/** The parts that count: of a failure the code, message and causes, of an object all but the addresses it was given. */
function comparable(answer: RecordedAnswer, inWords: boolean): unknown {
  const { code, body, warnings = [] } = answer;
  if (code >= 400) {
    const { message, details } = body as { message?: string; details?: { causes?: readonly StatusCause[] } };
    const causes = details?.causes;
    if (inWords) return { code, message, causes };
    return { code, causes: causes?.map(({ reason, field }) => ({ reason, field })) };
  }
  return { code, object: comparableObject(answer), warnings };
}
