/** How large a chart may be. A chart comes from someone else: these keep a hostile one from filling the memory. */
export interface ChartLimits {
  /** Bytes of all files together, unpacked. Helm's bound. */
  readonly bytes: number;
  /** Files and folders. The largest public charts have some 1,500. */
  readonly entries: number;
  /** Charts within charts within charts; archives among them are unpacked one by one. */
  readonly depth: number;
  /** Bytes of the packed archive itself, and of an index. */
  readonly packedBytes: number;
}

export const defaultChartLimits: ChartLimits = {
  bytes: 100 * 1024 * 1024,
  entries: 20_000,
  depth: 32,
  packedBytes: 64 * 1024 * 1024,
};
