/** Creating and deleting the Pods of a workload, with the Events that tell of it. */
import { ownerReference, type Recorder } from '@capstan/controller';
import {
  ApiError,
  type Client,
  isNotFound,
  type KubeObject,
  type NewObject,
  type Pod,
  type PodTemplate,
  pods,
} from '@capstan/kube';

export interface PodControl {
  /** Gives the Pod, or `undefined` when its namespace is on its way out and nothing can be created any more. */
  create(owner: KubeObject, pod: NewObject<Pod>): Promise<Pod | undefined>;
  /** Takes `finalizer` off first, if one is given. */
  delete(owner: KubeObject, pod: Pod, finalizer?: string): Promise<void>;
}

export function createPodControl(client: Client, recorder: Recorder): PodControl {
  return {
    async create(owner, pod) {
      try {
        const created = await client.create(pods, pod);
        const message = `Created pod: ${created.metadata.name}`;
        recorder.record(owner, { type: 'Normal', reason: 'SuccessfulCreate', message });
        return created;
      } catch (error) {
        if (isNamespaceTerminating(error)) return undefined;
        recorder.record(owner, { type: 'Warning', reason: 'FailedCreate', message: `Error creating: ${text(error)}` });
        throw error;
      }
    },

    async delete(owner, { metadata: { namespace, name, uid, finalizers } }, finalizer) {
      try {
        if (finalizer !== undefined && finalizers?.includes(finalizer)) {
          const metadata = { uid, '$deleteFromPrimitiveList/finalizers': [finalizer] };
          await client.patch(pods, { namespace, name }, { strategic: { metadata } });
        }
        await client.delete(pods, { namespace, name }, { preconditions: { uid } });
        recorder.record(owner, { type: 'Normal', reason: 'SuccessfulDelete', message: `Deleted pod: ${name}` });
      } catch (error) {
        if (isNotFound(error)) return;
        recorder.record(owner, { type: 'Warning', reason: 'FailedDelete', message: `Error deleting: ${text(error)}` });
        throw error;
      }
    },
  };
}

/** A Pod as a template asks for it, owned by its workload. The server completes the name. */
export function podFromTemplate(template: PodTemplate, owner: KubeObject): NewObject<Pod> {
  const { labels, annotations, finalizers } = template.metadata ?? {};
  return {
    metadata: {
      namespace: owner.metadata.namespace,
      generateName: podNamePrefix(owner.metadata.name),
      ...(labels && { labels }),
      ...(annotations && { annotations }),
      ...(finalizers && { finalizers }),
      ownerReferences: [ownerReference(owner)],
    },
    spec: template.spec,
  };
}

/** The dash is left out where the name is so long that with it the prefix would be no valid name. */
function podNamePrefix(name: string): string {
  return `${name}-`.length <= 253 ? `${name}-` : name;
}

function isNamespaceTerminating(error: unknown): boolean {
  return error instanceof ApiError && error.causes.some(({ reason }) => reason === 'NamespaceTerminating');
}

function text(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
