/** Rows of the checks of Entra, roles, issuer and federation. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { wellKnown } from "../../src/emulator/index.js";
import type { RenderedResult as Result } from "../../src/cli/run/verification.js";
import { groupId, groups, subscription } from "../cli/demo-cluster.js";
import { placePrivateKey, testKey } from "../cli/signing-keys.js";
import { everyLine, firstLine, run } from "./advice.js";
import type { Fields } from "./credential-writing.js";
import { commandsIn, type HealthyState } from "./healthy-state.js";
import { change, identitiesFile, type Row, type Wave, type AzureState } from "./identity-rows.js";
import { givenDocument } from "../../src/files/given-document.js";

const issuer = "https://demo.blob.core.windows.net/demo";
const nobody = "00000000-dead-4000-8000-000000000000";
const far = Date.parse("2100-01-01T00:00:00Z");
const reader = "acdd72a7-3385-48ef-bd42-f606fba81ae7";
const registryRole = "8b32b316-c2f5-4ddf-b05b-83dacd2d08b5";
const hcpRoles = { cpo: "fc0c873f-45e9-4d0d-a7d1-585aab30c6ed", capz: "88366f10-ed47-4cc0-9fab-c8a06148393e" } as const;

function applicationOf(state: AzureState, component: string): AzureState["applications"][number] {
  const found = state.applications.find(({ displayName }) => displayName === `demo-${component}`);
  if (found === undefined) throw new Error(`application demo-${component} does not exist`);
  return found;
}

export function assignmentsOf(state: AzureState, component: string) {
  const { servicePrincipalId } = applicationOf(state, component);
  return Object.entries(state.roleAssignments).filter(([, { principalId }]) => principalId === servicePrincipalId);
}

export function assign(state: AzureState, scope: string, role: string, principalId: string, name: string): void {
  const id = `${scope}/providers/Microsoft.Authorization/roleAssignments/${name}`;
  const roleDefinitionId = `${subscription}/providers/Microsoft.Authorization/roleDefinitions/${role}`;
  const createdOn = new Date(0).toISOString();
  state.roleAssignments[id.toLowerCase()] = {
    id,
    name,
    scope,
    roleDefinitionId,
    principalId,
    principalType: "ServicePrincipal",
    createdOn,
  };
}

/** Swaps the principals of two components' role assignments on the managed group. */
function crossed(state: AzureState, ...components: readonly [string, string]): void {
  const [one, other] = components.map((component) =>
    assignmentsOf(state, component).find(([, { scope }]) => scope === groupId(groups.managed)),
  );
  if (one === undefined || other === undefined) throw new Error(`${components.join(" or ")} has no role`);
  const [[, first], [, second]] = [one, other];
  [first.principalId, second.principalId] = [second.principalId, first.principalId];
}

function federatedCredential(state: AzureState, identity: string) {
  const [, found] = Object.entries(state.resources).find(([id]) => id.includes(`/${identity}-mi-demo/federatedidentitycredentials/`)) ?? [];
  if (found === undefined) throw new Error(`${identity} has no federated credential`);
  return found;
}

/** A row that changes the emulator's state in a way that no request can. */
function ofState(
  row: string,
  evidence: RegExp,
  alter: (state: AzureState) => unknown,
  follow: Row["follow"],
  more: Partial<Row> = {},
): Row {
  return { row, evidence, breaks: (state) => change(state, (stored) => void alter(stored)), follow, ...more };
}

/** Simulates the wait that the advice asks for. */
const wait =
  (passes: (state: AzureState) => unknown): Row["follow"] =>
  async (state: HealthyState, { next }: Result) => {
    expect(next).toMatch(/wait 10 minutes/);
    await change(state, (stored) => void passes(stored));
  };

/** Writes the certificate of a component's secret to the file that the advice names. */
async function certificateFile(state: HealthyState, component: string): Promise<string> {
  const { secrets } = await state.azure.vaultContent(state.vault);
  const { value = "" } = await secrets.getSecret(`demo-${component}`);
  const pem = Buffer.from((JSON.parse(value) as Fields)["client_secret"] ?? "", "base64").toString();
  const path = join(state.files, "certificate.pem");
  await writeFile(path, pem.slice(0, pem.indexOf("-----BEGIN PRIVATE KEY")));
  return path;
}

/** Edits a blob of the issuer, as its owner. */
async function publish({ azure }: HealthyState, path: string, edit: (text: string) => string): Promise<void> {
  const blobs = await azure.blobs();
  const blob = await blobs.read(`${issuer}/${path}`);
  if (blob === undefined) throw new Error(`${path} does not exist`);
  await blobs.write(`${issuer}/${path}`, { ...blob, text: edit(blob.text) }, blob.etag);
}

const otherKey = testKey();

