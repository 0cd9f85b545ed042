/** From the vault to the pods: exactly one check reports each fault of the management cluster, and its advice fixes the fault. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { openState } from "../../src/emulator/open.js";
import { cryptoUser, secretsUser } from "../../src/domain/roles.js";
import { openKubernetes } from "../../src/kubernetes/api-server.js";
import { readKubeconfig } from "../../src/kubernetes/kubeconfig.js";
import type { RenderedResult as Result } from "../../src/cli/run/verification.js";
import type { IdentityChain } from "../../src/verify/identities/chain.js";
import { verifiedFlow } from "../../src/verify/identities/flow.js";
import { recording } from "../emulator/local-server.js";
import type { Kubeconfig, KubernetesObject } from "../harness/kubernetes.js";
import { commandsIn, findings, healthyState, rowOf, type HealthyState } from "./healthy-state.js";
import { hostedCluster, managementCluster, namespace, volumeName, type ManagementCluster } from "./management-cluster.js";

type AzureState = Parameters<Parameters<ReturnType<typeof openState>["transact"]>[0]>[0];

const clusterChecks = [
  "management-cluster",
  "vault-addon",
  "vault-addon-rotation",
  "vault-addon-role",
  "vault-addon-nodes",
  "operator-environment",
  "secret-provider-class",
  "secret-mounted",
  "pods-start",
];

/** Omits the Azure inputs, to verify only the management cluster. */
const none = { infra: undefined, issuerUrl: undefined, signingKeyPath: undefined } as const;

const subject = "management cluster";
const failed = (results: readonly Result[]) => findings(results).map((line) => line.replace(/ (?:failed|warning)$/, ""));

/** Follows the advice of these rows in order. */
async function followAll(cluster: ManagementCluster, results: readonly Result[], rows: readonly string[]): Promise<void> {
  for (const row of rows) {
    const [check = "", about = ""] = row.split("/");
    const commands = commandsIn(rowOf(results, check, about));
    expect(commands).not.toEqual([]);
    for (const command of commands.filter((one) => !one.startsWith("hypershift install"))) await cluster.follow(command);
  }
}

async function change(state: HealthyState, alter: (state: AzureState) => void): Promise<void> {
  await openState(state.directory).transact((stored) => {
    alter(stored);
    return { value: undefined, commit: true };
  });
}

