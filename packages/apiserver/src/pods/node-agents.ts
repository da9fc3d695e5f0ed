import type { NodeAgent } from './node-agent.ts';

/** The nodes that this server can reach, by the name of their Node object. A Pod is served by the one in its `spec.nodeName`. */
export class NodeAgents {
  readonly #agents = new Map<string, NodeAgent>();

  /**
   * From now on, logs, exec, attach and port-forward of Pods on `nodeName` go to `agent`. Gives the way to take it back.
   *
   * @example
   * const unregister = server.nodes.register('laptop', agent);
   */
  register(nodeName: string, agent: NodeAgent): () => void {
    if (this.#agents.has(nodeName)) throw new Error(`node ${JSON.stringify(nodeName)} is registered already`);
    this.#agents.set(nodeName, agent);
    return () => {
      if (this.#agents.get(nodeName) === agent) this.#agents.delete(nodeName);
    };
  }

  find(nodeName: string): NodeAgent | undefined {
    return this.#agents.get(nodeName);
  }
}
