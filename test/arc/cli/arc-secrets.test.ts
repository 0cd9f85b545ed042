/** `create arc secrets` and `render arc`: the identity's own token reads the secret that the rendered manifests mount, and nothing else. */
import { readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { load, loadAll } from "js-yaml";
import { expect, test } from "vitest";
import { systemClock } from "../../../src/azure/clock.js";
import { changeResource, changeState } from "../../harness/state-changes.js";
import { schemaProblems } from "../../harness/kubernetes-schema.js";
import { testEmulator, type TestEmulator } from "../../harness/test-emulator.js";
import { emulatorConnection } from "../../harness/connected-azure.js";
import { arcClusterId, connectedCluster, startAgents } from "./connected-clusters.js";
import { exits, refuses, writesSince } from "../../cli/expectations.js";

const issuer = ["--oidc-issuer-url", "https://demo.blob.core.windows.net/demo"];
const principal = ["--secrets-identity", "service-principal"];

async function connected(): Promise<TestEmulator> {
  const azure = await testEmulator();
  await connectedCluster(azure);
  await startAgents(azure);
  return azure;
}

function create(azure: TestEmulator, ...flags: readonly string[]) {
  const files = ["--output-file", azure.path("secrets.json"), "--output-credential", azure.path("credential.json")];
  return azure.cli(["create", "arc", "secrets", "--cloud", "local", "--name", "demo", "--yes", ...files, ...flags]);
}

function render(azure: TestEmulator, ...flags: readonly string[]) {
  const files = ["--arc-secrets-file", azure.path("secrets.json"), "--credential-file", azure.path("credential.json")];
  return azure.cli(["render", "arc", ...files, ...flags]);
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Record<string, string>; readonly annotations?: Record<string, string> };
  readonly [key: string]: unknown;
}

const json = async (path: string) => JSON.parse(await readFile(path, "utf8")) as Record<string, string>;