test("exactly one check reports each fault of the management cluster, and its advice fixes the fault", async () => {
  const state = await healthyState(recording());
  const cluster = await managementCluster(state);
  const { server } = cluster;
  const healthy = await cluster.verify();
  expect(findings(healthy)).toEqual([]);
  const passed = healthy.filter(({ check, state }) => clusterChecks.includes(check) && state === "passed");
  // Three checks apply to each of nine components.
  expect(passed).toHaveLength(clusterChecks.length + 3 * 8);
  const kubernetes = openKubernetes(await readKubeconfig(server.kubeconfig), new AbortController().signal);
  const { found } = verifiedFlow(await state.chain({ managementCluster: { kubernetes, hostedCluster } }), healthy);
  const shown = [...found.values()].flat();
  expect(healthy.filter((result) => !shown.includes(result))).toEqual([]);

  await cluster.setAddOn(true, { enableSecretRotation: "false" });
  await change(state, ({ roleAssignments, resources }) => {
    const reader = Object.values(resources).find(({ name }) => name === "azurekeyvaultsecretsprovider-demo-mgmt");
    const assignment = Object.values(roleAssignments).find(({ principalId }) => principalId === reader?.properties["principalId"]);
    if (assignment) assignment.roleDefinitionId = assignment.roleDefinitionId.replace(secretsUser.id, cryptoUser.id);
    const scaleSet = Object.values(resources).find(({ name }) => name.startsWith("aks-user-"));
    const { userAssignedIdentities } = scaleSet?.beside?.["identity"] as { userAssignedIdentities: Record<string, unknown> };
    Reflect.deleteProperty(userAssignedIdentities, reader?.id ?? "");
  });
  await cluster.follow("kubectl set env deployment/operator --namespace hypershift MANAGED_SERVICE=");
  const links = ["operator-environment", "vault-addon-nodes", "vault-addon-role", "vault-addon-rotation"].map((id) => `${id}/${subject}`);
  const results = await cluster.verify();
  expect(failed(results)).toEqual(links);
  const evidence = (check: string, about = subject) => rowOf(results, check, about).evidence;
  expect(rowOf(results, "vault-addon-rotation", subject).state).toBe("warning");
  expect(evidence("vault-addon-role")).toMatch(/has only Key Vault Crypto User on the vault: mounts fail with 403 ForbiddenByRbac/);
  expect(evidence("vault-addon-nodes")).toMatch(
    /^aks-user-\d{8}-vmss: identity azurekeyvaultsecretsprovider-demo-mgmt is not assigned, so mounts there fail/,
  );
  expect(evidence("operator-environment")).toBe('MANAGED_SERVICE is not set, not "ARO-HCP"');
  expect(evidence("secret-provider-class", "cpo")).toBe(`depends on operator-environment of ${subject}, which failed`);
  expect(evidence("pods-start", "cpo")).toBe(`depends on vault-addon-role of ${subject}, which failed`);
  await followAll(cluster, results, links);
  expect(findings(await cluster.verify())).toEqual([]);

  // Disabling the add-on deletes its identity; enabling it creates another, so the checks fail one after the other.
  await cluster.setAddOn(false);
  const off = await cluster.verify();
  expect(failed(off)).toEqual([`vault-addon/${subject}`]);
  await followAll(cluster, off, failed(off));
  await cluster.setAddOn(true, { enableSecretRotation: "true", rotationPollInterval: "20h" });
  const enabled = await cluster.verify();
  expect(failed(enabled)).toEqual(["operator-environment", "vault-addon-role", "vault-addon-rotation"].map((id) => `${id}/${subject}`));
  expect(rowOf(enabled, "vault-addon-role", subject).evidence).toContain("has no role on the vault");
  expect(rowOf(enabled, "vault-addon-rotation", subject).evidence).toMatch(
    /^it polls for new versions every 1200 minutes: with the 6 hours/,
  );
  await followAll(cluster, enabled, failed(enabled));
  const classes = await cluster.verify();
  expect(new Set(failed(classes).map((row) => row.split("/")[0]))).toEqual(new Set(["secret-provider-class"]));
  await followAll(cluster, classes, failed(classes).slice(0, 1));
  expect(findings(await cluster.verify())).toEqual([]);

  server.unknown.add("secretproviderclasses").add("secretproviderclasspodstatuses");
  const unknown = await cluster.verify(none);
  expect(new Set(failed(unknown).map((row) => row.split("/")[0]))).toEqual(new Set(["secret-provider-class"]));
  expect(rowOf(unknown, "secret-provider-class", "cpo").evidence).toMatch(/^the API server has no SecretProviderClass resource/);
  await followAll(cluster, unknown, ["secret-provider-class/cpo"]);
  server.unknown.clear();
  // The add-on is enabled again and rotates secrets, but with another identity.
  expect(failed(await cluster.verify(none))).toEqual(["operator-environment", "vault-addon-role"].map((id) => `${id}/${subject}`));
  expect(server.requests.filter((line) => !line.startsWith("GET ") || /\/secrets(?:$|[/?])/.test(line))).toEqual([]);
});

