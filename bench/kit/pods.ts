/** Pods as a busy cluster has them: about 5.8 kB each as a line of a watch, a third of it managedFields. */

export interface PodOptions {
  readonly index: number;
  readonly version: number;
  readonly type: 'ADDED' | 'MODIFIED';
  readonly annotations?: Readonly<Record<string, string>>;
}

export function podName(index: number): string {
  return `web-${String(index % 500).padStart(4, '0')}-7d9c5b6f8b-${index.toString(36).padStart(5, 'x')}`;
}

export function pod({ index, version, annotations = {} }: Omit<PodOptions, 'type'>): object {
  const uid = `5c1e6c0a-0000-4000-8000-${index.toString(16).padStart(12, '0')}`;
  const app = `web-${String(index % 500).padStart(4, '0')}`;
  const address = `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;
  const since = '2026-01-01T00:00:00Z';
  return {
    metadata: {
      name: podName(index),
      generateName: `${app}-7d9c5b6f8b-`,
      namespace: `team-${index % 40}`,
      uid,
      resourceVersion: String(version),
      creationTimestamp: since,
      labels: { app, 'pod-template-hash': '7d9c5b6f8b', 'app.kubernetes.io/part-of': 'shop', tier: 'frontend' },
      annotations: {
        'prometheus.io/scrape': 'true',
        'prometheus.io/port': '9090',
        'checksum/config': uid,
        ...annotations,
      },
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          kind: 'ReplicaSet',
          name: `${app}-7d9c5b6f8b`,
          uid: `owner-${index % 500}`,
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
      managedFields: managedFields(since),
    },
    spec: spec(app, index),
    status: status(address, index, since),
  };
}

/** A line of a watch, as bytes. */
export function watchLine(options: PodOptions): Buffer {
  const object = { kind: 'Pod', apiVersion: 'v1', ...pod(options) };
  return Buffer.from(`${JSON.stringify({ type: options.type, object })}\n`);
}

function spec(app: string, index: number): object {
  const container = (name: string, port: number): object => ({
    name,
    image: `registry.example.com/shop/${app}/${name}:v1.2.${index % 7}`,
    ports: [{ name: 'http', containerPort: port, protocol: 'TCP' }],
    env: [
      { name: 'POD_IP', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'status.podIP' } } },
      { name: 'LOG_LEVEL', value: 'info' },
      { name: 'UPSTREAM', value: `http://${app}-backend.team-${index % 40}.svc.cluster.local:8080` },
    ],
    resources: { limits: { cpu: '500m', memory: '256Mi' }, requests: { cpu: '100m', memory: '128Mi' } },
    volumeMounts: [
      { name: 'config', mountPath: '/etc/config', readOnly: true },
      { name: 'kube-api-access', readOnly: true, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' },
    ],
    livenessProbe: {
      httpGet: { path: '/healthz', port: 'http', scheme: 'HTTP' },
      timeoutSeconds: 1,
      periodSeconds: 10,
      successThreshold: 1,
      failureThreshold: 3,
    },
    imagePullPolicy: 'IfNotPresent',
  });
  return {
    volumes: [
      { name: 'config', configMap: { name: `${app}-config`, defaultMode: 420 } },
      {
        name: 'kube-api-access',
        projected: { sources: [{ serviceAccountToken: { expirationSeconds: 3607, path: 'token' } }], defaultMode: 420 },
      },
    ],
    containers: [container(app, 8080), container('proxy', 15001)],
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    serviceAccountName: app,
    serviceAccount: app,
    nodeName: `node-${index % 200}`,
    securityContext: {},
    schedulerName: 'default-scheduler',
    tolerations: [
      { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
      { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
    ],
    priority: 0,
    enableServiceLinks: true,
    preemptionPolicy: 'PreemptLowerPriority',
  };
}

function status(address: string, index: number, since: string): object {
  const condition = (type: string): object => ({
    type,
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: since,
  });
  return {
    phase: 'Running',
    conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map(condition),
    hostIP: `192.168.${index % 200}.1`,
    podIP: address,
    podIPs: [{ ip: address }],
    startTime: since,
    containerStatuses: ['web', 'proxy'].map(name => ({
      name,
      state: { running: { startedAt: since } },
      lastState: {},
      ready: true,
      restartCount: 0,
      image: `registry.example.com/shop/${name}:v1.2.${index % 7}`,
      imageID: `registry.example.com/shop/${name}@sha256:${'0123456789abcdef'.repeat(4)}`,
      containerID: `containerd://${index.toString(16).padStart(64, '0')}`,
      started: true,
    })),
    qosClass: 'Burstable',
  };
}

function managedFields(time: string): object[] {
  const leaf = {};
  const container = {
    '.': leaf,
    'f:env': { '.': leaf },
    'f:image': leaf,
    'f:imagePullPolicy': leaf,
    'f:livenessProbe': { '.': leaf, 'f:httpGet': { '.': leaf, 'f:path': leaf, 'f:port': leaf } },
    'f:name': leaf,
    'f:ports': { '.': leaf },
    'f:resources': { '.': leaf, 'f:limits': leaf, 'f:requests': leaf },
    'f:volumeMounts': { '.': leaf },
  };
  const condition = {
    '.': leaf,
    'f:lastProbeTime': leaf,
    'f:lastTransitionTime': leaf,
    'f:status': leaf,
    'f:type': leaf,
  };
  return [
    {
      manager: 'kube-controller-manager',
      operation: 'Update',
      apiVersion: 'v1',
      time,
      fieldsType: 'FieldsV1',
      fieldsV1: {
        'f:metadata': {
          'f:annotations': { '.': leaf, 'f:prometheus.io/scrape': leaf },
          'f:generateName': leaf,
          'f:labels': { '.': leaf, 'f:app': leaf },
          'f:ownerReferences': { '.': leaf },
        },
        'f:spec': {
          'f:containers': { 'k:{"name":"web"}': container, 'k:{"name":"proxy"}': container },
          'f:dnsPolicy': leaf,
          'f:restartPolicy': leaf,
          'f:volumes': { '.': leaf },
        },
      },
    },
    {
      manager: 'kubelet',
      operation: 'Update',
      apiVersion: 'v1',
      time,
      fieldsType: 'FieldsV1',
      fieldsV1: {
        'f:status': {
          'f:conditions': {
            'k:{"type":"Ready"}': condition,
            'k:{"type":"Initialized"}': condition,
          },
          'f:containerStatuses': leaf,
          'f:hostIP': leaf,
          'f:phase': leaf,
          'f:podIP': leaf,
          'f:startTime': leaf,
        },
      },
      subresource: 'status',
    },
  ];
}
