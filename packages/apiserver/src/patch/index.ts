/** The three patches of the Kubernetes API that are not server-side apply. Inputs are never changed. */
export { jsonPatch, jsonPatchProblems } from './json-patch.ts';
export { mergePatch } from './merge-patch.ts';
export { PatchError } from './patch-error.ts';
