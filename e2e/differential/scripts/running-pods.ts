import { get, post, put, remove, type Script, type Step } from '../script.ts';
import { pod } from './objects.ts';
import { pods } from './paths.ts';

const container = (name: string) => ({ name, image: 'example/image:1' });

const log = (title: string, name: string, query: Readonly<Record<string, string>> = {}): Step =>
  get(title, `${pods}/${name}/log`, { query });

const exec = (title: string, name: string, query: Readonly<Record<string, string>> = {}): Step =>
  get(title, `${pods}/${name}/exec`, { query: { command: 'ls', stdout: 'true', ...query } });

export const runningPods: Script = {
  name: 'running-pods',
  about: 'logs, exec, attach and port-forward of Pods that no node runs, and options that make no sense',
  steps: [
    post('a Pod with one container', pods, pod('one', { containers: [container('a')] })),
    post(
      'a Pod with several',
      pods,
      pod('several', { initContainers: [container('i')], containers: [container('a'), container('b')] }),
    ),
    post(
      'a Pod on a node that does not exist',
      pods,
      pod('lost', { nodeName: 'nowhere', containers: [container('a')] }),
    ),

    log('the log of nothing', 'missing'),
    log('the log of a Pod without a node', 'one'),
    log('of one of several containers', 'several'),
    log('of a container that it has', 'several', { container: 'i' }),
    log('of a container that it has not', 'several', { container: 'c' }),
    log('on a node that does not exist', 'lost'),
    log('negative lines', 'one', { tailLines: '-1' }),
    log('lines that are none', 'one', { tailLines: 'x' }),
    log('no bytes', 'one', { limitBytes: '0' }),
    log('no seconds', 'one', { sinceSeconds: '0' }),
    log('several mistakes', 'one', { tailLines: '-1', limitBytes: '0', sinceSeconds: '0' }),
    log('seconds and a time', 'one', { sinceSeconds: '1', sinceTime: '2026-01-01T00:00:00Z' }),
    log('a time', 'one', { sinceTime: '2026-01-01T00:00:00Z' }),
    log('a time that is none', 'one', { sinceTime: 'yesterday' }),
    log('one stream', 'one', { stream: 'Stdout' }),
    log('following by any word', 'one', { follow: 'maybe' }),
    post('writing to a log', `${pods}/one/log`, {}),

    exec('exec in nothing', 'missing'),
    exec('exec in a Pod without a node', 'one'),
    exec('exec in one of several containers', 'several'),
    exec('exec in a container that it has not', 'several', { container: 'c' }),
    exec('exec on a node that does not exist', 'lost'),
    get('attach to a Pod without a node', `${pods}/one/attach`, { query: { stdout: 'true' } }),
    get('port-forward of a Pod without a node', `${pods}/one/portforward`),
    get('port-forward of a port that is none', `${pods}/one/portforward`, { query: { ports: 'x' } }),
    put('PUT of exec', `${pods}/one/exec`, {}),
    remove('DELETE of attach', `${pods}/one/attach`),
  ],
};
