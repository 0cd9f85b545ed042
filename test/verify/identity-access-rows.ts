/** Rows of the checks of Entra, roles, issuer and federation. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { wellKnown } from "../../src/embedded-azure/index.js";
import type { Result } from "../../src/verify/check.js";
import { groupId, groups, subscription } from "../cli/demo-cluster.js";
import { placePrivateKey, testKey } from "../cli/signing-keys.js";
import { everyLine, firstLine, run } from "./advice.js";
import type { Fields } from "./credential-writing.js";
import { commandsIn, type HealthyWorld } from "./healthy-world.js";
import { change, identitiesFile, type Row, type Wave, type World } from "./identity-rows.js";
import { givenDocument } from "../../src/files/given-document.js";

const issuer = "https://demo.blob.core.windows.net/demo";
const nobody = "00000000-dead-4000-8000-000000000000";
const far = Date.parse("2100-01-01T00:00:00Z");
const reader = "acdd72a7-3385-48ef-bd42-f606fba81ae7";
const registryRole = "8b32b316-c2f5-4ddf-b05b-83dacd2d08b5";
const hcpRoles = { cpo: "fc0c873f-45e9-4d0d-a7d1-585aab30c6ed", capz: "88366f10-ed47-4cc0-9fab-c8a06148393e" } as const;

function applicationOf(world: World, component: string): World["applications"][number] {
  const found = world.applications.find(({ displayName }) => displayName === `demo-${component}`);
  if (found === undefined) throw new Error(`there is no application demo-${component}`);
  return found;
}

export function assignmentsOf(world: World, component: string) {
  const { servicePrincipalId } = applicationOf(world, component);
  return Object.entries(world.roleAssignments).filter(([, { principalId }]) => principalId === servicePrincipalId);
}

export function assign(world: World, scope: string, role: string, principalId: string, name: string): void {
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

/** On the managed group, what is under the name of each is held by the other. */
function crossed(world: World, ...components: readonly [string, string]): void {
  const [one, other] = components.map((component) =>
    assignmentsOf(world, component).find(([, { scope }]) => scope === groupId(groups.managed)),
  );
  if (one === undefined || other === undefined) throw new Error(`${components.join(" or ")} has no role`);
  const [[, first], [, second]] = [one, other];
  [first.principalId, second.principalId] = [second.principalId, first.principalId];
}

function federatedCredential(world: World, identity: string) {
  const [, found] = Object.entries(world.resources).find(([id]) => id.includes(`/${identity}-mi-demo/federatedidentitycredentials/`)) ?? [];
  if (found === undefined) throw new Error(`${identity} has no federated credential`);
  return found;
}

/** A row that breaks the world as no request could. */
function ofWorld(row: string, evidence: RegExp, alter: (world: World) => unknown, follow: Row["follow"], more: Partial<Row> = {}): Row {
  return { row, evidence, breaks: (world) => change(world, (stored) => void alter(stored)), follow, ...more };
}

/** The time passes that the advice wants waited. */
const wait =
  (passes: (world: World) => unknown): Row["follow"] =>
  async (world: HealthyWorld, { next }: Result) => {
    expect(next).toMatch(/wait 10 minutes/);
    await change(world, (stored) => void passes(stored));
  };

/** Puts the certificate of a component's secret where the advice looks for it. */
async function certificateFile(world: HealthyWorld, component: string): Promise<string> {
  const { secrets } = await world.azure.vaultContent(world.vault);
  const { value = "" } = await secrets.getSecret(`demo-${component}`);
  const pem = Buffer.from((JSON.parse(value) as Fields)["client_secret"] ?? "", "base64").toString();
  const path = join(world.files, "certificate.pem");
  await writeFile(path, pem.slice(0, pem.indexOf("-----BEGIN PRIVATE KEY")));
  return path;
}

/** Writes a blob of the issuer anew, as its owner may. */
async function publish({ azure }: HealthyWorld, path: string, edit: (text: string) => string): Promise<void> {
  const blobs = await azure.blobs();
  const blob = await blobs.read(`${issuer}/${path}`);
  if (blob === undefined) throw new Error(`there is no ${path}`);
  await blobs.write(`${issuer}/${path}`, { ...blob, text: edit(blob.text) }, blob.etag);
}

const otherKey = testKey();

