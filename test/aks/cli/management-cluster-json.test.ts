/** `--management-cluster-file`: the IDs of the Key Vault add-on come from the file, and a file that does not fit is refused before any write. */
import { loadAll } from "js-yaml";
import { expect, test } from "vitest";
import { secretsUser } from "../../../src/domain/roles.js";
import { aksClusterOutput } from "../../../src/files/aks-cluster-output.js";
import { addOn, createdCluster } from "../files/aks-clusters.js";
import { testEmulator, type TestEmulator } from "../../harness/test-emulator.js";
import { groups, ids, subscription } from "../../cli/demo-cluster.js";
import { exits, refuses } from "../../cli/expectations.js";
import { combined, controlPlane, dataPlane, fileOf } from "../../identities/cli/identities.js";
import { createSet } from "../../identities/cli/identity-sets.js";
import { placePrivateKey, testKey } from "../../issuer/signing-keys.js";

const subscriptionId = subscription.split("/")[2] ?? "";
const tenantId = controlPlane.managedIdentitiesKeyVault.tenantID;
const other = "99999999-9999-4999-8999-999999999999";

const clusterFile = (azure: TestEmulator, changes: object = {}): Promise<string> =>
  fileOf(azure, "mgmt.json", JSON.stringify({ ...aksClusterOutput({ ...createdCluster, subscriptionId, tenantId }), ...changes }, null, 2));

const readersOf = async (azure: TestEmulator): Promise<string[]> =>
  (Object.values((await azure.snapshot()).roleAssignments) as { roleDefinitionId: string; principalId: string }[])
    .filter(({ roleDefinitionId }) => roleDefinitionId.endsWith(secretsUser.id))
    .map(({ principalId }) => principalId);

test("create identities and create all give the add-on its role by the file alone", async () => {
  const azure = await testEmulator();
  const file = ["--management-cluster-file", await clusterFile(azure)];
  exits(await createSet(azure, ["--key-vault-name", "demo-kv", ...file]), 0);
  expect(await readersOf(azure)).toEqual([addOn.objectId]);
  // The same ID with both is no conflict.
  exits(await createSet(azure, ["--key-vault-name", "demo-kv", "--key-vault-reader-object-id", addOn.objectId.toUpperCase(), ...file]), 0);

  await placePrivateKey(azure.path("all"), testKey());
  const cluster = ["--name", "all", "--infra-id", "all-x7k2", "--base-domain", "hcp.example.com", "--dns-zone-rg-name", "dns"];
  exits(await azure.cli(["create", "all", "--cloud", "local", ...cluster, "--output-dir", azure.path("all"), ...file]), 0);
  expect(await readersOf(azure)).toEqual([addOn.objectId, addOn.objectId]);
});