export const accessWaves: readonly Wave[] = [
  {
    title: "faults in Entra, roles and federation, each of another identity",
    rows: [
      ofState(
        "principal-exists/cpo",
        /AADSTS7000112/,
        (state) => {
          const principal = applicationOf(state, "cpo").servicePrincipal;
          if (principal) principal.disabled = true;
        },
        firstLine,
      ),
      ofState(
        "principal-exists/disk",
        /was deleted on/,
        (state) => {
          const gone = applicationOf(state, "disk");
          state.applications = state.applications.filter((each) => each !== gone);
          state.deletedApplications = [...(state.deletedApplications ?? []), { ...gone, deletedAt: Date.now() }];
        },
        firstLine,
      ),
      ofState(
        "sign-in/network",
        /AADSTS700027/,
        (state) => applicationOf(state, "network").keyCredentials?.forEach((key) => (key.addedAt = far)),
        wait((state) => applicationOf(state, "network").keyCredentials?.forEach((key) => (key.addedAt = 0))),
      ),
      ofState(
        "role-assigned/ingress",
        /no role assignment Azure Red Hat OpenShift Cluster Ingress Operator for ingress on resource group/,
        (state) => {
          for (const [key] of assignmentsOf(state, "ingress").slice(0, 2)) Reflect.deleteProperty(state.roleAssignments, key);
        },
        everyLine,
      ),
      ofState(
        "role-name-free/image-registry",
        /so create infra would delete it/,
        (state) => {
          const [key = "", own] = assignmentsOf(state, "image-registry")[0] ?? [];
          assign(state, groupId(groups.managed), registryRole, own?.principalId ?? "", "00000000-0000-4000-8000-00000000aaaa");
          const held = state.roleAssignments[key];
          if (held) state.roleAssignments[key] = { ...held, principalId: wellKnown.clientPrincipalId };
        },
        firstLine,
      ),
      ofState(
        "azure-read/cloud-provider",
        /AuthorizationFailed/,
        (state) => assignmentsOf(state, "cloud-provider").forEach(([, each]) => (each.actionsFrom = far)),
        async (state, result) => {
          // The other cause that the advice names, a deny assignment, does not exist.
          expect(await run(state, commandsIn(result)[0] ?? "")).toEqual({ value: [] });
          return wait((stored) => assignmentsOf(stored, "cloud-provider").forEach(([, each]) => (each.actionsFrom = 0)))(state, result);
        },
      ),
      ofState(
        `role-dangling/${groups.nsg}`,
        new RegExp(nobody),
        (state) => assign(state, groupId(groups.nsg), reader, nobody, "00000000-0000-4000-8000-00000000bbbb"),
        firstLine,
        { warning: true },
      ),
      ofState(
        "federation/azure-disk-MI",
        /issuer "https:\/\/demo[^"]*\/" is not "https:\/\/demo[^"]*[^/]" \(AADSTS700211\)/,
        (state) => (federatedCredential(state, "azure-disk").properties["issuer"] = `${issuer}/`),
        firstLine,
      ),
      ofState(
        "federated-sign-in/azure-file-MI",
        /AADSTS70021: no federated identity credential matches the token; Entra's message: AADSTS70021: No matching/,
        (state) => {
          const identity = Object.values(state.resources).find(({ name }) => name === "azure-file-MI-demo");
          const subject = "system:serviceaccount:openshift-cluster-csi-drivers:azure-file-csi-driver-node-sa";
          state.federationMisses = { [JSON.stringify([String(identity?.properties["clientId"]), issuer, subject])]: far };
        },
        wait((state) => Reflect.deleteProperty(state, "federationMisses")),
      ),
    ],
  },
  {
    title: "an unregistered key, a deleted service principal and a deleted managed identity",
    rows: [
      ofState(
        "principal-exists/cpo",
        /application demo-cpo exists, but its service principal does not/,
        (state) => {
          delete applicationOf(state, "cpo").servicePrincipalId;
          delete applicationOf(state, "cpo").servicePrincipal;
        },
        firstLine,
        { leaves: ["role-assigned/cpo failed"] },
      ),
      ofState(
        "application-key/network",
        /AADSTS700027/,
        (state) => (applicationOf(state, "network").keyCredentials = []),
        // "for others": an application that aro-hcp did not create.
        async (state, result) =>
          void (await run(state, commandsIn(result)[1] ?? "", { "certificate.pem": await certificateFile(state, "network") })),
      ),
      ofState("application-key/file", /AADSTS700027/, (state) => (applicationOf(state, "file").keyCredentials = []), firstLine),
      ofState(
        "identity-exists/azure-disk-MI",
        /none of the 2 visible managed identities/,
        ({ resources }) => {
          for (const id of Object.keys(resources)) if (id.includes("/azure-disk-mi-demo")) Reflect.deleteProperty(resources, id);
        },
        async (state, result) => {
          const make = commandsIn(result).find((line) => line.startsWith("aro-hcp create identities"));
          await run(state, make ?? "");
          return { managedIdentities: await givenDocument(identitiesFile(state)) };
        },
        { leaves: ["role-assigned/azure-disk-MI failed"] },
      ),
    ],
  },
  {
    title: "a purged application",
    rows: [
      ofState(
        "principal-exists/ingress",
        /has no application and no service principal with client ID/,
        (state) => (state.applications = state.applications.filter((each) => each !== applicationOf(state, "ingress"))),
        async (state, result) => {
          await firstLine(state, result);
          return { managedIdentities: await givenDocument(identitiesFile(state)) };
        },
        { leaves: ["role-assigned/ingress failed"] },
      ),
    ],
  },
  {
    title: "hosted control plane roles that are requested but not available",
    given: () => Promise.resolve({ customHcpRoles: true }),
    rows: [
      ofState(
        "role-assigned/nodepool-mgmt",
        new RegExp(`${hcpRoles.capz}.*it has Contributor there, the role without --assign-custom-hcp-roles`),
        () => undefined,
        everyLine,
      ),
      ofState(
        "role-defined/cpo",
        /RoleDefinitionDoesNotExist/,
        (state) => (state.knobs = { ...state.knobs, missingRoles: [hcpRoles.cpo] }),
        // "omit --assign-custom-hcp-roles here and in `aro-hcp create infra`"
        async (state) => {
          await state.createAgain();
          return { customHcpRoles: false };
        },
      ),
    ],
  },
  {
    title: "issuer documents that are not public",
    rows: [
      ofState(
        "issuer-discovery/issuer",
        /409 PublicAccessNotPermitted; sign-in fails with AADSTS50166/,
        ({ resources }) => {
          const account = Object.values(resources).find(({ type }) => type === "Microsoft.Storage/storageAccounts");
          if (account) account.properties["allowBlobPublicAccess"] = false;
        },
        firstLine,
      ),
    ],
  },
  {
    title: "role assignments under each other's names",
    rows: [
      ofState(
        "role-assigned/disk",
        /belongs to file of set demo$/,
        (state) => crossed(state, "disk", "file"),
        async (state, { next }) => {
          expect(next).not.toMatch(/`az /);
          await state.createAgain();
        },
      ),
      ofState(
        "role-assigned/file",
        /belongs to disk of set demo$/,
        () => undefined,
        () => Promise.resolve(),
      ),
      ofState(
        "role-name-free/cpo",
        /belongs to nodepool-mgmt of set demo$/,
        (state) => crossed(state, "cpo", "nodepool-mgmt"),
        () => Promise.resolve(),
      ),
      ofState(
        "role-name-free/nodepool-mgmt",
        /belongs to cpo of set demo$/,
        () => undefined,
        () => Promise.resolve(),
      ),
    ],
  },
  {
    title: "an issuer with a deleted storage account",
    rows: [
      {
        row: "issuer-discovery/issuer",
        breaks: async ({ azure }) => (await azure.storage()).storageAccounts.delete("demo-oidc", "demo"),
        evidence: /host demo\.blob\.core\.windows\.net does not exist: the issuer's storage account was deleted, or the address is wrong/,
        follow: firstLine,
      },
    ],
  },
  {
    title: "a discovery document with another issuer",
    rows: [
      {
        row: "issuer-discovery/issuer",
        breaks: (state) => publish(state, ".well-known/openid-configuration", (text) => text.replace(`"${issuer}"`, `"${issuer}/"`)),
        evidence: /the issuer in \S+ is "https:\/\/demo[^"]*\/", but tokens have the issuer/,
        follow: firstLine,
      },
    ],
  },
  {
    title: "a key published with another algorithm",
    rows: [
      {
        row: "issuer-keys/issuer",
        breaks: (state) => publish(state, "openid/v1/jwks", (text) => text.replace("RS256", "RS512")),
        evidence: /is published with a different alg; sign-in fails with AADSTS50013/,
        follow: firstLine,
      },
    ],
  },
  {
    title: "an unpublished signing key",
    given: async (state) => {
      await placePrivateKey(join(state.files, "other"), otherKey);
      await writeFile(join(state.files, "other", "serviceaccount-signer.public"), otherKey.publicPem);
      return { signingKeyPath: join(state.files, "other", "serviceaccount-signer.private") };
    },
    rows: [
      {
        row: "issuer-keys/issuer",
        breaks: () => Promise.resolve(),
        evidence: new RegExp(`key ${otherKey.kid} of .* is not among the 1 key at`),
        follow: firstLine,
      },
    ],
  },
];