test("a service principal reads only the secret, and the credential is kept in a file of its own", async () => {
  const azure = await connected();
  await writeFile(azure.path("value"), "s3cret\n");
  const { stderr } = exits(await create(azure, ...principal, "--secret-name", "db", "--secret-file", azure.path("value")), 0);
  expect(stderr).toContain(`the client secret is in ${azure.path("credential.json")}`);
  expect(stderr).toMatch(/next: write the manifests with `aro-hcp render arc .*--arc-secrets-file \S+secrets\.json .*--credential-file /);
  const { clientID = "", keyVaultName = "" } = await json(azure.path("secrets.json"));
  const credential = await json(azure.path("credential.json"));
  expect(credential["clientId"]).toBe(clientID);
  expect((await stat(azure.path("credential.json"))).mode & 0o777).toBe(0o600);
  expect(await readFile(azure.path("secrets.json"), "utf8")).not.toContain(credential["clientSecret"]);

  await azure.traffic();
  exits(await create(azure, ...principal, "--secret-name", "db", "--secret-file", azure.path("value")), 0);
  expect(await writesSince(azure)).toEqual([]);

  const { stdout } = exits(await render(azure), 0);
  const manifests = loadAll(stdout) as Manifest[];
  expect(manifests.map(({ kind }) => kind)).toEqual([
    ...["Namespace", "Secret", "SecretProviderClass", "Pod"],
    ...["ServiceAccount", "ClusterRoleBinding"],
  ]);
  const [, secret, providerClass, pod] = manifests;
  // The names and the path of the commands in Red Hat's article.
  expect([secret, providerClass, pod].map((one) => one?.metadata.name)).toEqual([
    ...["secrets-store-creds", "akvprovider-demo", "secret-store-pod"],
  ]);
  const volume = { csi: { driver: "secrets-store.csi.k8s.io", volumeAttributes: { secretProviderClass: "akvprovider-demo" } } };
  expect(pod?.["spec"]).toMatchObject({ volumes: [volume], containers: [{ volumeMounts: [{ mountPath: "/mnt/secrets-store" }] }] });
  expect(secret?.metadata.labels).toEqual({ "secrets-store.csi.k8s.io/used": "true" });
  const stringData = secret?.["stringData"] as { clientid: string; clientsecret: string };
  expect(pod?.["spec"]).toMatchObject({ volumes: [{ csi: { nodePublishSecretRef: { name: secret?.metadata.name } } }] });

  // What the driver does with the rendered Secret.
  const connect = await emulatorConnection(azure.directory, { ARO_HCP_LOCAL_TIME_SCALE: "1000" });
  const workload = await connect({ clientId: stringData.clientid, clientSecret: stringData.clientsecret });
  const { secrets } = await workload.vaultContent(keyVaultName);
  await expect.poll(async () => (await secrets.getSecret("db").catch(() => undefined))?.value).toBe("s3cret");
  await expect(secrets.setSecret("db", "x")).rejects.toThrow(/ForbiddenByRbac|not authorized/);
  await expect(secrets.getSecret("other")).rejects.toThrow(/ForbiddenByRbac|not authorized/);
});

test("a lost credential file is replaced, and the lost secret is removed", async () => {
  const azure = await connected();
  exits(await create(azure, ...principal), 0);
  const first = await json(azure.path("credential.json"));
  await writeFile(azure.path("credential.json"), JSON.stringify({ ...first, keyId: "99999999-9999-4999-8999-999999999999" }));
  const { stderr } = exits(await create(azure, ...principal), 0);
  expect(stderr).toMatch(/no longer has the secret of the credential file/);
  const second = await json(azure.path("credential.json"));
  expect(second["keyId"]).not.toBe(first["keyId"]);
  const { applications } = (await azure.snapshot()) as unknown as { applications: Record<string, { secrets?: number }> };
  expect(JSON.stringify(applications)).toContain('"secrets":1');
  await azure.traffic();
  exits(await create(azure, ...principal), 0);
  expect(await writesSince(azure)).toEqual([]);
});

/** Makes the client secrets of the application older. */
function age(azure: TestEmulator, hours: number): Promise<void> {
  return changeState(azure, (state) => {
    for (const { passwordCredentials = [] } of Object.values(state.applications))
      for (const one of passwordCredentials) one.startDateTime = new Date(Date.parse(one.startDateTime) - hours * 3_600_000).toISOString();
  });
}

test("from a computer without the credential file, the secret that pods use stays valid for a day", async () => {
  const azure = await connected();
  exits(await create(azure, ...principal), 0);
  await age(azure, 2);
  await rm(azure.path("credential.json"));
  exits(await create(azure, ...principal), 0);
  const applications = async () => JSON.stringify((await azure.snapshot()).applications);
  expect(await applications()).toContain('"secrets":2');
  await age(azure, 23);
  await azure.traffic();
  exits(await create(azure, ...principal), 0);
  expect(await writesSince(azure)).toEqual([]);
  await age(azure, 2);
  expect(exits(await create(azure, ...principal), 0).stderr).toContain("they are in no file, and not needed any more");
  expect(await applications()).not.toContain('"secrets":2');
});

test("a run that ends between the new secret and the removal of the lost one is completed by the next run", async () => {
  const azure = await connected();
  exits(await create(azure, ...principal), 0);
  await rm(azure.path("credential.json"));
  const refused = { path: "/removePassword$", times: 9, answer: { status: 403, body: { error: { code: "Forbidden", message: "no" } } } };
  const files = ["--output-file", azure.path("secrets.json"), "--output-credential", azure.path("credential.json")];
  const stopped = ["create", "arc", "secrets", "--cloud", "local", "--name", "demo", "--yes", ...files, ...principal];
  expect((await azure.cli(stopped, { faults: [refused] })).code).not.toBe(0);
  const saved = await json(azure.path("credential.json"));
  expect(JSON.stringify((await azure.snapshot()).applications)).toContain('"secrets":2');
  exits(await create(azure, ...principal), 0);
  expect(JSON.stringify((await azure.snapshot()).applications)).toContain('"secrets":1');
  expect(await json(azure.path("credential.json"))).toEqual(saved);
  await azure.traffic();
  exits(await create(azure, ...principal), 0);
  expect(await writesSince(azure)).toEqual([]);
});

test("of two runs at once, neither leaves a credential file whose secret the other removed", async () => {
  const azure = await connected();
  exits(await create(azure, ...principal), 0);
  await rm(azure.path("credential.json"));
  // The first secret exists before its run knows of it. Meanwhile the other run saves its own, and takes the first one for lost.
  const late = { method: "POST", path: "/addPassword$", when: "after", delay: 500 };
  await azure.serve(systemClock, { env: { ARO_HCP_LOCAL_TIME_SCALE: "100" }, faults: [late] });
  for (const result of await Promise.all([create(azure, ...principal), create(azure, ...principal)])) exits(result, 0);
  const { clientId = "", clientSecret = "" } = await json(azure.path("credential.json"));
  const connect = await emulatorConnection(azure.directory, { ARO_HCP_LOCAL_TIME_SCALE: "1000" });
  const { keyVaultName = "" } = await json(azure.path("secrets.json"));
  const { secrets } = await (await connect({ clientId, clientSecret })).vaultContent(keyVaultName);
  await expect(secrets.setSecret("db", "x")).rejects.toThrow(/ForbiddenByRbac|not authorized/);
  await azure.traffic();
  exits(await create(azure, ...principal), 0);
  expect(await writesSince(azure)).toEqual([]);
});

test("a vault with a secret of others is kept, and only the secret of the create is deleted", async () => {
  const azure = await connected();
  exits(await create(azure, ...principal, "--secret-name", "db"), 0);
  const { keyVaultName = "" } = await json(azure.path("secrets.json"));
  const connect = await emulatorConnection(azure.directory, { ARO_HCP_LOCAL_TIME_SCALE: "1000" });
  const { secrets } = await (await connect()).vaultContent(keyVaultName);
  await secrets.setSecret("theirs", "x");
  await azure.traffic();
  const { stderr } = exits(await azure.cli(["destroy", "arc", "--cloud", "local", "--name", "demo", "--yes"]), 0);
  expect(stderr.replace(/\s+/g, " ")).toContain("it also contains secret theirs, not created by aro-hcp");
  expect((await writesSince(azure)).filter((write) => write.startsWith("DELETE /secrets/"))).toEqual(["DELETE /secrets/db"]);
  expect(Object.keys((await azure.snapshot()).resources).filter((id) => id.includes("/vaults/"))).toHaveLength(1);
});

test("destroy arc reports what Azure keeps soft-deleted, and --purge deletes it permanently", async () => {
  const azure = await connected();
  exits(await create(azure, ...principal), 0);
  const { keyVaultName = "" } = await json(azure.path("secrets.json"));
  const file = ["--arc-secrets-file", azure.path("secrets.json")];
  const destroy = ["destroy", "arc", "--cloud", "local", "--name", "demo", "--yes", "--output", "json", ...file];
  const { stdout, stderr } = exits(await azure.cli(destroy), 0);
  expect(stderr).toContain("Azure keeps a deleted vault for 90 days and applications for 30, with their names;");
  const { recoverable } = JSON.parse(stdout) as { recoverable: { title: string }[] };
  expect(recoverable.map(({ title }) => title)).toEqual([`Key Vault ${keyVaultName}`, "application demo-secrets"]);
  exits(await azure.cli([...destroy, "--purge"]), 0);
  const text = JSON.stringify(await azure.snapshot());
  for (const name of [keyVaultName, "demo-secrets"]) expect(text).not.toContain(name);
  const again = JSON.parse(exits(await azure.cli([...destroy, "--purge"]), 0).stdout) as object;
  expect(again).toMatchObject({ recoverable: [] });
});

test("a secret that is removed already, because the response of its removal was lost, is no error", async () => {
  const azure = await connected();
  exits(await create(azure, ...principal), 0);
  await rm(azure.path("credential.json"));
  const files = ["--output-file", azure.path("secrets.json"), "--output-credential", azure.path("credential.json")];
  const lost = { path: "/removePassword$", when: "after", answer: { status: 503, body: {} } };
  const again = ["create", "arc", "secrets", "--cloud", "local", "--name", "demo", "--yes", ...files, ...principal];
  exits(await azure.cli(again, { faults: [lost] }), 0);
  expect(JSON.stringify((await azure.snapshot()).applications)).toContain('"secrets":1');
});

test("a vault without roles, of a create that ended before it assigned them, is purged", async () => {
  const azure = await connected();
  const files = ["--output-file", azure.path("secrets.json"), "--output-credential", azure.path("credential.json")];
  const dies = { method: "PUT", path: "/vaults/[^/]+/providers/Microsoft.Authorization/roleAssignments/", kill: true };
  const ended = await azure.cli(["create", "arc", "secrets", "--cloud", "local", "--name", "demo", "--yes", ...files, ...principal], {
    faults: [dies],
  });
  expect(ended.code).not.toBe(0);
  expect(Object.keys((await azure.snapshot()).vaults ?? {})).toHaveLength(1);
  exits(await azure.cli(["destroy", "arc", "--cloud", "local", "--name", "demo", "--purge", "--yes"]), 0);
  expect((await azure.snapshot()).vaults).toBeUndefined();
});

test("with an issuer that Entra can read, a managed identity trusts one service account, and no secret is written", async () => {
  const azure = await connected();
  exits(await create(azure, ...issuer), 0);
  const { clientID } = await json(azure.path("secrets.json"));
  await azure.traffic();
  exits(await create(azure, ...issuer), 0);
  expect(await writesSince(azure)).toEqual([]);
  const { stderr } = exits(await render(azure, "--output-dir", azure.path("manifests"), "--observability-role", "cluster-admin"), 0);
  expect(stderr).toMatch(/warning: with cluster-admin/);
  expect(await readdir(azure.path("manifests"))).toEqual([
    "0-namespace-arc-demo.yaml",
    "1-serviceaccount-key-vault-reader.yaml",
    "2-secretproviderclass-akvprovider-demo.yaml",
    "3-pod-secret-store-pod.yaml",
    "4-serviceaccount-azure-arc-observability.yaml",
    "5-clusterrolebinding-azure-arc-observability-cluster-admin.yaml",
  ]);
  const [account] = loadAll(await readFile(azure.path("manifests/1-serviceaccount-key-vault-reader.yaml"), "utf8")) as Manifest[];
  expect(account?.metadata.annotations).toEqual({ "azure.workload.identity/client-id": clientID });
});

const published = "https://eastus.oic.prod-arc.azure.com/demo";

/** What the connected cluster says about its issuer. */
function setIssuer(azure: TestEmulator, oidcIssuerProfile: object): Promise<void> {
  return changeResource(azure, arcClusterId, (stored) => {
    stored.properties["oidcIssuerProfile"] = { enabled: true, ...oidcIssuerProfile };
  });
}

test("an issuer of the connected cluster is trusted by its flag, then without it, and no other one, whoever publishes it", async () => {
  const azure = await connected();
  await setIssuer(azure, { issuerUrl: published });
  await refuses(azure, create(azure), 2, /--oidc-issuer-url +Azure shows --oidc-issuer-url https:\/\/eastus\.oic\./);
  const { stderr } = exits(await create(azure, "--oidc-issuer-url", published), 0);
  expect(stderr).toMatch(/credential of \S+ for system:serviceaccount:arc-demo:key-vault-reader of\s+https:\/\/eastus\.oic\./);
  exits(await create(azure), 0);
  const made = await azure.snapshot();
  for (const profile of [{ issuerUrl: `${published}2` }, { issuerUrl: published, selfHostedIssuerUrl: "https://evil.example.com" }]) {
    await setIssuer(azure, profile);
    await refuses(azure, create(azure), 2, /only Azure shows settings of connected cluster demo/, /--oidc-issuer-url +Azure shows/);
  }
  expect((await azure.snapshot()).roleAssignments).toEqual(made.roleAssignments);
  exits(await create(azure, "--oidc-issuer-url", `${published}2`), 0);
  exits(await create(azure, ...principal), 0);
});

test("after a service principal, an issuer that the connected cluster has meanwhile is not trusted without its flag", async () => {
  const azure = await connected();
  exits(await create(azure, ...principal), 0);
  await setIssuer(azure, { issuerUrl: published });
  await refuses(azure, create(azure), 2, /--oidc-issuer-url +Azure shows/);
  exits(await create(azure, ...principal), 0);
});

test("the first trust in an issuer that the owner of the cluster publishes needs its flag", async () => {
  const azure = await connected();
  await setIssuer(azure, { selfHostedIssuerUrl: "https://issuer.example.com/demo" });
  await refuses(azure, create(azure), 2, /--oidc-issuer-url +Azure shows --oidc-issuer-url https:\/\/issuer\.example\.com\/demo/);
  exits(await create(azure, "--oidc-issuer-url", "https://issuer.example.com/demo"), 0);
});

test.each([["a service principal", principal] as const, ["a managed identity", issuer] as const])(
  "the manifests of %s have only the members that their types have",
  async (_what, flags) => {
    const azure = await connected();
    exits(await create(azure, ...flags, "--secret-name", "db"), 0);
    const manifests = loadAll(exits(await render(azure), 0).stdout) as Manifest[];
    const typeOf = ({ kind }: Manifest) => (kind === "SecretProviderClass" ? kind : `V1${kind}`);
    expect(manifests.flatMap((one) => schemaProblems(one, typeOf(one)))).toEqual([]);
    const providerClass = manifests.find(({ kind }) => kind === "SecretProviderClass");
    const { parameters } = providerClass?.["spec"] as { parameters: { objects: string } };
    const { array } = load(parameters.objects) as { array: string[] };
    expect(array.map((one) => load(one))).toEqual([{ objectName: "db", objectType: "secret" }]);
  },
);

test("a misspelled member and a value of another type are found", () => {
  const pod = { apiVersion: "v1", kind: "Pod", spec: { container: [], volumes: [{ name: "x", csi: { driver: 1 } }] } };
  expect(schemaProblems(pod, "V1Pod")).toEqual([
    "V1Pod.spec.container is not a member of V1PodSpec",
    "V1Pod.spec.volumes[0].csi.driver is not a string",
  ]);
  const parameters = { usePodIdentity: false };
  expect(schemaProblems({ spec: { parameters } }, "SecretProviderClass")).toEqual([
    "SecretProviderClass.spec.parameters.usePodIdentity is not a string",
  ]);
});

test("a value of another's secret, an issuer that Entra cannot read and an absent cluster are refused before any write", async () => {
  const azure = await testEmulator();
  await refuses(azure, create(azure, ...principal), 5, /connected cluster "demo" does not exist/);
  await connectedCluster(azure);
  await refuses(azure, create(azure, "--oidc-issuer-url", "https://kubernetes.default.svc"), 2, /cannot be read by Entra/);
  await refuses(azure, create(azure, ...principal, "--secret-name", "a_b"), 2, /is not the name of a secret/);
});

test("a file of another cluster is not overwritten, and neither files of two creates nor an unknown cloud are rendered", async () => {
  const azure = await connected();
  exits(await create(azure, ...principal), 0);
  const [document, credential] = [await json(azure.path("secrets.json")), await json(azure.path("credential.json"))];
  const other = "99999999-9999-4999-8999-999999999999";
  await writeFile(azure.path("credential.json"), JSON.stringify({ ...credential, clientId: other }));
  const mixed = exits(await render(azure), 2).stderr;
  expect(mixed).toMatch(/belongs to another identity/);
  expect(mixed).not.toContain(credential["clientSecret"]);
  await writeFile(azure.path("secrets.json"), JSON.stringify({ ...document, cloud: "none" }));
  expect(exits(await render(azure), 2).stderr).toMatch(/cloud: expected one of AzurePublicCloud, /);
  await writeFile(azure.path("secrets.json"), JSON.stringify({ ...document, name: "other" }));
  await refuses(azure, create(azure, ...principal), 2, /it is the file of connected cluster other/);
});

test.each([["a service principal", principal] as const, ["a managed identity", issuer] as const])(
  "destroy arc leaves nothing of the secrets of %s",
  async (_what, flags) => {
    const azure = await connected();
    exits(await create(azure, ...flags), 0);
    const file = ["--arc-secrets-file", azure.path("secrets.json")];
    exits(await azure.cli(["destroy", "arc", "--cloud", "local", "--name", "demo", "--yes", ...file]), 0);
    const left = await azure.snapshot();
    expect(Object.keys(left.resources).filter((id) => id.includes("demo") && !id.includes("/deletedvaults/"))).toEqual([]);
    expect(Object.values(left.roleAssignments).filter((one) => JSON.stringify(one).includes("demo-arc"))).toEqual([]);
    expect(JSON.stringify(left.applications)).not.toContain("demo-secrets");
  },
);