test.each<[string, object, readonly string[], readonly RegExp[]]>([
  [
    "another subscription",
    { subscriptionID: other },
    [],
    [/mgmt\.json:6 +subscription is "9999.*this run has "5b5c/, /--key-vault-reader-object-id 4444/],
  ],
  ["another tenant", { tenantID: other }, [], [/mgmt\.json:7 +tenant is "9999/]],
  ["another cloud", { cloud: "AzureChinaCloud" }, [], [/mgmt\.json:5 +cloud is "AzureChinaCloud", but this run has "AzurePublicCloud"/]],
  [
    "a service cluster",
    { kind: "service-cluster" },
    [],
    [/mgmt\.json:3 is the output file of a service cluster/, /create management-cluster/],
  ],
  [
    "an unfinished cluster",
    { keyVaultAddOn: null },
    [],
    [/has no identity of the Key Vault add-on/, /rerun it: `aro-hcp create management-cluster .*--name mgmt --output-file \S+mgmt\.json/],
  ],
  ["another object ID", {}, ["--key-vault-reader-object-id", other], [/--key-vault-reader-object-id +is "9999.*mgmt\.json:\d+ has "4444/]],
  [
    "a client ID as object ID",
    {},
    ["--key-vault-reader-object-id", addOn.clientId],
    [/--key-vault-reader-object-id +"3333.*" is the add-on's client ID; its object ID is "4444/],
  ],
])("create identities refuses the file of %s", async (_what, changes, flags, words) => {
  const azure = await testEmulator();
  const file = await clusterFile(azure, changes);
  const subscribed = ["--subscription", subscriptionId];
  await refuses(azure, createSet(azure, ["--management-cluster-file", file, ...subscribed, ...flags]), 2, ...words);
});

test("a credentials file of another subscription than the cluster's is refused with the flag's name", async () => {
  const azure = await testEmulator();
  const file = await clusterFile(azure, { subscriptionID: other });
  await refuses(
    azure,
    createSet(azure, ["--management-cluster-file", file]),
    2,
    /credentials file and the --management-cluster-file file are/,
  );
});

const classes = ["render", "secret-provider-classes", "--name", "demo"];

test("render secret-provider-classes takes the client ID from the file, and refuses another one", async () => {
  const azure = await testEmulator();
  const identities = ["--managed-identities-file", await fileOf(azure, "ids.json", combined)];
  const file = ["--management-cluster-file", await clusterFile(azure)];
  const { stdout } = exits(await azure.cli([...classes, ...identities, ...file]), 0);
  const rendered = loadAll(stdout) as { spec: { parameters: { userAssignedIdentityID: string } } }[];
  expect(rendered.map(({ spec }) => spec.parameters.userAssignedIdentityID)).toEqual(Array(8).fill(addOn.clientId));

  const env = { ARO_HCP_KEY_VAULT_USER_CLIENT_ID: other };
  const conflict = exits(await azure.cli([...classes, ...identities, ...file], { env }), 2);
  expect(conflict.stderr).toMatch(/ARO_HCP_KEY_VAULT_USER_CLIENT_ID +is "9999.*mgmt\.json:\d+ has "3333/);
  const swapped = exits(await azure.cli([...classes, ...identities, ...file, "--key-vault-user-client-id", addOn.objectId]), 2);
  expect(swapped.stderr).toMatch(/--key-vault-user-client-id +"4444.*" is the add-on's object ID; its client ID is "3333/);
  const neither = exits(await azure.cli([...classes, ...identities]), 2);
  expect(neither.stderr).toMatch(/--key-vault-user-client-id +is required without --management-cluster-file/);

  await clusterFile(azure, { tenantID: other });
  const tenant = exits(await azure.cli([...classes, ...identities, ...file]), 2);
  expect(tenant.stderr).toMatch(/mgmt\.json:7 +tenant is "9999.*ids\.json has "7e7a/);
  const overwritten = exits(await azure.cli([...classes, ...identities, ...file, "--output-file", azure.path("mgmt.json")]), 2);
  expect(overwritten.stderr).toMatch(/--output-file +".*mgmt\.json" is also an input \(managementClusterFile\)/);
});

const infra = {
  schemaVersion: 1,
  cloud: "AzurePublicCloud",
  region: "eastus",
  clusterName: "demo",
  infraID: "demo-x7k2",
  baseDomain: "hcp.example.com",
  resourceGroupName: groups.managed,
  publicZoneID: ids.publicZone,
  privateZoneID: ids.privateZone,
  vnetID: ids.vnet,
  subnetID: ids.subnet,
  securityGroupID: ids.nsg,
  controlPlaneMIs: { controlPlane },
  dataPlaneIdentities: dataPlane,
};

test("render hosted-cluster takes subscription and tenant from the file if infra.json has none, and refuses others", async () => {
  const azure = await testEmulator();
  const file = ["--management-cluster-file", await clusterFile(azure)];
  const render = async (document: object) =>
    azure.cli([
      "render",
      "hosted-cluster",
      "--infra-file",
      await fileOf(azure, "infra.json", document),
      "--oidc-issuer-url",
      "https://i.example.com/a",
      ...["--release-image", "quay.io/openshift-release-dev/ocp-release:4.20.4-x86_64"],
      ...file,
    ]);
  const { stdout } = exits(await render(infra), 0);
  expect(loadAll(stdout)[1]).toMatchObject({ spec: { platform: { azure: { subscriptionID: subscriptionId, tenantID: tenantId } } } });
  const { stderr } = exits(await render({ ...infra, subscriptionID: other }), 2);
  expect(stderr).toMatch(/mgmt\.json:6 +subscription is "5b5c.*infra\.json has "9999/);
  expect(stderr).toMatch(/leave out --management-cluster-file/);
});
