/** From the vault to the pods: each link of the management cluster broken on its own, told by exactly its check, and mended by what that says to do. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { openKubernetes } from "../../src/kubernetes/api-server.js";
import { readKubeconfig } from "../../src/kubernetes/kubeconfig.js";
import type { IdentityChain } from "../../src/verify/identities/chain.js";
import { verifiedFlow } from "../../src/verify/identities/flow.js";
import type { Kubeconfig } from "../harness/kubernetes.js";
import { commandsIn, findings, healthyWorld, rowOf } from "./healthy-world.js";
import { hostedCluster, managementCluster, namespace } from "./management-cluster.js";

const clusterChecks = ["management-cluster", "operator-environment", "secret-provider-class"];

/** Nothing of Azure, where only the management cluster is looked at. */
const none = { infra: undefined, issuerUrl: undefined, signingKeyPath: undefined } as const;

test("SecretProviderClasses are compared with what HyperShift would make, and mended by rendering them", async () => {
  const world = await healthyWorld();
  const cluster = await managementCluster(world);
  const { server } = cluster;
  const healthy = await cluster.verify();
  expect(findings(healthy)).toEqual([]);
  expect(healthy.filter(({ check, state }) => check === "secret-provider-class" && state === "passed")).toHaveLength(9);
  const kubernetes = openKubernetes(await readKubeconfig(server.kubeconfig), new AbortController().signal);
  const { found } = verifiedFlow(await world.chain({ managementCluster: { kubernetes, hostedCluster } }), healthy);
  const drawn = [...found.values()].flat();
  expect(healthy.filter((result) => !drawn.includes(result))).toEqual([]);

  server.remove("SecretProviderClass", namespace, "managed-azure-cpo");
  const disk = server.get("SecretProviderClass", namespace, "managed-azure-disk-csi");
  const { parameters } = disk?.["spec"] as { parameters: Record<string, string> };
  parameters["cloudName"] = "AzureUSGovernmentCloud";
  parameters["keyvaultName"] = "another";
  const results = await cluster.verify();
  expect(findings(results)).toEqual(["secret-provider-class/cpo failed", "secret-provider-class/disk failed"]);
  expect(rowOf(results, "secret-provider-class", "disk").evidence).toContain(
    `keyvaultName is "another", not "${world.vault}"; cloudName is "AzureUSGovernmentCloud", not absent`,
  );
  const [command = ""] = commandsIn(rowOf(results, "secret-provider-class", "cpo"));
  await cluster.follow(command);
  expect(findings(await cluster.verify())).toEqual([]);
  expect(server.requests.filter((line) => !line.startsWith("GET ") || /\/secrets(?:$|[/?])/.test(line))).toEqual([]);
});

test("what cannot be asked of the management cluster is told, by name and with what to do", async () => {
  const world = await healthyWorld();
  const cluster = await managementCluster(world);
  const { server } = cluster;
  const told = async (changes?: Partial<IdentityChain>) => {
    const results = await cluster.verify({ ...none, ...changes });
    const behind = rowOf(results, "secret-provider-class", "cpo");
    return { failed: findings(results), gate: rowOf(results, "management-cluster", "management cluster"), behind };
  };
  const using = async (kubeconfig: string, signal = new AbortController().signal): Promise<Partial<IdentityChain>> => ({
    managementCluster: { kubernetes: openKubernetes(await readKubeconfig(kubeconfig), signal), hostedCluster },
  });

  const without = await world.verify({ ...none, managementCluster: undefined });
  const skipped = without.filter(({ subject, state }) => subject === "management cluster" && state === "skipped");
  expect(skipped.map(({ check, evidence }) => [check, evidence])).toEqual(
    clusterChecks.map((check) => [check, "no --kubeconfig is given"]),
  );

  const stranger = await told(await using(await server.writeKubeconfig(({ users }) => (users[0]!.user = { token: "stale" }))));
  expect(stranger.failed).toEqual(["management-cluster/management cluster failed"]);
  expect(stranger.gate).toMatchObject({ evidence: expect.stringMatching(/^ARO-KUBE-002: .*\(401\)$/) as string });
  expect(stranger.gate.next).toContain("kubelogin");
  expect(stranger.behind).toMatchObject({ state: "skipped", evidence: "management-cluster of management cluster does not hold" });

  const gone = await told(
    await using(await server.writeKubeconfig(({ clusters }) => (clusters[0]!.cluster["server"] = "https://127.0.0.1:1"))),
  );
  expect(gone.gate.evidence).toMatch(/^ARO-KUBE-001: https:\/\/127.0.0.1:1 did not answer.*ECONNREFUSED/);

  const untrusted = await server.writeKubeconfig(({ clusters }) => delete clusters[0]!.cluster["certificate-authority-data"]);
  expect((await told(await using(untrusted))).gate.evidence).toMatch(/^ARO-KUBE-001: .*certificate/);

  const plugin = (command: string, ...args: string[]) =>
    server.writeKubeconfig(({ users }) => {
      users[0]!.user = { exec: { apiVersion: "client.authentication.k8s.io/v1", command, args } };
    });
  expect((await told(await using(await plugin("kubelogin-that-is-not-there")))).gate.evidence).toMatch(/^ARO-KUBE-002: .*ENOENT/);
  const failing = await told(await using(await plugin(process.execPath, "-e", "console.error('first, az login'); process.exitCode = 1")));
  expect(failing.gate.evidence).toBe("ARO-KUBE-002: the kubeconfig gives no way to sign in; first, az login");
  const { users } = JSON.parse(await readFile(server.kubeconfig, "utf8")) as Kubeconfig;
  const credential = { apiVersion: "client.authentication.k8s.io/v1", kind: "ExecCredential", status: users[0]?.user };
  const signedIn = await told(await using(await plugin(process.execPath, "-e", `console.log('${JSON.stringify(credential)}')`)));
  expect(signedIn.failed).toEqual([]);

  server.forbidden.add("list nodes");
  const refused = await told();
  expect(refused.gate.evidence).toMatch(/^ARO-KUBE-003: .* to list nodes \(403\); nodes is forbidden: User "admin" cannot list/);
  expect(refused.gate.next).toContain("docs/verify.md");
  server.forbidden.clear();

  server.remove("Namespace", undefined, namespace);
  const early = await told();
  expect(early.failed).toEqual([]);
  expect(early.behind).toMatchObject({
    state: "skipped",
    evidence: expect.stringContaining("there is no namespace clusters-demo yet") as string,
  });
});
