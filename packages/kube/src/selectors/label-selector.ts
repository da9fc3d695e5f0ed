import { parseRequirements } from './label-parser.ts';
import {
  byCodePoint,
  type Labels,
  meets,
  type Requirement,
  requirement,
  requirementText,
  SelectorError,
} from './requirement.ts';

/** metav1.LabelSelector, as Deployments, Services' policies and many custom kinds carry it. */
export interface LabelSelector {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly LabelSelectorRequirement[];
}

export interface LabelSelectorRequirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  readonly values?: readonly string[];
}

/** A selector that is ready to use. It is frozen and may be shared. */
export interface LabelMatcher {
  /** All of them have to be met; ordered by key. */
  readonly requirements: readonly Requirement[];
  matches(labels: Labels | undefined): boolean;
  /** The canonical string form, as it goes into `?labelSelector=`. Empty for a selector that takes everything. */
  toString(): string;
}

/** What the client takes as `labels`: the string syntax, plain equalities, or a LabelSelector. */
export type LabelSelection = string | Labels | LabelSelector;

/**
 * Reads the string syntax: `app=web,tier in (front,back),!legacy,size>3`. The empty string selects everything.
 * Throws a `SelectorError` with the API server's own message.
 */
export function parseLabelSelector(selector: string): LabelMatcher {
  return matcher(parseRequirements(selector));
}

/**
 * Reads a LabelSelector object. An empty one selects everything, none at all selects nothing: that is what Kubernetes does,
 * and why a Deployment without a selector is refused instead of owning all Pods.
 */
export function labelSelectorMatcher(selector: LabelSelector | null | undefined): LabelMatcher {
  if (selector === undefined || selector === null) return NOTHING;
  const equalities = Object.entries(selector.matchLabels ?? {}).map(([key, value]) => requirement(key, '=', [value]));
  const expressions = (selector.matchExpressions ?? []).map(({ key, operator, values }) => {
    if (!Object.hasOwn(EXPRESSION_OPERATORS, operator)) {
      throw new SelectorError(`${JSON.stringify(operator)} is not a valid label selector operator`);
    }
    return requirement(key, EXPRESSION_OPERATORS[operator], values ?? []);
  });
  return matcher([...equalities, ...expressions].sort((left, right) => byCodePoint(left.key, right.key)));
}

const EXPRESSION_OPERATORS = { In: 'in', NotIn: 'notin', Exists: 'exists', DoesNotExist: '!' } as const;

/** Reads any of the forms that the client accepts. */
export function labelMatcher(selection: LabelSelection): LabelMatcher {
  if (typeof selection === 'string') return parseLabelSelector(selection);
  return labelSelectorMatcher(isLabelSelector(selection) ? selection : { matchLabels: selection });
}

/** The string form of a selection, for `?labelSelector=`. */
export function labelSelectorText(selection: LabelSelection): string {
  return labelMatcher(selection).toString();
}

/** Turns the string syntax into a LabelSelector object; `gt` and `lt` have no place there and are refused. */
export function toLabelSelector(selector: string): LabelSelector {
  const matchLabels: Record<string, string> = {};
  const matchExpressions: LabelSelectorRequirement[] = [];
  for (const { key, operator, values } of parseRequirements(selector)) {
    switch (operator) {
      case '=':
      case '==':
        matchLabels[key] = values[0]!;
        break;
      case 'in':
        matchExpressions.push({ key, operator: 'In', values });
        break;
      case '!=':
      case 'notin':
        matchExpressions.push({ key, operator: 'NotIn', values });
        break;
      case 'exists':
        matchExpressions.push({ key, operator: 'Exists' });
        break;
      case '!':
        matchExpressions.push({ key, operator: 'DoesNotExist' });
        break;
      default:
        throw new SelectorError(`"${operator}" isn't supported in label selectors`);
    }
  }
  return { matchLabels, matchExpressions };
}

/** A label may be called `matchLabels`, but its value is then a string. */
function isLabelSelector(selection: Labels | LabelSelector): selection is LabelSelector {
  const { matchLabels, matchExpressions } = selection as LabelSelector;
  return typeof matchLabels === 'object' || Array.isArray(matchExpressions);
}

const NO_LABELS: Labels = Object.freeze({});

function matcher(requirements: readonly Requirement[]): LabelMatcher {
  return Object.freeze({
    requirements: Object.freeze(requirements),
    matches: (labels: Labels | undefined) => requirements.every(each => meets(labels ?? NO_LABELS, each)),
    toString: () => requirements.map(requirementText).join(','),
  });
}

const NOTHING: LabelMatcher = Object.freeze({
  requirements: Object.freeze([]),
  matches: () => false,
  toString: () => '',
});
