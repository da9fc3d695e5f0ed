/** Which EndpointSlices a Service should have, changing as few of those it has as possible. Pure. */
import { deepEqual, type Endpoint, type EndpointPort, type EndpointSlice } from '@capstan/kube';

/** Small enough that a change is cheap to send to every node, large enough that most Services have one. */
const MOST_ENDPOINTS = 100;

/** Endpoints that share ports. */
export interface EndpointGroup {
  readonly ports: readonly EndpointPort[];
  readonly endpoints: readonly Endpoint[];
}

export interface SlicePlan {
  readonly create: readonly EndpointGroup[];
  readonly update: readonly EndpointSlice[];
  readonly remove: readonly EndpointSlice[];
}

/** `existing` are slices of the right address type. There is always at least one, so that a Service without endpoints says so. */
export function planSlices(existing: readonly EndpointSlice[], wanted: readonly EndpointGroup[]): SlicePlan {
  const create: EndpointGroup[] = [];
  const update: EndpointSlice[] = [];
  const spare = new Set(existing);
  let kept = 0;
  for (const { ports, endpoints } of wanted) {
    const key = portsKey(ports);
    const slices = existing.filter(slice => portsKey(slice.ports ?? []) === key);
    for (const slice of slices) spare.delete(slice);
    const { filled, rest } = refill(slices, endpoints);
    for (const [slice, contents] of filled) {
      if (contents.length === 0) {
        spare.add(slice);
        continue;
      }
      kept++;
      if (!deepEqual(contents, slice.endpoints)) update.push({ ...slice, endpoints: contents });
    }
    for (let from = 0; from < rest.length; from += MOST_ENDPOINTS) {
      create.push({ ports, endpoints: rest.slice(from, from + MOST_ENDPOINTS) });
    }
  }
  const remove = [...spare];
  if (kept + create.length > 0) return { create, update, remove };
  const empty = remove.find(({ ports }) => (ports ?? []).length === 0);
  const reused = empty ?? remove[0];
  if (reused === undefined) return { create: [{ ports: [], endpoints: [] }], update, remove };
  // The last slice is emptied rather than replaced.
  const isEmpty = (reused.endpoints ?? []).length === 0 && (reused.ports ?? []).length === 0;
  return {
    create,
    update: isEmpty ? update : [...update, { ...reused, endpoints: [], ports: [] }],
    remove: remove.filter(slice => slice !== reused),
  };
}

/** Each endpoint stays where it is, new ones fill the gaps, and what is left needs slices of its own. */
function refill(slices: readonly EndpointSlice[], endpoints: readonly Endpoint[]) {
  const missing = new Map(endpoints.map(endpoint => [endpointKey(endpoint), endpoint]));
  const filled = new Map<EndpointSlice, Endpoint[]>();
  for (const slice of slices) {
    const contents: Endpoint[] = [];
    for (const before of slice.endpoints ?? []) {
      const key = endpointKey(before);
      const now = missing.get(key);
      if (now === undefined) continue;
      contents.push(now);
      missing.delete(key);
    }
    filled.set(slice, contents);
  }
  const rest = [...missing.values()];
  // The fullest first: those that are nearly empty may then end up empty, and go.
  for (const contents of [...filled.values()].sort((left, right) => right.length - left.length)) {
    if (rest.length === 0) break;
    contents.push(...rest.splice(0, Math.max(0, MOST_ENDPOINTS - contents.length)));
  }
  return { filled, rest };
}

const endpointKey = ({ addresses, targetRef }: Endpoint): string => `${targetRef?.uid ?? ''}/${addresses.join()}`;

export const portsKey = (ports: readonly EndpointPort[]): string =>
  ports
    .map(({ name = '', port = 0, protocol = '', appProtocol = '' }) => `${name}/${port}/${protocol}/${appProtocol}`)
    .sort()
    .join();
