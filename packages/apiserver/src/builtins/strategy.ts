/**
 * A kind's `Strategy` from the rules that are its own. What nearly all built-in kinds do (status belongs to /status alone, a
 * PUT without a resourceVersion is fine) is the ground they stand on.
 */
import { errorMessage, type FieldError } from '../field-error.ts';
import type { Draft, Stored, Strategy, StrategyContext } from '../kind.ts';
import { roundTrip, zeroStruct } from './round-trip.ts';
import { rawDefinitions } from './schema-graph.ts';
import type { Tree } from './tree.ts';

/** What one kind does differently or in addition. */
export interface StrategyRules {
  /** True where absent. */
  readonly allowsUnconditionalUpdate?: boolean;
  readonly allowsCreateOnUpdate?: boolean;
  readonly tracksGeneration?: boolean;
  readonly validateName?: NameCheck;
  readonly default?: (draft: Draft) => void;
  readonly keepsStatusOnCreate?: boolean;
  /** After status has been dropped. */
  readonly prepareForCreate?: (draft: Draft, context: StrategyContext) => void;
  /** After status has been taken over from the old object. */
  readonly prepareForUpdate?: (draft: Draft, old: Stored, context: StrategyContext) => void;
  readonly prepareForStatusUpdate?: (draft: Draft, old: Stored, context: StrategyContext) => void;
  /** On a create only: adds to what `validate` found, in front or behind as Kubernetes has it. */
  readonly validateCreate?: (object: Draft, found: readonly FieldError[]) => readonly FieldError[];
  readonly validate?: (object: Draft) => readonly FieldError[];
  /** In addition to `validate`, which runs on updates too. */
  readonly validateUpdate?: (object: Draft, old: Stored) => readonly FieldError[];
  readonly validateStatusUpdate?: (object: Draft, old: Stored) => readonly FieldError[];
  readonly warnings?: (object: Draft, old: Stored | undefined) => readonly string[];
  readonly gracePeriodSeconds?: (object: Stored, requested: number | undefined) => number;
  /** What a write of /status cannot own; `spec` where absent. */
  readonly statusResetFields?: readonly (readonly string[])[];
}

/** What is wrong with a name, in Kubernetes' words. With `isPrefix` it is a generateName, which may end in a dash. */
export type NameCheck = (name: string, isPrefix: boolean) => readonly string[];

export function strategyOf(definition: string, hasStatus: boolean, rules: StrategyRules): Strategy {
  const validate = rules.validate ?? (() => []);
  const validateCreate = rules.validateCreate ?? ((_object, found) => found);
  const validateUpdate = rules.validateUpdate ?? (() => []);
  return {
    allowsUnconditionalUpdate: rules.allowsUnconditionalUpdate ?? true,
    allowsCreateOnUpdate: rules.allowsCreateOnUpdate ?? false,
    tracksGeneration: rules.tracksGeneration ?? false,
    validateName: rules.validateName,
    default(draft) {
      roundTrip(draft, definition);
      rules.default?.(draft);
    },
    prepareForCreate(draft, context) {
      if (hasStatus && !rules.keepsStatusOnCreate) draft['status'] = zeroStruct(statusOf(definition));
      rules.prepareForCreate?.(draft, context);
    },
    prepareForUpdate(draft, old, context) {
      if (hasStatus) take(draft, old, 'status');
      rules.prepareForUpdate?.(draft, old, context);
    },
    prepareForStatusUpdate(draft, old, context) {
      for (const field of new Set([...Object.keys(draft), ...Object.keys(old)])) {
        if (!KEPT_ON_STATUS.has(field)) take(draft, old, field);
      }
      rules.prepareForStatusUpdate?.(draft, old, context);
    },
    validate: object => distinct(validateCreate(object, validate(object))),
    validateUpdate: (object, old) => distinct([...validate(object), ...validateUpdate(object, old)]),
    validateStatusUpdate: rules.validateStatusUpdate ?? (() => []),
    ...(rules.warnings && { warnings: rules.warnings }),
    resetFields: subresource => {
      if (!hasStatus) return [];
      return subresource === '' ? [['status']] : (rules.statusResetFields ?? [['spec']]);
    },
    ...(rules.gracePeriodSeconds && { gracePeriodSeconds: rules.gracePeriodSeconds }),
  };
}

/** Two fields may have one and the same thing wrong with them; Kubernetes says it once. */
function distinct(errors: readonly FieldError[]): readonly FieldError[] {
  if (errors.length < 2) return errors;
  const seen = new Set<string>();
  return errors.filter(error => {
    const key = `${error.field}: ${errorMessage(error)}`;
    return seen.size < seen.add(key).size;
  });
}

function statusOf(definition: string): string {
  const status = rawDefinitions()[definition]?.properties?.['status'] as { readonly $ref?: string } | undefined;
  if (status?.$ref === undefined) throw new Error(`${definition} has no status`);
  return status.$ref;
}

const KEPT_ON_STATUS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'status']);

/** Makes a field what it was, its absence included. Stored objects are frozen, so the value may be shared. */
export function take(draft: Tree, old: Readonly<Tree>, field: string): void {
  if (old[field] === undefined) delete draft[field];
  else draft[field] = old[field];
}
