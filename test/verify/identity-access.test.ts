/** Entra, roles, issuer and federation: each link broken on its own, told by exactly its check, and mended by what that check says to do. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openWorld } from "../../src/embedded-azure/open.js";
import { wellKnown } from "../../src/embedded-azure/index.js";
import { readInfraOutput } from "../../src/files/infra-output.js";
import type { Result } from "../../src/verify/check.js";
import { emptyDirectory } from "../embedded-azure/local-door.js";
import { placePrivateKey, publicFile, testKey } from "../cli/signing-keys.js";
import { groupId, groups, subscription } from "../cli/demo-cluster.js";
import { az } from "./az.js";
import { commandsIn, findings, healthyWorld, rowOf, type HealthyWorld } from "./healthy-world.js";

type World = Parameters<Parameters<ReturnType<typeof openWorld>["transact"]>[0]>[0];

/** Changes the world as no request could. */
async function change(world: HealthyWorld, alter: (world: World) => void): Promise<void> {
  await openWorld(world.directory).transact((stored) => {
    alter(stored);
    return { value: undefined, commit: true };
  });
}

const issuer = "https://demo.blob.core.windows.net/demo";
const nobody = "00000000-dead-4000-8000-000000000000";
const far = Date.parse("2100-01-01T00:00:00Z");

function application(world: World, component: string) {
  const found = world.applications.find(({ displayName }) => displayName === `demo-${component}`);
  if (found === undefined) throw new Error(`there is no application demo-${component}`);
  return found;
}

function assignmentsOf(world: World, component: string) {
  const { servicePrincipalId } = application(world, component);
  return Object.entries(world.roleAssignments).filter(([, { principalId }]) => principalId === servicePrincipalId);
}

function assign(world: World, scope: string, role: string, principalId: string, name: string): void {
  const id = `${scope}/providers/Microsoft.Authorization/roleAssignments/${name}`;
  const roleDefinitionId = `${subscription}/providers/Microsoft.Authorization/roleDefinitions/${role}`;
  const createdOn = new Date(0).toISOString();
  world.roleAssignments[id.toLowerCase()] = {
    id,
    name,
    scope,
    roleDefinitionId,
    principalId,
    principalType: "ServicePrincipal",
    createdOn,
  };
}

function federatedCredential(world: World, identity: string) {
  const [, found] = Object.entries(world.resources).find(([id]) => id.includes(`/${identity}-mi-demo/federatedidentitycredentials/`)) ?? [];
  if (found === undefined) throw new Error(`${identity} has no federated credential`);
  return found;
}

interface Breakage {
  readonly row: string;
  readonly breaks: (world: World) => void;
  /** Words of the evidence. */
  readonly says: string;
  /** What the advice has one wait for; where it names a command, that is done instead. */
  readonly passes?: (world: World) => void;
}

const reader = "acdd72a7-3385-48ef-bd42-f606fba81ae7";
const registryRole = "8b32b316-c2f5-4ddf-b05b-83dacd2d08b5";

const breakages: readonly Breakage[] = [
  {
    row: "principal-exists/cpo",
    breaks: (world) => {
      const principal = application(world, "cpo").servicePrincipal;
      if (principal) principal.disabled = true;
    },
    says: "AADSTS7000112",
  },
  {
    row: "principal-exists/disk",
    breaks: (world) => {
      const gone = application(world, "disk");
      world.applications = world.applications.filter((each) => each !== gone);
      world.deletedApplications = [...(world.deletedApplications ?? []), { ...gone, deletedAt: Date.now() }];
    },
    says: "was deleted on",
  },
  {
    row: "sign-in/network",
    breaks: (world) => application(world, "network").keyCredentials?.forEach((key) => (key.addedAt = far)),
    says: "AADSTS700027",
    passes: (world) => application(world, "network").keyCredentials?.forEach((key) => (key.addedAt = 0)),
  },
  {
    row: "role-assigned/ingress",
    breaks: (world) => {
      for (const [key] of assignmentsOf(world, "ingress").slice(0, 2)) Reflect.deleteProperty(world.roleAssignments, key);
    },
    says: "has no Azure Red Hat OpenShift Cluster Ingress Operator",
  },
  {
    row: "role-name-free/image-registry",
    breaks: (world) => {
      const [key = "", own] = assignmentsOf(world, "image-registry")[0] ?? [];
      assign(world, groupId(groups.managed), registryRole, own?.principalId ?? "", "00000000-0000-4000-8000-00000000aaaa");
      const held = world.roleAssignments[key];
      const { clientPrincipalId } = wellKnown;
      if (held) world.roleAssignments[key] = { ...held, principalId: clientPrincipalId };
    },
    says: "create infra would delete it",
  },
  {
    row: "azure-read/cloud-provider",
    breaks: (world) => assignmentsOf(world, "cloud-provider").forEach(([, each]) => (each.actionsFrom = far)),
    says: "AuthorizationFailed",
    passes: (world) => assignmentsOf(world, "cloud-provider").forEach(([, each]) => (each.actionsFrom = 0)),
  },
  {
    row: `role-dangling/${groups.nsg}`,
    breaks: (world) => assign(world, groupId(groups.nsg), reader, nobody, "00000000-0000-4000-8000-00000000bbbb"),
    says: nobody,
  },
  {
    row: "federation/azure-disk-MI",
    breaks: (world) => (federatedCredential(world, "azure-disk").properties["issuer"] = `${issuer}/`),
    says: `issuer "${issuer}/" is not "${issuer}" (AADSTS700211)`,
  },
  {
    row: "federated-sign-in/azure-file-MI",
    breaks: (world) => {
      const identity = Object.values(world.resources).find(({ name }) => name === "azure-file-MI-demo");
      const subject = "system:serviceaccount:openshift-cluster-csi-drivers:azure-file-csi-driver-node-sa";
      world.federationMisses = { [JSON.stringify([String(identity?.properties["clientId"]), issuer, subject])]: far };
    },
    says: "AADSTS70021: no federated credential matches the token; Entra said: AADSTS70021: No matching",
    passes: (world) => Reflect.deleteProperty(world, "federationMisses"),
  },
];

