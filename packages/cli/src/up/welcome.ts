/** What `capstan up` says when everything runs: what there is, where, and what to try. */
import { shellQuote } from '../cluster/shell-quote.ts';
import { foundPrograms, programsText } from './found-programs.ts';
import type { Platform } from './start-platform.ts';

export function welcome({ cluster, controllers, node, logFile }: Platform, memory: boolean): string {
  const rows: [string, string][] = [
    ['API server', `${cluster.url}, ${memory ? 'in memory: gone when it stops' : `kept in ${cluster.dataFolder}`}`],
    [
      'controllers',
      controllers ? `${controllers.names.length} of Kubernetes' own` : 'not started: nothing acts on objects',
    ],
    ['node', nodeText(node)],
    ['programs', programsText(foundPrograms())],
    ['log', logFile],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const table = rows.map(([name, text]) => `  ${name.padEnd(width)}   ${text}`).join('\n');
  return `
Capstan is running   (Ctrl-C stops it)

${table}

The five systems (routes, addons, testplane, robots, middleware) are not there yet.

In another terminal, you are the administrator with this; the context "viewer" may only read:
  export KUBECONFIG=${shellQuote(cluster.kubeconfig)}

Try:
${tries(node)}
`;
}

function nodeText(node: Platform['node']): string {
  if (node === undefined) return 'not started: Pods stay Pending';
  if (node.kind === 'simulated')
    return `${node.name}: this system has no address for each Pod, so they only pretend to run`;
  return `${node.name}: Pods are programs of this machine, run as you, each with an address of its own`;
}

function tries(node: Platform['node']): string {
  if (node === undefined) return '  kubectl get namespaces\n  kubectl api-resources';
  return [
    '  kubectl create deployment hello --image=capstan/demo-http',
    '  kubectl get pods -o wide',
    '  kubectl logs -f deployment/hello',
  ].join('\n');
}
