/** `verify arc` with a kubeconfig: the version of a secret that pods have mounted, and the newest in the vault. */
import { join } from "node:path";
import { loadAll } from "js-yaml";
import { expect, test } from "vitest";
import { wellKnown } from "../../../src/emulator/index.js";
import { arcExtensionId } from "../cli/connected-clusters.js";
import { subscription } from "../../cli/demo-cluster.js";
import { exits } from "../../cli/expectations.js";
import { emulatorConnection } from "../../harness/connected-azure.js";
import { kubernetesServer, type KubernetesObject, type KubernetesServer } from "../../harness/kubernetes.js";
import { changeResource, changeState } from "../../harness/state-changes.js";
import { checkLines } from "../../verify/advice.js";
import { arcState, arcVault, type ArcState } from "./arc-state.js";
import { rowOf } from "../../verify/healthy-state.js";

const namespace = "arc-demo";
const pod = "secret-store-pod";
const reader = "21090545-7ca7-4776-b22c-e363652d74d2";

/** What the driver writes after it has mounted the class for the pod. */
const statusOf = (version: string, mounted = true): KubernetesObject => ({
  apiVersion: "secrets-store.csi.x-k8s.io/v1",
  kind: "SecretProviderClassPodStatus",
  metadata: { name: `${pod}-${namespace}-akvprovider-demo`, namespace },
  status: { podName: pod, secretProviderClassName: "akvprovider-demo", mounted, objects: [{ id: "secret/arc-demo", version }] },
});

const unmounted: KubernetesObject = {
  ...{ apiVersion: "v1", kind: "Event", metadata: { namespace, name: `${pod}.17` }, reason: "FailedMount" },
  involvedObject: { kind: "Pod", namespace, name: pod },
  message: "failed to mount secrets store objects for pod arc-demo/secret-store-pod: ForbiddenByRbac",
};

interface Mounted {
  readonly state: ArcState;
  readonly server: KubernetesServer;
  /** Writes a new version of the secret. Returns it. */
  rotate(): Promise<string>;
  check(): Promise<ReturnType<typeof rowOf>>;
}

/** With the manifests of `render arc` on the cluster. */
async function mountedState(): Promise<Mounted> {
  const [state, server] = [await arcState(), await kubernetesServer()];
  const data = { AZURE_SUBSCRIPTION_ID: subscription.split("/").at(-1), AZURE_RESOURCE_GROUP: "demo-arc", AZURE_RESOURCE_NAME: "demo" };
  server.put({ apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "azure-arc", name: "azure-clusterconfig" }, data });
  const rendered = await state.cli(["render", "arc", "--arc-secrets-file", join(state.directory, "arc-files", "secrets.json")]);
  const manifests = loadAll(exits(rendered, 0).stdout) as KubernetesObject[];
  server.put(...manifests.filter(({ kind }) => kind === "SecretProviderClass" || kind === "Pod"));
  const connect = await emulatorConnection(state.directory);
  const { secrets } = await (await connect()).vaultContent(arcVault);
  const { properties } = await secrets.getSecret("arc-demo");
  server.put(statusOf(properties.version ?? ""));
  return {
    state,
    server,
    rotate: async () => (await secrets.setSecret("arc-demo", "another value")).properties.version ?? "",
    async check() {
      const results = await state.verify(["--kubeconfig", server.kubeconfig]);
      checkLines(results);
      return rowOf(results, "arc-secret-mounted", `Key Vault ${arcVault}`);
    },
  };
}

test("a mounted newest version passes, without a read of the value or a command in the pod", async () => {
  const { state, server, check } = await mountedState();
  await state.traffic();
  server.requests.length = 0;
  const { state: is, evidence } = await check();
  expect([is, evidence]).toEqual([
    "passed",
    expect.stringMatching(/^arc-demo\/secret-store-pod has secret arc-demo, version [0-9a-f]{32}$/),
  ]);
  const paths = (await state.traffic()).map(({ url }) => new URL(url)).filter(({ hostname }) => hostname.startsWith(arcVault));
  expect([...new Set(paths.map(({ pathname }) => pathname))]).toEqual(["/secrets", "/secrets/arc-demo/versions"]);
  expect(server.requests.filter((request) => !request.startsWith("GET "))).toEqual([]);
});

