/** What the fields of built-in kinds are for, as Kubernetes describes them: read from disk when `kubectl explain` asks. */
import { readFileSync } from 'node:fs';

type Descriptions = Readonly<Record<string, Readonly<Record<string, string>>>>;

let descriptions: Descriptions | undefined;

function all(): Descriptions {
  descriptions ??= JSON.parse(readFileSync(new URL('./descriptions.gen.json', import.meta.url), 'utf8'))
    .definitions as Descriptions;
  return descriptions;
}

/** Of a definition as a whole: `typeDescription('io.k8s.api.core.v1.Pod')`; '' for what is not known. */
export function typeDescription(definition: string): string {
  return all()[definition]?.[''] ?? '';
}

/** Of one field of a definition; '' for what is not known. */
export function fieldDescription(definition: string, field: string): string {
  return all()[definition]?.[field] ?? '';
}
