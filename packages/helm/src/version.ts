/**
 * Which Helm to be. The two differ in how null values, documents and errors are treated; everything else is one code.
 *
 * | | 3 (3.22) | 4 (4.3) |
 * |---|---|---|
 * | `null` among a chart's defaults | reaches the templates | is dropped |
 * | values.yaml with several documents | the first counts | merged in order |
 * | `.Chart` | a struct | a map |
 * | documents of a manifest | trimmed on both sides | keep their last line breaks |
 * | webhook configurations | unknown kinds, last | last of the known kinds |
 * | a failing template | one line | a line for each template on the way |
 * | post-renderer | sees the manifest | sees hooks too |
 */
export type HelmVersion = 3 | 4;

export const defaultHelmVersion: HelmVersion = 4;
