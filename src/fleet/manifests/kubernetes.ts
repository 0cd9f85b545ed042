/** A fleet as Kubernetes Jobs: one for what is shared, an Indexed Job of shards, and a CronJob that verifies. */
import { commandLine, mounts, type FleetJobs } from "./fleet-jobs.js";

const place = { fleetFile: `${mounts.fleet}/fleet.yaml`, outputDir: mounts.output };

/** Bad input, a refusal, a missing sign-in and a bug fail again: https://github.com/openshift/aro-hcp/blob/main/docs/errors.md. */
const hopeless = [2, 4, 5, 10, 70];

/** The account, the volume and the file; applied first. */
export function sharedManifests(jobs: FleetJobs): readonly object[] {
  const { name, fleet, shared } = jobs;
  return [
    {
      ...{ apiVersion: "v1", kind: "ServiceAccount" },
      metadata: { name, annotations: { "azure.workload.identity/client-id": "00000000-0000-0000-0000-000000000000" } },
    },
    { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { "fleet.yaml": fleet } },
    {
      ...{ apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { name } },
      // Each member has a folder of its own, and shards read those of the sets.
      spec: { accessModes: ["ReadWriteMany"], resources: { requests: { storage: "1Gi" } } },
    },
    ...(shared.length === 0
      ? []
      : [
          {
            ...{ apiVersion: "batch/v1", kind: "Job", metadata: { name: `${name}-shared` } },
            spec: {
              ...{ backoffLimit: 3, podReplacementPolicy: "Failed" },
              podFailurePolicy: failurePolicy("FailJob"),
              template: pod(jobs, commandLine("create", place, ["--run-id", jobs.runId, ...shared])),
            },
          },
        ]),
  ];
}

/** Applied when the Job of what is shared is complete. An index may start twice: what it creates has the same names both times. */
export function clusterManifests(jobs: FleetJobs): readonly object[] {
  const { name, shards, runId } = jobs;
  // Kubernetes counts indexes from 0, shards count from 1.
  const shard = `--shard "$((JOB_COMPLETION_INDEX + 1))/${String(shards)}"`;
  return [
    {
      ...{ apiVersion: "batch/v1", kind: "Job", metadata: { name: `${name}-clusters` } },
      spec: {
        ...{ completionMode: "Indexed", completions: shards, parallelism: shards },
        // One bad index stops no other.
        ...{ backoffLimitPerIndex: 3, podReplacementPolicy: "Failed" },
        podFailurePolicy: failurePolicy("FailIndex"),
        template: pod(jobs, commandLine("create", place, ["--run-id", runId, shard])),
      },
    },
  ];
}

/** Reports each night what does not work any more. */
export function verifyManifests(jobs: FleetJobs): readonly object[] {
  const { name } = jobs;
  return [
    {
      ...{ apiVersion: "batch/v1", kind: "CronJob", metadata: { name: `${name}-verify` } },
      spec: {
        ...{ schedule: "17 3 * * *", timeZone: "Etc/UTC", concurrencyPolicy: "Forbid", startingDeadlineSeconds: 3600 },
        jobTemplate: { spec: { backoffLimit: 0, template: pod(jobs, commandLine("verify", place, [])) } },
      },
    },
  ];
}

function failurePolicy(action: "FailJob" | "FailIndex") {
  return {
    rules: [
      // A node that is drained is no failure of the program.
      { action: "Ignore", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] },
      { action, onExitCodes: { operator: "In", values: hopeless } },
    ],
  };
}

function pod({ name, image }: FleetJobs, command: string) {
  return {
    metadata: { labels: { "azure.workload.identity/use": "true" } },
    spec: {
      ...{ serviceAccountName: name, restartPolicy: "Never", terminationGracePeriodSeconds: 120 },
      securityContext: { runAsNonRoot: true, fsGroup: 1000, seccompProfile: { type: "RuntimeDefault" } },
      containers: [
        {
          ...{ name: "aro-hcp", image, command: ["sh", "-c", `exec ${command}`], workingDir: mounts.output },
          envFrom: [{ secretRef: { name: `${name}-environment`, optional: true } }],
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
          volumeMounts: [
            { name: "fleet", mountPath: mounts.fleet, readOnly: true },
            { name: "output", mountPath: mounts.output },
          ],
        },
      ],
      volumes: [
        { name: "fleet", configMap: { name } },
        { name: "output", persistentVolumeClaim: { claimName: name } },
      ],
    },
  };
}

/** For `kubectl apply -k`: with a queue of Kueue, the Jobs start when it admits them. */
export function kustomization(files: readonly string[]): object {
  return { apiVersion: "kustomize.config.k8s.io/v1beta1", kind: "Kustomization", resources: files };
}
