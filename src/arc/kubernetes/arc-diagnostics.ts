/** The Job that checks from inside a cluster whether the agents can reach Azure. */
import type { V1Job, V1Pod } from "@kubernetes/client-node";
import type { Unreachable } from "../domain/cluster-access.js";
import { agents } from "../domain/names.js";

export const diagnosticsJob = "aro-hcp-arc-diagnostics";

/** Every OpenShift cluster has it in its own registry, so that pulling it needs no outbound reach. It has getent and curl. */
const image = "image-registry.openshift-image-registry.svc:5000/openshift/cli:latest";

/** One line for each host that fails. Behind a proxy, the proxy resolves names. */
const script = `
for host in $HOSTS; do
  if [ -z "$HTTPS_PROXY" ] && ! getent hosts "$host" > /dev/null; then echo "name $host"
  elif ! curl --silent --output /dev/null --max-time 15 "https://$host"; then echo "connection $host"
  fi
done > /dev/termination-log
`;

export function jobOf(hosts: readonly string[], proxy: Readonly<Record<string, string>>): V1Job {
  const env = Object.entries({ ...proxy, HOSTS: hosts.join(" ") }).map(([name, value]) => ({ name, value }));
  const labels = { "app.kubernetes.io/managed-by": "aro-hcp" };
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name: diagnosticsJob, namespace: agents.releaseNamespace, labels },
    spec: {
      backoffLimit: 0,
      activeDeadlineSeconds: 300,
      template: {
        metadata: { labels },
        spec: {
          restartPolicy: "Never",
          automountServiceAccountToken: false,
          containers: [
            { name: "check", image, command: ["/bin/sh", "-c", script], env, resources: { requests: { cpu: "10m", memory: "32Mi" } } },
          ],
        },
      },
    },
  };
}

/** What the pod found; undefined while it runs. */
export function resultOf(pod: V1Pod): { readonly message: string } | undefined {
  const ended = pod.status?.containerStatuses?.[0]?.state?.terminated;
  return ended && { message: ended.message ?? "" };
}

export function unreachableIn(message: string): Unreachable[] {
  return message.split("\n").flatMap((line) => {
    const [, reason, host] = /^(name|connection) ([\w.-]+)$/.exec(line.trim()) ?? [];
    return reason === undefined || host === undefined ? [] : [{ host, reason: reason as Unreachable["reason"] }];
  });
}
