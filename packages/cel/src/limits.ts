/**
 * The limits Kubernetes puts on CEL, in its own cost units: one unit is about 50 ns of work, ten characters of a string
 * traversed, one field selected.
 */

/** The most one rule may cost by estimate, times the number of places it can apply to. A dearer CRD is refused. */
export const RULE_COST_LIMIT = 10_000_000;

/** The most all rules of a CRD may cost by estimate, together. */
export const SCHEMA_COST_LIMIT = 100_000_000;

/** The most a single evaluation may really cost. */
export const EVALUATION_COST_LIMIT = 1_000_000;

/** The most all evaluations for one request may really cost, together. */
export const REQUEST_COST_LIMIT = 10_000_000;

/** Estimates assume that no object is larger than the largest request body. */
export const MAX_REQUEST_BYTES = 3 * 1024 * 1024;

/** A longer result of a `messageExpression` is not used. */
export const MAX_MESSAGE_BYTES = 5 * 1024;

/** Longer expressions are refused before they are parsed. */
export const MAX_EXPRESSION_LENGTH = 100_000;

/** Schemas with more rules, or more text in them, are refused: compiling is work too. */
export const MAX_RULES_PER_SCHEMA = 5_000;
export const MAX_EXPRESSION_LENGTH_PER_SCHEMA = 500_000;

/** Schemas whose patterns are together heavier to compile are refused; an instruction of a pattern counts as one. */
export const MAX_PATTERN_WEIGHT_PER_SCHEMA = 1_000_000;

/** Deeper expressions are refused: every pass recurses over the tree. */
export const MAX_NESTING = 250;

/**
 * Steps of work one evaluation may take, a step being about one element visited, or 32 characters. Kubernetes' cost
 * does not see everything (comparing two lists of lists costs as much as their outer lengths, `replace` nothing for the
 * size of its result), and relies on a deadline for the rest. A single-threaded server cannot be interrupted, so work is
 * counted as well. Twenty million steps are some tenths of a second.
 */
export const EVALUATION_WORK_LIMIT = 20_000_000;

/** Steps of work all evaluations for one request may take, together. */
export const REQUEST_WORK_LIMIT = 40_000_000;

/** The longest string, in UTF-16 units, that an expression may build. */
export const MAX_STRING_LENGTH = 32 * 1024 * 1024;