test("exactly one check reports each fault of a component's mounts, and its advice fixes the fault", async () => {
  const state = await healthyState();
  const cluster = await managementCluster(state);
  const { server } = cluster;
  const edit = (kind: string, name: string, alter: (object: KubernetesObject) => void) => {
    const object = structuredClone(server.get(kind, namespace, name));
    if (object === undefined) throw new Error(`${kind} ${name} does not exist`);
    alter(object);
    server.put(object);
  };
  const mountOf = (pod: string, name: string) => `${pod}-1-${namespace}-${name}`;

  server.remove("SecretProviderClass", namespace, "managed-azure-cpo");
  edit("SecretProviderClass", "managed-azure-disk-csi", ({ spec }) => {
    const { parameters } = spec as { parameters: Record<string, string> };
    Object.assign(parameters, { keyvaultName: "another", cloudName: "AzureUSGovernmentCloud" });
  });
  edit("SecretProviderClassPodStatus", mountOf("azure-file-csi-driver-controller", "managed-azure-file-csi"), ({ status }) => {
    (status as { objects: { version: string }[] }).objects[0]!.version = "0123456789abcdef0123456789abcdef";
  });
  edit("SecretProviderClassPodStatus", mountOf("ingress-operator", "managed-azure-ingress"), ({ status }) => {
    (status as { mounted: boolean }).mounted = false;
  });
  const driverMissing = `MountVolume.SetUp failed for volume "${volumeName("managed-azure-network")}" : driver name secrets-store.csi.k8s.io not found`;
  const stick = (name: string, message: string) => {
    edit("Pod", name, (pod) => {
      pod["status"] = { phase: "Pending", containerStatuses: [{ name: "main", state: { waiting: { reason: "ContainerCreating" } } }] };
    });
    server.put({
      apiVersion: "v1",
      kind: "Event",
      metadata: { namespace, name: `${name}.1` },
      involvedObject: { kind: "Pod", namespace, name },
      reason: "FailedMount",
      message,
      lastTimestamp: new Date().toISOString(),
    });
  };
  stick("cloud-network-config-controller-1", driverMissing);
  const rows = [
    "pods-start/network",
    "secret-mounted/file",
    "secret-mounted/ingress",
    "secret-provider-class/cpo",
    "secret-provider-class/disk",
  ];
  // By then the secrets are older than the add-on's poll interval.
  const later = { now: () => new Date(Date.now() + 3_600_000) };
  const results = await cluster.verify(later);
  expect(failed(results)).toEqual(rows);
  expect(rowOf(results, "secret-provider-class", "disk").evidence).toContain(
    `keyvaultName is "another", not "${state.vault}"; cloudName is "AzureUSGovernmentCloud", not absent`,
  );
  expect(rowOf(results, "secret-mounted", "file").evidence).toMatch(/^azure-file-csi-driver-controller-1 has version 0123456789abcdef/);
  expect(rowOf(results, "pods-start", "network").evidence).toContain(driverMissing);
  // A secret that was just written may not have been polled yet.
  const { secrets } = await state.azure.vaultContent(state.vault);
  const { createdOn } = (await secrets.getSecret("demo-file")).properties;
  const early = await cluster.verify({ now: () => new Date((createdOn?.getTime() ?? 0) + 30_000) });
  expect(rowOf(early, "secret-mounted", "file")).toMatchObject({
    state: "skipped",
    evidence: expect.stringContaining("the add-on polls every 2 min") as string,
  });
  await followAll(cluster, results, rows);
  expect(findings(await cluster.verify(later))).toEqual([]);

  // The checks that depend on a missing secret do not report it again.
  await secrets.updateSecretProperties("demo-network", "", { enabled: false });
  stick("cloud-network-config-controller-2", "SecretDisabled");
  expect(failed(await cluster.verify(later))).toEqual(["secret-exists/network"]);
});

