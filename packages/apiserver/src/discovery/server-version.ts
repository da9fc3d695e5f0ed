import { kubernetesVersion } from '../builtins/index.ts';

/** `/version`: the Kubernetes whose API this is. */
export function serverVersion(): object {
  const [major, minor] = kubernetesVersion().replace(/^v/, '').split('.');
  return {
    major,
    minor,
    gitVersion: `${kubernetesVersion()}+capstan`,
    gitCommit: '',
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: 'none',
    compiler: 'none',
    platform: `${process.platform}/${process.arch}`,
  };
}