test("an older mounted version fails once the provider had time for the new one", async () => {
  const { state, server, rotate, check } = await mountedState();
  const newest = await rotate();
  // Both are of the same second, and a vault does not keep more.
  await changeState(state, ({ vaults }) => {
    const versions = vaults?.[arcVault]?.secrets["arc-demo"]?.versions ?? [];
    for (const { version, attributes } of versions) if (version !== newest) attributes.created -= 3600;
  });
  expect(await check()).toMatchObject({
    state: "skipped",
    evidence: expect.stringMatching(/polls every 120 s; verify again later$/) as string,
  });
  await setProvider(state, { "secrets-store-csi-driver.rotationPollInterval": "1ms" });
  const stale = await check();
  expect(stale.state).toBe("failed");
  expect(stale.evidence).toMatch(/^arc-demo\/secret-store-pod has version \w+ of secret arc-demo; the newest in the vault is \w+$/);
  expect(stale.evidence).toContain(newest);
  expect(stale.next).toMatch(/^recreate these pods.*`oc get events -n arc-demo`$/);
  await setProvider(state, { "secrets-store-csi-driver.enableSecretRotation": "false" });
  expect((await check()).next).toMatch(/rotation is off: `aro-hcp create arc extension .*--secret-rotation on/);
  server.put(statusOf(newest));
  expect((await check()).state).toBe("passed");
});

function setProvider(state: ArcState, changes: Readonly<Record<string, string>>): Promise<void> {
  return changeResource(state, arcExtensionId("akvsecretsprovider"), (stored) => {
    stored.properties["configurationSettings"] = { ...(stored.properties["configurationSettings"] as object), ...changes };
  });
}

test("a pod that has not mounted the secret fails with the event, and a deleted secret is named", async () => {
  const { server, check } = await mountedState();
  const status = server.all().find(({ kind }) => kind === "SecretProviderClassPodStatus");
  server.remove("SecretProviderClassPodStatus", namespace, status?.metadata.name ?? "");
  server.put(unmounted);
  expect(await check()).toMatchObject({
    state: "failed",
    evidence: expect.stringMatching(/^arc-demo\/secret-store-pod has not mounted it: failed to mount .* ForbiddenByRbac$/) as string,
    next: expect.stringContaining("`oc get pods,events -n arc-demo`") as string,
  });
  const other = statusOf("1");
  const { status: ofOther } = other as unknown as { status: object };
  server.put({ ...other, status: { ...ofOther, objects: [{ id: "secret/gone", version: "1" }] } });
  expect((await check()).evidence).toBe("arc-demo/secret-store-pod has version 1 of secret gone; it is not in the vault");
});

/** The same class with a version that its owner chose. */
function pinned(found: KubernetesObject | undefined): KubernetesObject {
  const text = JSON.stringify(found).replaceAll(
    String.raw`objectType: secret\n`,
    String.raw`objectType: secret\n    objectVersion: \"0a1b\"\n`,
  );
  return JSON.parse(text) as KubernetesObject;
}

test("what is missing skips the check, with what to do", async () => {
  const { server, check } = await mountedState();
  server.remove("SecretProviderClassPodStatus", namespace, `${pod}-${namespace}-akvprovider-demo`);
  server.remove("Pod", namespace, pod);
  const steps: readonly (readonly [() => unknown, RegExp])[] = [
    [
      () => undefined,
      /^no pod mounts it: apply the pod that `aro-hcp render arc.*` writes; if it does not start, see `oc get events -n arc-demo`$/,
    ],
    [() => server.put(pinned(server.get("SecretProviderClass", namespace, "akvprovider-demo"))), /^no SecretProviderClass .* names it/],
    [
      () => server.remove("SecretProviderClass", namespace, "akvprovider-demo"),
      /^no SecretProviderClass of the cluster names it: apply .*`aro-hcp render arc/,
    ],
    [() => server.unknown.add("secretproviderclasses"), /^the cluster has no Secrets Store CSI driver: `aro-hcp create arc extension .*/],
  ];
  for (const [change, reason] of steps) {
    change();
    expect(await check()).toMatchObject({ state: "skipped", evidence: expect.stringMatching(reason) as string });
  }
});

test("without the right to list versions, the check says which role it needs, and that role is enough", async () => {
  const { state, check } = await mountedState();
  await changeState(state, ({ roleAssignments }) => {
    for (const [key, { scope }] of Object.entries(roleAssignments)) if (scope.includes(arcVault)) delete roleAssignments[key];
  });
  const refused = await check();
  expect(refused.state).toBe("skipped");
  const [, scope = ""] = /^ForbiddenByRbac: .*--role 'Key Vault Reader' .* --scope (\S+)`/.exec(String(refused.evidence)) ?? [];
  expect(scope).toContain(`/vaults/${arcVault}`);
  await state.seed({ roleAssignments: [{ scope, role: reader, principalId: wellKnown.clientPrincipalId }] });
  expect((await check()).state).toBe("passed");
});