test("requests that the management cluster refuses are reported with the reason and advice", async () => {
  const state = await healthyState();
  const cluster = await managementCluster(state);
  const { server } = cluster;
  const outcome = async (changes?: Partial<IdentityChain>) => {
    const results = await cluster.verify({ ...none, ...changes });
    const behind = rowOf(results, "secret-provider-class", "cpo");
    return { failed: findings(results), gate: rowOf(results, "management-cluster", subject), behind };
  };
  const using = async (kubeconfig: string, signal = new AbortController().signal): Promise<Partial<IdentityChain>> => ({
    managementCluster: { kubernetes: openKubernetes(await readKubeconfig(kubeconfig), signal), hostedCluster },
  });

  // From the command line: the cluster's name comes from infra.json.
  const run = async (kubeconfig: string) =>
    state.run("verify", "identities", "--input-dir", state.files, "--kubeconfig", kubeconfig, "--only", "secret-provider-class,pods-start");
  expect(await run(server.kubeconfig)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ok {3}cpo +2 ok$/m) as string });
  const insecure = await run(await server.writeKubeconfig(({ clusters }) => (clusters[0]!.cluster["insecure-skip-tls-verify"] = true)));
  expect(insecure).toMatchObject({ code: 2, stderr: expect.stringContaining("insecure-skip-tls-verify for cluster mgmt") as string });

  const without = await state.verify({ ...none, managementCluster: undefined });
  const skipped = without.filter(({ subject, state }) => subject === "management cluster" && state === "skipped");
  expect(skipped.map(({ check, evidence }) => [check, evidence])).toEqual(
    clusterChecks.map((check) => [check, "--kubeconfig is not specified"]),
  );

  const unowned = await outcome(await using(await server.writeKubeconfig(({ users }) => (users[0]!.user = { token: "stale" }))));
  expect(unowned.failed).toEqual(["management-cluster/management cluster failed"]);
  expect(unowned.gate).toMatchObject({ evidence: expect.stringMatching(/^ARO-KUBE-002: .*\(401\)$/) as string });
  expect(unowned.gate.next).toContain("kubelogin");
  expect(unowned.behind).toMatchObject({ state: "skipped", evidence: "depends on management-cluster of management cluster, which failed" });

  const gone = await outcome(
    await using(await server.writeKubeconfig(({ clusters }) => (clusters[0]!.cluster["server"] = "https://127.0.0.1:1"))),
  );
  expect(gone.gate.evidence).toMatch(/^ARO-KUBE-001: https:\/\/127.0.0.1:1 did not respond.*ECONNREFUSED/);

  const untrusted = await server.writeKubeconfig(({ clusters }) => delete clusters[0]!.cluster["certificate-authority-data"]);
  expect((await outcome(await using(untrusted))).gate.evidence).toMatch(/^ARO-KUBE-001: .*certificate/);

  const plugin = (command: string, ...args: string[]) =>
    server.writeKubeconfig(({ users }) => {
      users[0]!.user = { exec: { apiVersion: "client.authentication.k8s.io/v1", command, args } };
    });
  expect((await outcome(await using(await plugin("kubelogin-that-is-not-there")))).gate.evidence).toMatch(/^ARO-KUBE-002: .*ENOENT/);
  const failing = await outcome(
    await using(await plugin(process.execPath, "-e", "console.error('first, az login'); process.exitCode = 1")),
  );
  expect(failing.gate.evidence).toBe("ARO-KUBE-002: the credentials of the kubeconfig cannot be used; first, az login");
  const { users } = JSON.parse(await readFile(server.kubeconfig, "utf8")) as Kubeconfig;
  const credential = { apiVersion: "client.authentication.k8s.io/v1", kind: "ExecCredential", status: users[0]?.user };
  const signedIn = await outcome(await using(await plugin(process.execPath, "-e", `console.log('${JSON.stringify(credential)}')`)));
  expect(signedIn.failed).toEqual([]);

  server.forbidden.add("list nodes");
  const refused = await outcome();
  expect(refused.gate.evidence).toMatch(/^ARO-KUBE-003: .* to list nodes \(403\); nodes is forbidden: User "admin" cannot list/);
  expect(refused.gate.next).toContain("docs/verify.md");
  server.forbidden.clear();

  server.remove("Namespace", undefined, namespace);
  const early = await outcome();
  expect(early.failed).toEqual([]);
  expect(early.behind).toMatchObject({
    state: "skipped",
    evidence: expect.stringContaining("namespace clusters-demo does not exist yet") as string,
  });
});
