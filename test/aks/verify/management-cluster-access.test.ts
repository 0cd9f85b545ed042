/** Management clusters that cannot be read: each reason is reported by one check, with advice. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { openKubernetes } from "../../../src/kubernetes/api-server.js";
import { readKubeconfig } from "../../../src/kubernetes/kubeconfig.js";
import type { Kubeconfig, KubernetesServer } from "../../harness/kubernetes.js";
import { ownSurroundings } from "../../harness/surroundings.js";
import { findings, healthyState, rowOf } from "../../verify/healthy-state.js";
import { clusterChecks, hostedCluster, managementCluster, namespace, type ManagementCluster } from "./management-cluster.js";

const subject = "management cluster";

/** Verifies with a kubeconfig, which reads the API server with its own credentials. */
async function outcome({ verify }: ManagementCluster, kubeconfig: string) {
  const kubernetes = openKubernetes(await readKubeconfig(kubeconfig, ownSurroundings), new AbortController().signal);
  const results = await verify({ managementCluster: { kubernetes, hostedCluster } });
  const dependent = rowOf(results, "secret-provider-class", "cpo");
  return { failed: findings(results), result: rowOf(results, "management-cluster", subject), dependent };
}

/** Writes a kubeconfig with a sign-in plugin. */
const withPlugin =
  (command: string, ...args: string[]) =>
  (server: KubernetesServer) =>
    server.writeKubeconfig(({ users }) => {
      users[0]!.user = { exec: { apiVersion: "client.authentication.k8s.io/v1", command, args } };
    });

const reasons: readonly (readonly [
  reason: string,
  prepare: (server: KubernetesServer) => Promise<string>,
  evidence: RegExp,
  next: RegExp,
])[] = [
  [
    "a rejected token",
    (server) => server.writeKubeconfig(({ users }) => (users[0]!.user = { token: "stale" })),
    /^ARO-KUBE-002: .*\(401\)$/,
    /kubelogin/,
  ],
  [
    "a server that does not respond",
    (server) => server.writeKubeconfig(({ clusters }) => (clusters[0]!.cluster["server"] = "https://127.0.0.1:1")),
    /^ARO-KUBE-001: https:\/\/127.0.0.1:1 did not respond.*ECONNREFUSED/,
    /./,
  ],
  [
    "an untrusted certificate",
    (server) => server.writeKubeconfig(({ clusters }) => delete clusters[0]!.cluster["certificate-authority-data"]),
    /^ARO-KUBE-001: .*certificate/,
    /./,
  ],
  ["a missing sign-in plugin", withPlugin("kubelogin-that-does-not-exist"), /^ARO-KUBE-002: .*ENOENT/, /./],
  [
    "a sign-in plugin that fails",
    withPlugin(process.execPath, "-e", "console.error('first, az login'); process.exitCode = 1"),
    /^ARO-KUBE-002: the credentials of the kubeconfig cannot be used; first, az login$/,
    /./,
  ],
  [
    "missing permissions",
    (server) => {
      server.forbidden.add("list nodes");
      return Promise.resolve(server.kubeconfig);
    },
    /^ARO-KUBE-003: .* to list nodes \(403\); nodes is forbidden: User "admin" cannot list/,
    /docs\/verify\.md/,
  ],
];

test.each(reasons)("management-cluster reports %s", async (_reason, prepare, evidence, next) => {
  const cluster = await managementCluster();
  const { failed, result, dependent } = await outcome(cluster, await prepare(cluster.server));
  expect(failed).toEqual([`management-cluster/${subject} failed`]);
  expect(result.evidence).toMatch(evidence);
  expect(result.next).toMatch(next);
  expect(dependent).toMatchObject({ state: "skipped", evidence: `depends on management-cluster of ${subject}, which failed` });
});

test("a kubeconfig with a sign-in plugin is supported", async () => {
  const cluster = await managementCluster();
  const { users } = JSON.parse(await readFile(cluster.server.kubeconfig, "utf8")) as Kubeconfig;
  const credential = { apiVersion: "client.authentication.k8s.io/v1", kind: "ExecCredential", status: users[0]?.user };
  const plugin = withPlugin(process.execPath, "-e", `console.log('${JSON.stringify(credential)}')`);
  expect((await outcome(cluster, await plugin(cluster.server))).failed).toEqual([]);
});

test("a namespace that does not exist yet is no failure", async () => {
  const cluster = await managementCluster();
  cluster.server.remove("Namespace", undefined, namespace);
  const { failed, dependent } = await outcome(cluster, cluster.server.kubeconfig);
  expect(failed).toEqual([]);
  expect(dependent).toMatchObject({
    state: "skipped",
    evidence: expect.stringContaining("namespace clusters-demo does not exist yet") as string,
  });
});

test("without --kubeconfig, the checks of the management cluster are skipped", async () => {
  const state = await healthyState();
  const results = await state.verify({ managementCluster: undefined }, { subjects: [subject] });
  const skipped = results.filter((result) => result.subject === subject && result.state === "skipped");
  expect(skipped.map(({ check, evidence }) => [check, evidence])).toEqual(
    clusterChecks.map((check) => [check, "--kubeconfig is not specified"]),
  );
});

test("--kubeconfig verifies the cluster that infra.json names, and refuses a kubeconfig that skips TLS verification", async () => {
  const { state, server } = await managementCluster();
  const run = (kubeconfig: string) =>
    state.run("verify", "identities", "--input-dir", state.files, "--kubeconfig", kubeconfig, "--only", "secret-provider-class,pods-start");
  expect(await run(server.kubeconfig)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ok {3}cpo +2 ok$/m) as string });
  const insecure = await run(await server.writeKubeconfig(({ clusters }) => (clusters[0]!.cluster["insecure-skip-tls-verify"] = true)));
  expect(insecure).toMatchObject({ code: 2, stderr: expect.stringContaining("insecure-skip-tls-verify for cluster mgmt") as string });
});
