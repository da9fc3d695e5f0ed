/** Whether an answer can be an AdmissionReview at all; what cannot is refused in the words of Go's decoder. */
import type { Json } from '@capstan/kube';
import { goKind, goQuote } from '../schema/go-text.ts';
import { isObject, type JsonObject } from '../schema/json.ts';
import type { AdmissionReview } from './review.ts';

const TYPE_META = String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`;
const REVIEWS: ReadonlySet<string> = new Set(['admission.k8s.io/v1', 'admission.k8s.io/v1beta1']);

/** An answer that does not say what it is is taken for what it should be. Throws why it is none. */
export function decodeAnswer(review: AdmissionReview, answer: Json): JsonObject {
  if (!isObject(answer)) {
    const why = `cannot unmarshal ${goKind(answer)} into Go value of type ${TYPE_META}`;
    throw new Error(`couldn't get version/kind; json parse error: json: ${why}`);
  }
  checkType(review, String(answer.apiVersion ?? ''), String(answer.kind ?? ''));
  if (isObject(answer.response)) checkResponse(answer.response);
  return answer;
}

function checkType({ apiVersion, kind }: AdmissionReview, givenVersion: string, givenKind: string): void {
  if (givenKind === '' || (givenVersion === apiVersion && givenKind === kind)) return;
  if (givenKind === kind && REVIEWS.has(givenVersion)) {
    const [from, to] = [givenVersion, apiVersion].map(version => `${version.split('/')[1]}.${kind}`);
    throw new Error(`converting (${from}) to (${to}): unknown conversion`);
  }
  const version = goQuote(givenVersion);
  throw new Error(
    `no kind ${goQuote(givenKind)} is registered for version ${version} in scheme "pkg/runtime/scheme.go:111"`,
  );
}

const TYPES = { uid: 'string', allowed: 'bool', patch: 'string', patchType: 'string' } as const;

function checkResponse(response: JsonObject): void {
  for (const [field, type] of Object.entries(TYPES)) {
    const value = response[field] ?? null;
    if (value === null || goKind(value) === type) continue;
    throw new Error(
      `json: cannot unmarshal ${goKind(value)} into Go struct field AdmissionResponse.response.${field} of type ${type}`,
    );
  }
  const wrong = firstIllegal(String(response.patch ?? ''));
  if (wrong !== undefined) throw new Error(`illegal base64 data at input byte ${wrong}`);
}

/** Where a text stops being base64. */
function firstIllegal(text: string): number | undefined {
  const clean = text.replace(/[\r\n]/g, '');
  const digits = /^[A-Za-z0-9+/]*/.exec(clean)![0].length;
  const rest = clean.slice(digits);
  if (clean.length % 4 === 0 && /^={0,2}$/.test(rest)) return undefined;
  return rest === '' || /^=+$/.test(rest) ? Math.floor(digits / 4) * 4 : digits;
}
