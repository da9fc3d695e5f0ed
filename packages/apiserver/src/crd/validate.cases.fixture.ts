/**
 * CRDs that are refused, and with which words. The words are those of a real API server: `validate.real.test.ts` asks one.
 */
import { DEFINITION_CASES } from './definition.cases.fixture.ts';
import { SCHEMA_CASES } from './schema.cases.fixture.ts';

export const CRD_CASES = [...DEFINITION_CASES, ...SCHEMA_CASES];