/** Fault rules under which the discovery document is there, and what it leads to is not. */
async function noKeySet(): Promise<string> {
  const path = join(emptyDirectory(), "faults.json");
  const answer = { status: 404, headers: { "x-ms-error-code": "BlobNotFound" } };
  await writeFile(path, JSON.stringify([{ path: "/jwks$", times: 9, answer }]));
  return path;
}

const broken = (results: readonly Result[]) => findings(results).map((line) => line.split(" ")[0]);
const row = (results: readonly Result[], id: string) => rowOf(results, ...(id.split("/") as [string, string]));

/** Does all that an advice names, or lets pass the time that it wants waited. */
async function follow(world: HealthyWorld, result: Result, passes: Breakage["passes"]): Promise<void> {
  if (passes) {
    expect(result.next).toMatch(/wait 10 minutes/);
    return change(world, passes);
  }
  const commands = commandsIn(result);
  expect(commands).not.toEqual([]);
  for (const command of commands) await az(world.azure, command);
}

test("every broken link is told by its own check alone, and mended by what that says to do", async () => {
  const world = await healthyWorld();
  await change(world, (stored) => breakages.forEach(({ breaks }) => breaks(stored)));
  const results = await world.verify();
  expect(broken(results)).toEqual(breakages.map(({ row: id }) => id).sort());
  for (const { row: id, says } of breakages) expect(row(results, id).evidence).toContain(says);
  for (const { row: id, passes } of breakages) await follow(world, row(results, id), passes);
  expect(findings(await world.verify())).toEqual([]);
});

test("what create identities mends: a key that is not registered, a principal and a managed identity that are gone", async () => {
  const world = await healthyWorld();
  await change(world, (stored) => {
    application(stored, "file").keyCredentials = [];
    delete application(stored, "cpo").servicePrincipalId;
    for (const id of Object.keys(stored.resources)) if (id.includes("/azure-disk-mi-demo")) Reflect.deleteProperty(stored.resources, id);
  });
  const results = await world.verify();
  expect(broken(results)).toEqual(["application-key/file", "identity-exists/azure-disk-MI", "principal-exists/cpo"]);
  expect(row(results, "application-key/file").evidence).toContain("AADSTS700027");
  for (const id of broken(results)) expect(commandsIn(row(results, id ?? "")).join()).toMatch(/aro-hcp create i/);
  await world.createAgain();
  expect(findings(await world.verify())).toEqual([]);
});

