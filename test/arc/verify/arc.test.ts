/** For every check of a connected cluster in Azure: a fault makes only this check fail, and it passes after its advice is followed. */
import { expect, test } from "vitest";
import { secretsUser } from "../../../src/domain/roles.js";
import { arcChecks, arcInClusterChecks } from "../../../src/arc/verify/checks.js";
import { arcClusterId, arcExtensionId, registerProviders, startAgents, stopAgents } from "../cli/connected-clusters.js";
import { exits } from "../../cli/expectations.js";
import { changeResource, changeState, deleteResources, resource, setProperties } from "../../harness/state-changes.js";
import { checkLines } from "../../verify/advice.js";
import { arcState, arcVault, demo, type ArcState } from "./arc-state.js";
import { commandsIn, findings, rowOf } from "../../verify/healthy-state.js";

const cluster = "connected cluster demo";
const provider = "cluster extension akvsecretsprovider";
const vault = `${arcClusterId.split("/providers/")[0] ?? ""}/providers/Microsoft.KeyVault/vaults/${arcVault}`;
const days = 24 * 3_600_000;

interface Row {
  readonly check: string;
  readonly subject: string;
  readonly state?: "warning";
  readonly evidence: RegExp;
  readonly next: RegExp;
  readonly breaks: (state: ArcState) => Promise<unknown>;
  /** "line": the first command line of aro-hcp in the advice; a function does what the advice says in words. */
  readonly fix: "line" | ((state: ArcState) => Promise<unknown>);
}

const setAgents = (changes: object) => (state: ArcState) =>
  changeResource(state, arcClusterId, (stored) => {
    stored.properties["agents"] = { ...(stored.properties["agents"] as object), ...changes };
  });
const taken = 'CSIDriver "secrets-store.csi.k8s.io" exists and cannot be imported into the current release';

const rows: readonly Row[] = [
  {
    ...{ check: "arc-providers", subject: "resource providers", evidence: /^Microsoft\.Kubernetes is NotRegistered$/ },
    ...{ next: /`az provider register --namespace Microsoft\.Kubernetes`/, fix: (state) => registerProviders(state, registered) },
    breaks: (state) => registerProviders(state, { "Microsoft.Kubernetes": "NotRegistered" }),
  },
  {
    ...{ check: "arc-exists", subject: cluster, evidence: /^its last operation failed$/, next: /create arc/, fix: "line" },
    breaks: (state) => setProperties(state, arcClusterId, { provisioningState: "Failed" }),
  },
  {
    ...{ check: "arc-identity", subject: cluster, evidence: /^its identity is None$/, next: /create arc/, fix: "line" },
    breaks: (state) => changeResource(state, arcClusterId, (stored) => (stored.beside = { ...stored.beside, identity: { type: "None" } })),
  },
  {
    ...{ check: "arc-connected", subject: cluster, evidence: /^Connecting: they have never reported$/, next: /install the agents/ },
    breaks: (state) => changeResource(state, arcClusterId, (stored) => delete stored.properties["agents"]),
    fix: startAgents,
  },
  {
    ...{
      check: "arc-connected",
      subject: cluster,
      evidence: /^Offline: they last reported at /,
      next: /`oc get pods,events -n azure-arc`/,
    },
    ...{ breaks: stopAgents, fix: startAgents },
  },
  {
    ...{ check: "arc-connected", subject: cluster, evidence: /^Expired: they last reported at /, next: /install them again/ },
    breaks: setAgents({ startedAt: Date.now() - 200 * days, stoppedAt: Date.now() - 100 * days }),
    fix: startAgents,
  },
  {
    ...{ check: "arc-agent-version", subject: cluster, state: "warning", evidence: /^1\.20\.0; the region has 1\.\d+\.\d+$/ },
    ...{ next: /Azure upgrades them, but has not/, breaks: setAgents({ agentVersion: "1.20.0" }), fix: startAgents },
  },
  {
    ...{ check: "extension-installed", subject: provider, evidence: /^it is Failed; .*cannot be imported/ },
    next: /helm uninstall csi-secrets-store/,
    async breaks(state) {
      await startAgents(state, { "microsoft.azurekeyvaultsecretsprovider": taken });
      await setProperties(state, arcExtensionId("akvsecretsprovider"), { provisioningState: "Failed" });
    },
    async fix(state) {
      await startAgents(state);
      await state.follow(`aro-hcp create arc extension ${demo.join(" ")} --extension-type key-vault`);
    },
  },
  {
    ...{ check: "policy-extension", subject: cluster, state: "warning", evidence: /^no-privileged assigned to the cluster/ },
    ...{ next: /--extension-type policy/, breaks: (state) => deleteResources(state, arcExtensionId("azurepolicy")), fix: "line" },
  },
  {
    ...{ check: "arc-vault-rbac", subject: `Key Vault ${arcVault}`, evidence: /^it uses access policies/, next: /create arc secrets/ },
    breaks: (state) => setProperties(state, vault, { enableRbacAuthorization: false }),
    fix: (state) => state.createSecrets(),
  },
  {
    ...{ check: "arc-vault-role", subject: `Key Vault ${arcVault}`, evidence: /demo-secrets has no role Key Vault Secrets User/ },
    ...{ next: /with its original options/, fix: (state) => state.createSecrets() },
    breaks: (state) =>
      changeState(state, ({ roleAssignments }) => {
        for (const [key, { roleDefinitionId }] of Object.entries(roleAssignments))
          if (roleDefinitionId.endsWith(secretsUser.id)) delete roleAssignments[key];
      }),
  },
];

