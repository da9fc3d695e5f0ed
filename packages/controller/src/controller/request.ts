/** What a controller is asked to look at: one object, by name. It may exist or not. */
export interface Request {
  /** The name of the cluster; `home` for the one that the manager lives in. */
  readonly cluster: string;
  /** Empty for kinds without namespaces. */
  readonly namespace: string;
  readonly name: string;
}

/** The cluster that the manager itself lives in. */
export const HOME = 'home';

/** `cluster/namespace/name`, as the queue and the logs have it. None of the three may contain a slash. */
export function keyOf({ cluster, namespace, name }: Request): string {
  return `${cluster}/${namespace}/${name}`;
}

export function requestOf(key: string): Request {
  const [cluster = '', namespace = '', name = ''] = key.split('/');
  return { cluster, namespace, name };
}
