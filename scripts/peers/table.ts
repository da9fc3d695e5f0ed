/**
 * The real programs that Capstan is measured and compared with, each pinned to one release of a Go module.
 *
 * A new release is a new version here: the folder in the cache carries the version, so nothing old is ever mistaken for it.
 */
export interface Peer {
  /** What one asks for: `npm run peers -- etcd`. */
  readonly name: string;
  readonly version: string;
  /** The Go module that holds the program, and the path of its main package. */
  readonly module: string;
  readonly mainPackage: string;
  /**
   * Version of the sibling modules that the module itself replaces by folders of its repository. A replacement counts in
   * the main module only, so whoever builds from the outside has to say it again: Kubernetes' "staging" modules.
   */
  readonly siblings?: string;
  /** Values that a release build sets by `-X`, without which the program does not know its own version. */
  readonly stamps: Readonly<Record<string, string>>;
}

const etcd: Peer = {
  name: 'etcd',
  version: 'v3.7.3',
  module: 'go.etcd.io/etcd/server/v3',
  mainPackage: 'go.etcd.io/etcd/server/v3',
  stamps: {},
};

/** The programs of one Kubernetes release; `suffix` sets an older release apart from the current one. */
function kubernetes(version: string, suffix: string, programs: readonly string[]): Peer[] {
  const [major, minor] = version.slice(1).split('.');
  const stamps = Object.fromEntries(
    ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version'].flatMap(path => [
      [`${path}.gitVersion`, version],
      [`${path}.gitMajor`, major!],
      [`${path}.gitMinor`, minor!],
      // What Kubernetes itself says of a tree without git; the module proxy does not tell the commit.
      [`${path}.gitTreeState`, 'archive'],
      [`${path}.gitCommit`, 'unknown'],
    ]),
  );
  return programs.map(program => ({
    name: program + suffix,
    version,
    module: 'k8s.io/kubernetes',
    mainPackage: `k8s.io/kubernetes/cmd/${program}`,
    siblings: version.replace('v1.', 'v0.'),
    stamps,
  }));
}

const helm3: Peer = {
  name: 'helm3',
  version: 'v3.22.0',
  module: 'helm.sh/helm/v3',
  mainPackage: 'helm.sh/helm/v3/cmd/helm',
  stamps: {
    'helm.sh/helm/v3/internal/version.version': 'v3.22.0',
    // The Kubernetes that `helm template` and `helm lint` assume: that of the client-go in helm's go.mod.
    'helm.sh/helm/v3/pkg/chartutil.k8sVersionMajor': '1',
    'helm.sh/helm/v3/pkg/chartutil.k8sVersionMinor': '37',
    'helm.sh/helm/v3/pkg/lint/rules.k8sVersionMajor': '1',
    'helm.sh/helm/v3/pkg/lint/rules.k8sVersionMinor': '37',
  },
};

const helm4: Peer = {
  name: 'helm4',
  version: 'v4.3.1',
  module: 'helm.sh/helm/v4',
  mainPackage: 'helm.sh/helm/v4/cmd/helm',
  stamps: { 'helm.sh/helm/v4/internal/version.version': 'v4.3.1' },
};

const caddy: Peer = {
  name: 'caddy',
  version: 'v2.11.7',
  module: 'github.com/caddyserver/caddy/v2',
  mainPackage: 'github.com/caddyserver/caddy/v2/cmd/caddy',
  stamps: { 'github.com/caddyserver/caddy/v2.CustomVersion': 'v2.11.7' },
};

export const peers: readonly Peer[] = [
  etcd,
  ...kubernetes('v1.37.1', '', ['kube-apiserver', 'kube-controller-manager', 'kubectl']),
  ...kubernetes('v1.35.4', '-1.35', ['kube-apiserver', 'kubectl']),
  helm3,
  helm4,
  caddy,
];

/** What `npm run test:real` needs, and so what `npm run peers` brings unless told otherwise. */
export const defaultPeers: readonly string[] = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kubectl'];

/** The named peers in the order asked for; throws with the names there are when one is unknown. */
export function selectPeers(names: readonly string[]): Peer[] {
  return (names.length > 0 ? names : defaultPeers).map(name => {
    const peer = peers.find(candidate => candidate.name === name);
    if (peer === undefined) {
      throw new Error(`there is no peer "${name}"; there are ${peers.map(({ name }) => name).join(', ')}`);
    }
    return peer;
  });
}