const registered = { "Microsoft.Kubernetes": "Registered" } as const;

test("every check passes before the fault, and those in the cluster are skipped without access", async () => {
  const state = await arcState();
  const results = await state.verify();
  expect(findings(results)).toEqual([]);
  expect(results.filter(({ state: is }) => is === "skipped").map(({ check }) => check)).toEqual(Object.keys(arcInClusterChecks));
  exits(await state.cli(["verify", "arc", ...demo]), 0);
});

test.each(rows.map((row) => [`${row.check}: ${String(row.evidence)}`, row] as const))("%s", async (_name, row) => {
  const state = await arcState();
  await row.breaks(state);
  const results = await state.verify();
  expect(findings(results)).toEqual([`${row.check}/${row.subject} ${row.state ?? "failed"}`]);
  const result = rowOf(results, row.check, row.subject);
  expect(result.evidence).toMatch(row.evidence);
  expect(result.next).toMatch(row.next);
  checkLines(results);
  if (row.fix === "line") await state.follow(commandsIn(result).find((line) => line.startsWith("aro-hcp ")) ?? "");
  else await row.fix(state);
  expect(findings(await state.verify()), "after the advice was followed").toEqual([]);
});

test("a certificate that the agents do not renew is a warning", async () => {
  const state = await arcState();
  const live = await resource(state, arcClusterId);
  const properties = {
    ...live?.properties,
    connectivityStatus: "Connected",
    lastConnectivityTime: new Date().toISOString(),
    managedIdentityCertificateExpirationTime: new Date(Date.now() + 5.5 * days).toISOString(),
  };
  const body = { ...live, name: "demo", identity: { type: "SystemAssigned" }, properties };
  const results = await state.verify([], { faults: [{ path: "/connectedClusters/demo$", times: 9, answer: { status: 200, body } }] });
  expect(findings(results)).toEqual([`arc-certificate/${cluster} warning`]);
  expect(rowOf(results, "arc-certificate", cluster).evidence).toMatch(/^it expires in 5 days/);
});

test.each([
  [
    "extension-warnings",
    { statuses: [{ code: "Drift", level: "Warning", message: "a setting was changed", time: "2026-01-01T00:00:00Z" }] },
    /^Drift a setting was changed \(2026-01-01T00:00:00Z\)$/,
  ],
  ["extension-version", { autoUpgradeMinorVersion: false, version: "1.5.0" }, /^1\.7\.2 is installed, but 1\.5\.0 is pinned$/],
] as const)("%s reports what the agents say of an installed extension", async (check, changes, evidence) => {
  const state = await arcState();
  const extensionType = "Microsoft.AzureKeyVaultSecretsProvider";
  const properties = { extensionType, provisioningState: "Succeeded", currentVersion: "1.7.2", autoUpgradeMinorVersion: true, ...changes };
  const policy = { id: arcExtensionId("azurepolicy"), name: "azurepolicy", properties: { extensionType: "microsoft.policyinsights" } };
  const body = { value: [{ id: arcExtensionId("akvsecretsprovider"), name: "akvsecretsprovider", properties }, policy] };
  const results = await state.verify([], { faults: [{ path: "/extensions$", times: 9, answer: { status: 200, body } }] });
  expect(findings(results)).toEqual([`${check}/${provider} warning`]);
  expect(rowOf(results, check, provider).evidence).toMatch(evidence);
});

test("a connected cluster that does not exist fails one check, and the others say why they are skipped", async () => {
  const state = await arcState();
  await deleteResources(state, arcClusterId);
  const results = await state.verify();
  expect(findings(results)).toEqual([`arc-exists/${cluster} failed`]);
  expect(rowOf(results, "arc-connected", cluster)).toMatchObject({
    state: "skipped",
    evidence: expect.stringContaining("arc-exists") as string,
  });
});

test("every check has a row here, or a test of its own", () => {
  const withFaults = ["arc-certificate", "extension-warnings", "extension-version"];
  const covered = new Set([...rows.map(({ check }) => check), ...withFaults, ...Object.keys(arcInClusterChecks)]);
  expect(Object.keys(arcChecks).filter((id) => !covered.has(id))).toEqual([]);
});
