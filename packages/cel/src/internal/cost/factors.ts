/** Kubernetes' price list. Changing a figure changes which CRDs are accepted. */

/** Units for traversing one character of a string. */
export const STRING_FACTOR = 0.1;

/** Units, per traversed unit of text, for one character of a pattern. */
export const REGEX_FACTOR = 0.25;

export const LIST_CREATION = 10;
export const MAP_CREATION = 30;
