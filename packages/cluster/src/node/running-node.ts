/** A node that was started. */
export interface RunningNode {
  readonly name: string;
  /** Ends what runs and says that the node is not ready. Its Pods stay bound to it and run again when it starts. */
  stop(): Promise<void>;
}
