/** Pods that must be near others, or apart from them: which parts of the cluster that leaves. */
import type { Node } from '@capstan/kube';
import type { ClusterState } from './cluster-state.ts';
import type { PodInfo, PodTerm } from './pod-info.ts';

export interface PodDomains {
  whyNot(node: Node): readonly string[];
}

const ANYWHERE: PodDomains = { whyNot: () => [] };

/** Looks at all Pods, but only for a Pod that has such terms, or where one that runs has. */
export function podDomains(pod: PodInfo, state: ClusterState): PodDomains {
  if (pod.near.length + pod.apart.length + state.apart.size === 0) return ANYWHERE;
  const near = pod.near.map(term => ({ term, domains: domainsOf(term, state) }));
  const apart = pod.apart.map(term => ({ term, domains: domainsOf(term, state) }));
  const unwelcome = new Map<string, Set<string>>();
  for (const { info, node } of state.apart.values()) {
    for (const term of info.apart) {
      const domain = domainOf(term, state.nodes.get(node)?.node);
      if (domain === undefined || !isMeant(term, pod)) continue;
      unwelcome.set(term.topologyKey, (unwelcome.get(term.topologyKey) ?? new Set()).add(domain));
    }
  }
  return {
    whyNot(node) {
      for (const { term, domains } of near) {
        const domain = domainOf(term, node);
        // The first of Pods that want to be together may be anywhere.
        const isFirst = domains.size === 0 && isMeant(term, pod) && domain !== undefined;
        if (!isFirst && (domain === undefined || !domains.has(domain)))
          return ["node(s) didn't match pod affinity rules"];
      }
      for (const { term, domains } of apart) {
        if (domains.has(domainOf(term, node) ?? '')) return ["node(s) didn't match pod anti-affinity rules"];
      }
      for (const [key, domains] of unwelcome) {
        const domain = node.metadata.labels?.[key];
        if (domain !== undefined && domains.has(domain)) {
          return ["node(s) didn't satisfy existing pods anti-affinity rules"];
        }
      }
      return [];
    },
  };
}

function domainsOf(term: PodTerm, state: ClusterState): Set<string> {
  const domains = new Set<string>();
  for (const { info, node } of state.all()) {
    if (!isMeant(term, info)) continue;
    const domain = domainOf(term, state.nodes.get(node)?.node);
    if (domain !== undefined) domains.add(domain);
  }
  return domains;
}

const domainOf = ({ topologyKey }: PodTerm, node: Node | undefined): string | undefined =>
  node?.metadata.labels?.[topologyKey];

const isMeant = ({ selects, namespaces }: PodTerm, { pod }: PodInfo): boolean =>
  namespaces.includes(pod.metadata.namespace ?? '') && selects.matches(pod.metadata.labels);