test("the issuer is seen as Entra sees it: documents that are not public, and a key that is not among theirs", async () => {
  const world = await healthyWorld();
  await change(world, (stored) => {
    const account = Object.values(stored.resources).find(({ type }) => type === "Microsoft.Storage/storageAccounts");
    if (account) account.properties["allowBlobPublicAccess"] = false;
  });
  const closed = await world.verify();
  expect(broken(closed)).toEqual(["issuer-discovery/issuer"]);
  expect(row(closed, "issuer-discovery/issuer").evidence).toMatch(/409 PublicAccessNotPermitted; Entra answers AADSTS50166/);
  expect(row(closed, "federated-sign-in/azure-disk-MI").evidence).toBe("issuer-discovery of issuer does not hold");
  await follow(world, row(closed, "issuer-discovery/issuer"), undefined);

  const key = testKey();
  await placePrivateKey(join(world.files, "other"), key);
  const signingKeyPath = join(world.files, "other", "serviceaccount-signer.private");
  const unknown = await world.verify({ signingKeyPath });
  expect(broken(unknown)).toEqual(["issuer-keys/issuer"]);
  expect(row(unknown, "issuer-keys/issuer").evidence).toContain(`key ${key.kid}`);
  const [command = ""] = commandsIn(row(unknown, "issuer-keys/issuer"));
  const file = await publicFile(join(world.files, "other"), key);
  await world.follow(`${command.replace("FILE", file)} --cloud local --name demo`);
  expect(findings(await world.verify({ signingKeyPath }))).toEqual([]);
});

test("without the right to read the directory, tokens tell who is who; roles from above count, and groups in any spelling", async () => {
  const world = await healthyWorld();
  await change(world, (stored) => {
    for (const each of stored.applications) if (each.appId === wellKnown.clientId) each.graphPermissions = [];
    for (const [key, { principalId }] of assignmentsOf(stored, "disk")) {
      Reflect.deleteProperty(stored.roleAssignments, key);
      assign(stored, subscription, "5b7237c5-45e1-49d6-bc18-a1f62f400748", principalId, "00000000-0000-4000-8000-00000000cccc");
    }
  });
  const { keys } = await world.azure.vaults();
  const { keyUriWithVersion: encryptionKeyId } = await keys.createIfNotExist("demo-common", world.vault, "etcd", {
    properties: { kty: "RSA" },
  });
  const infra = await readInfraOutput(join(world.files, "infra.json"));
  const { vnetID = "" } = infra;
  const results = await world.verify({
    encryptionKeyId,
    infra: { ...infra, vnetID: vnetID.replace(groups.vnet, groups.vnet.toUpperCase()) },
  });
  expect(findings(results)).toEqual(["kms-role/kms failed"]);
  expect(row(results, "kms-role/kms").evidence).toContain("has no Key Vault Crypto User");
  const principal = row(results, "principal-exists/cpo");
  expect([principal.state, principal.evidence]).toEqual([
    "skipped",
    expect.stringMatching(/Authorization_RequestDenied.*Application.Read.All/),
  ]);
  expect(row(results, "role-assigned/disk").evidence).toContain(`(inherited from ${subscription})`);
  expect(row(results, "role-name-free/cpo").evidence).toBe("3 of them are its own, the others free");
});

test("the narrower roles are looked for where they are asked for, and their absence from the cloud is told", async () => {
  const world = await healthyWorld();
  const [cpo, capz] = ["fc0c873f-45e9-4d0d-a7d1-585aab30c6ed", "88366f10-ed47-4cc0-9fab-c8a06148393e"];
  await change(world, (stored) => (stored.knobs = { ...stored.knobs, missingRoles: [cpo] }));
  const results = await world.verify({ customHcpRoles: true });
  expect(broken(results)).toEqual(["role-assigned/nodepool-mgmt", "role-defined/cpo"]);
  expect(row(results, "role-defined/cpo").evidence).toContain("RoleDefinitionDoesNotExist");
  const assigned = row(results, "role-assigned/nodepool-mgmt");
  expect(assigned.evidence).toMatch(new RegExp(`${capz}.*it has Contributor there, as without --assign-custom-hcp-roles`));
  for (const command of commandsIn(assigned)) await az(world.azure, command);
  expect(broken(await world.verify({ customHcpRoles: true }))).toEqual(["role-defined/cpo"]);
  await world.createAgain();
  // As the other says: without the flag.
  expect(findings(await world.verify())).toEqual([]);
});

test("without the cluster's key, the key set is fetched all the same", async () => {
  const world = await healthyWorld({ ARO_HCP_LOCAL_FAULTS: await noKeySet() });
  const results = await world.verify({ signingKeyPath: undefined });
  expect(broken(results)).toEqual(["issuer-keys/issuer"]);
  expect(row(results, "issuer-keys/issuer").evidence).toMatch(/jwks is answered 404 BlobNotFound; Entra answers AADSTS50166/);
});

test("what is not given is not asked for, and said", async () => {
  const world = await healthyWorld();
  const results = await world.verify({ infra: undefined, issuerUrl: undefined, signingKeyPath: undefined });
  expect(findings(results)).toEqual([]);
  expect(row(results, "azure-read/cpo").evidence).toContain("--infra-json");
  expect(row(results, "federation/azure-disk-MI").evidence).toContain("--oidc-issuer-url");
  expect(row(results, "federated-sign-in/azure-disk-MI").state).toBe("skipped");
});