export const accessWaves: readonly Wave[] = [
  {
    title: "Entra, roles and federation, each broken for another identity",
    rows: [
      ofWorld(
        "principal-exists/cpo",
        /AADSTS7000112/,
        (world) => {
          const principal = applicationOf(world, "cpo").servicePrincipal;
          if (principal) principal.disabled = true;
        },
        firstLine,
      ),
      ofWorld(
        "principal-exists/disk",
        /was deleted on/,
        (world) => {
          const gone = applicationOf(world, "disk");
          world.applications = world.applications.filter((each) => each !== gone);
          world.deletedApplications = [...(world.deletedApplications ?? []), { ...gone, deletedAt: Date.now() }];
        },
        firstLine,
      ),
      ofWorld(
        "sign-in/network",
        /AADSTS700027/,
        (world) => applicationOf(world, "network").keyCredentials?.forEach((key) => (key.addedAt = far)),
        wait((world) => applicationOf(world, "network").keyCredentials?.forEach((key) => (key.addedAt = 0))),
      ),
      ofWorld(
        "role-assigned/ingress",
        /has no Azure Red Hat OpenShift Cluster Ingress Operator/,
        (world) => {
          for (const [key] of assignmentsOf(world, "ingress").slice(0, 2)) Reflect.deleteProperty(world.roleAssignments, key);
        },
        everyLine,
      ),
      ofWorld(
        "role-name-free/image-registry",
        /create infra would delete it/,
        (world) => {
          const [key = "", own] = assignmentsOf(world, "image-registry")[0] ?? [];
          assign(world, groupId(groups.managed), registryRole, own?.principalId ?? "", "00000000-0000-4000-8000-00000000aaaa");
          const held = world.roleAssignments[key];
          if (held) world.roleAssignments[key] = { ...held, principalId: wellKnown.clientPrincipalId };
        },
        firstLine,
      ),
      ofWorld(
        "azure-read/cloud-provider",
        /AuthorizationFailed/,
        (world) => assignmentsOf(world, "cloud-provider").forEach(([, each]) => (each.actionsFrom = far)),
        async (world, result) => {
          // The other cause that it names is looked for as it says, and is not there.
          expect(await run(world, commandsIn(result)[0] ?? "")).toEqual({ value: [] });
          return wait((stored) => assignmentsOf(stored, "cloud-provider").forEach(([, each]) => (each.actionsFrom = 0)))(world, result);
        },
      ),
      ofWorld(
        `role-dangling/${groups.nsg}`,
        new RegExp(nobody),
        (world) => assign(world, groupId(groups.nsg), reader, nobody, "00000000-0000-4000-8000-00000000bbbb"),
        firstLine,
        { warning: true },
      ),
      ofWorld(
        "federation/azure-disk-MI",
        /issuer "https:\/\/demo[^"]*\/" is not "https:\/\/demo[^"]*[^/]" \(AADSTS700211\)/,
        (world) => (federatedCredential(world, "azure-disk").properties["issuer"] = `${issuer}/`),
        firstLine,
      ),
      ofWorld(
        "federated-sign-in/azure-file-MI",
        /AADSTS70021: no federated credential matches the token; Entra said: AADSTS70021: No matching/,
        (world) => {
          const identity = Object.values(world.resources).find(({ name }) => name === "azure-file-MI-demo");
          const subject = "system:serviceaccount:openshift-cluster-csi-drivers:azure-file-csi-driver-node-sa";
          world.federationMisses = { [JSON.stringify([String(identity?.properties["clientId"]), issuer, subject])]: far };
        },
        wait((world) => Reflect.deleteProperty(world, "federationMisses")),
      ),
    ],
  },
  {
    title: "a key that is not registered, a principal and a managed identity that are gone",
    rows: [
      ofWorld(
        "principal-exists/cpo",
        /application demo-cpo is there, its service principal is not/,
        (world) => {
          delete applicationOf(world, "cpo").servicePrincipalId;
          delete applicationOf(world, "cpo").servicePrincipal;
        },
        firstLine,
        { leaves: ["role-assigned/cpo failed"] },
      ),
      ofWorld(
        "application-key/network",
        /AADSTS700027/,
        (world) => (applicationOf(world, "network").keyCredentials = []),
        // "else", for an application that it did not make.
        async (world, result) =>
          void (await run(world, commandsIn(result)[1] ?? "", { "certificate.pem": await certificateFile(world, "network") })),
      ),
      ofWorld("application-key/file", /AADSTS700027/, (world) => (applicationOf(world, "file").keyCredentials = []), firstLine),
      ofWorld(
        "identity-exists/azure-disk-MI",
        /none of the 2 managed identities/,
        ({ resources }) => {
          for (const id of Object.keys(resources)) if (id.includes("/azure-disk-mi-demo")) Reflect.deleteProperty(resources, id);
        },
        async (world, result) => {
          const make = commandsIn(result).find((line) => line.startsWith("aro-hcp create identities"));
          await run(world, make ?? "");
          return { managedIdentities: await givenDocument(identitiesFile(world)) };
        },
        { leaves: ["role-assigned/azure-disk-MI failed"] },
      ),
    ],
  },
  {
    title: "an application that is gone for good",
    rows: [
      ofWorld(
        "principal-exists/ingress",
        /has no application and no service principal with client/,
        (world) => (world.applications = world.applications.filter((each) => each !== applicationOf(world, "ingress"))),
        async (world, result) => {
          await firstLine(world, result);
          return { managedIdentities: await givenDocument(identitiesFile(world)) };
        },
        { leaves: ["role-assigned/ingress failed"] },
      ),
    ],
  },
  {
    title: "the narrower roles, asked for and not there",
    given: () => Promise.resolve({ customHcpRoles: true }),
    rows: [
      ofWorld(
        "role-assigned/nodepool-mgmt",
        new RegExp(`${hcpRoles.capz}.*it has Contributor there, as without --assign-custom-hcp-roles`),
        () => undefined,
        everyLine,
      ),
      ofWorld(
        "role-defined/cpo",
        /RoleDefinitionDoesNotExist/,
        (world) => (world.knobs = { ...world.knobs, missingRoles: [hcpRoles.cpo] }),
        // "run without --assign-custom-hcp-roles, here and with `aro-hcp create infra`"
        async (world) => {
          await world.createAgain();
          return { customHcpRoles: false };
        },
      ),
    ],
  },
  {
    title: "documents of the issuer that are not public",
    rows: [
      ofWorld(
        "issuer-discovery/issuer",
        /409 PublicAccessNotPermitted; Entra answers AADSTS50166/,
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
      ofWorld(
        "role-assigned/disk",
        /held by file of set demo$/,
        (world) => crossed(world, "disk", "file"),
        async (world, { next }) => {
          expect(next).not.toMatch(/`az /);
          await world.createAgain();
        },
      ),
      ofWorld(
        "role-assigned/file",
        /held by disk of set demo$/,
        () => undefined,
        () => Promise.resolve(),
      ),
      ofWorld(
        "role-name-free/cpo",
        /held by nodepool-mgmt of set demo$/,
        (world) => crossed(world, "cpo", "nodepool-mgmt"),
        () => Promise.resolve(),
      ),
      ofWorld(
        "role-name-free/nodepool-mgmt",
        /held by cpo of set demo$/,
        () => undefined,
        () => Promise.resolve(),
      ),
    ],
  },
  {
    title: "an issuer whose storage account is gone",
    rows: [
      {
        row: "issuer-discovery/issuer",
        breaks: async ({ azure }) => (await azure.storage()).storageAccounts.delete("demo-oidc", "demo"),
        evidence: /there is no host demo\.blob\.core\.windows\.net: the storage account of the issuer is gone, or the address is wrong/,
        follow: firstLine,
      },
    ],
  },
  {
    title: "a discovery document that names another issuer",
    rows: [
      {
        row: "issuer-discovery/issuer",
        breaks: (world) => publish(world, ".well-known/openid-configuration", (text) => text.replace(`"${issuer}"`, `"${issuer}/"`)),
        evidence: /names the issuer "https:\/\/demo[^"]*\/", and tokens will name/,
        follow: firstLine,
      },
    ],
  },
  {
    title: "a key that is published with another algorithm",
    rows: [
      {
        row: "issuer-keys/issuer",
        breaks: (world) => publish(world, "openid/v1/jwks", (text) => text.replace("RS256", "RS512")),
        evidence: /is published with another alg; Entra answers AADSTS50013/,
        follow: firstLine,
      },
    ],
  },
  {
    title: "a signing key that is not among the published",
    given: async (world) => {
      await placePrivateKey(join(world.files, "other"), otherKey);
      await writeFile(join(world.files, "other", "serviceaccount-signer.public"), otherKey.publicPem);
      return { signingKeyPath: join(world.files, "other", "serviceaccount-signer.private") };
    },
    rows: [
      {
        row: "issuer-keys/issuer",
        breaks: () => Promise.resolve(),
        evidence: new RegExp(`key ${otherKey.kid} of .* is none of the 1`),
        follow: firstLine,
      },
    ],
  },
];
