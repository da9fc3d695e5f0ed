/** The three patches of the Kubernetes API that are not server-side apply. Inputs are never changed. */
export { applyJsonPatch, jsonPatchProblems } from './json-patch.ts';
export { applyMergePatch } from './merge-patch.ts';
export { PatchError } from './patch-error.ts';
export { applyStrategicMergePatch } from './strategic-merge-patch.ts';
