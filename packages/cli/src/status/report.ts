/** From what was seen to what is well and what is not. Pure: the same objects at the same time give the same report. */
import { claimFindings, jobFindings } from './batch-and-storage.ts';
import type { Finding } from './finding.ts';
import { namespaceFindings, nodeFindings } from './nodes.ts';
import type { Observation, ServerObservation } from './observation.ts';
import { podFindings } from './pods.ts';
import { recentWarnings, type Warning } from './warnings.ts';
import { daemonSetFindings, deploymentFindings, statefulSetFindings } from './workloads.ts';

export interface Report {
  /** Everything is as it was asked for. Warnings, and what could not be read, do not count. */
  readonly healthy: boolean;
  readonly server: ServerObservation;
  readonly sections: readonly Section[];
  readonly warnings: readonly Warning[];
  readonly unreadable: Observation['unreadable'];
}

export interface Section {
  /** `Deployments`. */
  readonly title: string;
  /** How many there are. */
  readonly total: number;
  readonly findings: readonly Finding[];
}

export function reportOf({ server, objects, unreadable }: Observation, now: number): Report {
  const section = (title: string, all: readonly unknown[], findings: readonly Finding[]): Section => ({
    title,
    total: all.length,
    findings,
  });
  const { nodes, namespaces, deployments, statefulSets, daemonSets, pods, jobs, claims, storageClasses } = objects;
  const sections = [
    section('Nodes', nodes, nodeFindings(nodes)),
    section('Namespaces', namespaces, namespaceFindings(namespaces, now)),
    section('Deployments', deployments, deploymentFindings(deployments)),
    section('StatefulSets', statefulSets, statefulSetFindings(statefulSets)),
    section('DaemonSets', daemonSets, daemonSetFindings(daemonSets)),
    section('Jobs', jobs, jobFindings(jobs)),
    section('Pods', pods, podFindings(pods, now)),
    section('Claims', claims, claimFindings(claims, storageClasses, pods)),
  ];
  const healthy = server.notReady === undefined && sections.every(({ findings }) => findings.length === 0);
  return { healthy, server, sections, warnings: recentWarnings(objects.events, now), unreadable };
}
