/** A patch that cannot be applied, with the HTTP code and the message Kubernetes answers. */
export class PatchError extends Error {
  override readonly name = 'PatchError';
  /** 400 malformed, 413 too large, 422 does not fit the object, 500 what Kubernetes fails to foresee. */
  readonly code: 400 | 413 | 422 | 500;
  /** What exactly is wrong; for a 422, Kubernetes keeps it to itself. */
  readonly detail: string;

  constructor(code: PatchError['code'], detail: string) {
    super(code === 422 ? 'the server rejected our request due to an error in our request' : detail);
    this.code = code;
    this.detail = detail;
  }
}

export const malformedPatch = (detail: string): PatchError => new PatchError(400, detail);
export const rejectedPatch = (detail: string): PatchError => new PatchError(422, detail);
