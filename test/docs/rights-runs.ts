/** Runs each command of docs/least-privilege.md as a principal that has its permissions, and no others. */
import { randomUUID } from "node:crypto";
import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { grantName } from "../../src/domain/role-assignment-name.js";
import { parseResourceId } from "../../src/domain/resource-id.js";
import { wellKnown } from "../../src/emulator/index.js";
import { roleIds as generalRoles } from "../../src/emulator/state/well-known.js";
import {
  arcExtensionFlags,
  arcFlags,
  clusterFlags,
  createManagementFlags,
  createServiceFlags,
  fleetFlags,
  iamFlags,
  infraFlags,
  managementFlags,
  serviceFlags,
  setFlags,
  wholeFlags,
  writeDemoFiles,
  zoneFlags,
} from "../../tools/demo-cluster.js";
import { preparedGroups, type Place, type Row } from "../../tools/least-privilege.js";
import { exits } from "../cli/expectations.js";
import { placePrivateKey, testKey } from "../issuer/signing-keys.js";
import type { CliResult } from "../harness/cli.js";
import { madeOnce } from "../harness/made-once.js";
import { changeState } from "../harness/state-changes.js";
import { realTime, testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { application, client, clientPrincipalId, given, subscription } from "../verify/other-client.js";
import {
  creates,
  features,
  filesIn,
  givenVault,
  issuerFlags,
  roleIdOf,
  type Command,
  type Feature,
  type FeatureName,
} from "./rights-features.js";

interface Run {
  readonly feature: FeatureName;
  /** The feature does not exist yet; its resource groups do. */
  readonly isNew: boolean;
  readonly command: Command;
  /** The requests that may be refused: a role that the command assigns itself is not in effect yet, or what it reads is optional. */
  readonly mayBeRefused: RegExp;
}

const makes = (feature: FeatureName, command: Command, mayBeRefused = /^$/): Run => ({ feature, isNew: true, command, mayBeRefused });
const uses = (feature: FeatureName, command: Command, mayBeRefused = /^$/): Run => ({ feature, isNew: false, command, mayBeRefused });

const local = ["--cloud", "local"] as const;
const ofVault = /\.vault\.azure\.net\//;
/** Without a key of etcd, nothing needs them. */
const ofKeys = /\.vault\.azure\.net\/(?:deleted)?keys/;

/** By the commands in the table, with their flags. */
export const runs: Readonly<Record<string, Run>> = {
  "create all": makes("all", creates.all),
  doctor: makes("all", () => ["doctor", ...wholeFlags]),
  "destroy all": uses("all", () => ["destroy", "all", ...clusterFlags]),
  "create fleet": makes("all", (directory) => ["create", "fleet", ...fleetFlags(directory)]),
  "verify fleet": uses("all", (directory) => ["verify", "fleet", ...fleetFlags(directory)]),
  "destroy fleet": uses("all", (directory) => ["destroy", "fleet", ...fleetFlags(directory)]),
  "create infra": makes("infra", creates.infra),
  "create infra --assign-identity-roles": makes("infra", creates.infraWithRoles),
  "show infra": uses("infra", (directory) => ["show", "infra", ...infraFlags(filesIn(directory))]),
  "show settings": uses("infra", () => ["show", "settings", "show", "infra", ...clusterFlags]),
  "verify infra": uses("infra", (directory) => [
    ...["verify", "infra", ...local, "--infra-file", join(directory, "infra.json")],
    ...["--managed-identities-file", filesIn(directory).managedIdentities],
    ...["--data-plane-identities-file", filesIn(directory).dataPlaneIdentities],
  ]),
  "adopt infra": uses("hypershiftInfra", () => ["adopt", "infra", ...clusterFlags]),
  "destroy infra": uses("infra", () => ["destroy", "infra", ...clusterFlags]),
  "create identities": makes("identities", creates.identities),
  "rotate credentials": uses("identities", () => ["rotate", "credentials", ...setFlags, "--component", "cpo"]),
  "verify estate": uses("arcSecrets", () => ["verify", "estate", ...local]),
  budget: uses("all", () => ["budget", ...local]),
  list: uses("all", () => ["list", ...local]),
  audit: uses("all", () => ["audit", ...local]),
  sweep: uses("leftovers", (directory) => {
    return ["sweep", ...local, "--yes", "--max", "9", "--output-journal", join(directory, `${randomUUID()}.ndjson`)];
  }),
  "show all": uses("all", () => ["show", "all", ...clusterFlags]),
  "verify all": uses("all", (directory) => ["verify", "all", ...local, "--input-dir", join(directory, "demo")]),
  "show identities": uses("identities", () => ["show", "identities", ...setFlags]),
  "verify identities": uses("all", (directory) => ["verify", "identities", ...local, "--input-dir", join(directory, "demo")]),
  "destroy identities": uses("identities", () => ["destroy", "identities", ...setFlags]),
  "create identities --key-vault-id": makes("givenVault", creates.identitiesInGivenVault, ofVault),
  "destroy identities --key-vault-id": uses(
    "givenVault",
    () => ["destroy", "identities", ...setFlags, "--key-vault-id", givenVault],
    ofKeys,
  ),
  "create encryption-key": uses("identities", creates.encryptionKey),
  "rotate encryption-key": uses("encryptionKey", () => ["rotate", "encryption-key", ...setFlags], ofVault),
  "show encryption-key": uses("encryptionKey", () => ["show", "encryption-key", ...setFlags]),
  "destroy encryption-key": uses("encryptionKey", () => ["destroy", "encryption-key", ...setFlags], ofVault),
  "create oidc-issuer": makes("issuer", creates.issuer),
  "adopt oidc-issuer": uses("ccoctlIssuer", () => ["adopt", "oidc-issuer", ...issuerFlags]),
  "destroy oidc-issuer": uses("issuer", () => ["destroy", "oidc-issuer", ...issuerFlags]),
  "create iam": makes("iam", creates.iam),
  "show iam": uses("iam", () => ["show", "iam", ...iamFlags]),
  "adopt iam": uses("hypershiftIam", () => ["adopt", "iam", ...iamFlags]),
  "destroy iam": uses("iam", () => ["destroy", "iam", ...iamFlags]),
  "create management-cluster": makes("management", creates.management),
  "doctor management-cluster": makes("management", () => ["doctor", "management-cluster", ...createManagementFlags]),
  "show management-cluster": uses("management", () => ["show", "management-cluster", ...managementFlags]),
  "verify management-cluster": uses("management", (directory) => [
    ...["verify", "management-cluster", ...local, "--management-cluster-file", join(directory, "management-cluster.json")],
  ]),
  "destroy management-cluster": uses("management", () => ["destroy", "management-cluster", ...managementFlags]),
  "create service-cluster": makes("service", creates.service),
  "doctor service-cluster": makes("service", () => ["doctor", "service-cluster", ...createServiceFlags], ofVault),
  "show service-cluster": uses("service", () => ["show", "service-cluster", ...serviceFlags]),
  "verify service-cluster": uses("service", (directory) => [
    ...["verify", "service-cluster", ...local, "--service-cluster-file", join(directory, "service-cluster.json")],
  ]),
  "destroy service-cluster": uses("service", () => ["destroy", "service-cluster", ...serviceFlags]),
  "create arc": makes("arc", creates.arc),
  "wait arc": uses("agents", () => ["wait", "arc", ...arcFlags]),
  "create arc extension": uses("agents", creates.arcExtension),
  "show arc extension": uses(
    "arcExtension",
    () => ["show", "arc", "extension", ...arcExtensionFlags],
    /\/policyStates\/latest\/summarize\?/,
  ),
  "destroy arc extension": uses("arcExtension", () => ["destroy", "arc", "extension", ...arcExtensionFlags]),
  "create arc secrets": uses("agents", creates.arcSecrets),
  "show arc": uses("arcSecrets", () => ["show", "arc", ...arcFlags]),
  "verify arc": uses("arcSecrets", () => ["verify", "arc", ...arcFlags]),
  "destroy arc --purge": uses("arcSecrets", () => ["destroy", "arc", ...arcFlags, "--purge"]),
  "destroy arc": uses("arcSecrets", () => ["destroy", "arc", ...arcFlags]),
  "create dns-zone": makes("zone", creates.zone),
  "show dns-zone": uses("zone", () => ["show", "dns-zone", ...zoneFlags]),
  "verify dns-zone": uses("zone", (directory) => [
    ...["verify", "dns-zone", ...zoneFlags, "--external-dns-identity", "service-principal"],
    ...["--external-dns-credentials-file", join(directory, "external-dns.json")],
  ]),
  "destroy dns-zone": uses("zone", (directory) => [
    ...["destroy", "dns-zone", ...zoneFlags],
    ...["--external-dns-credentials-file", join(directory, "external-dns.json")],
  ]),
};

const takesYes = /^(?:create|destroy|rotate|adopt)$/;

async function runIn(azure: TestEmulator, command: Command): Promise<CliResult> {
  const credentials = azure.path("creds.json");
  const { subscriptionId, tenantId } = wellKnown;
  await writeFile(credentials, JSON.stringify({ subscriptionId, tenantId, ...client }), { mode: 0o600 });
  const words = command(azure.path("files"));
  return azure.cli([...words, "--azure-creds", credentials, ...(takesYes.test(words[0] ?? "") ? ["--yes"] : [])]);
}

/** Has the roles that the creates assign to the signed-in principal: they are no part of the permissions, and a destroy removes them. */
const colleague = "c01e0000-0000-4000-8000-000000000001";

/** A copy of a state that the principal has made with all permissions. It has none left. */
async function stateOf(name: FeatureName, isNew = false): Promise<TestEmulator> {
  const { places, seed = [], after, made, isReal }: Feature = features[name];
  const env = isReal ? realTime : {};
  const open = async (folder: string) => {
    const azure = await testEmulator({ prepared: join(folder, "azure"), env });
    await cp(join(folder, "files"), azure.path("files"), { recursive: true });
    return azure;
  };
  const folder = await madeOnce(`rights-${name}${isNew ? "-groups" : ""}`, async (directory) => {
    const azure = after === undefined || isNew ? await testEmulator({ env }) : await stateOf(after as FeatureName);
    if (after === undefined || isNew) {
      writeDemoFiles(azure.path("files"));
      await placePrivateKey(azure.path("files/demo"), testKey());
      exits(await azure.cli(["create", "key-pair", "--output-dir", azure.path("files/demo")]), 0);
    }
    for (const document of [...seed, application(), given(generalRoles.owner)]) await azure.seed(document);
    if (isNew) await azure.seed(groupSeed(places.groups ?? []));
    else await make(azure, made);
    await changeState(azure, ({ roleAssignments }) => {
      for (const [key, assignment] of Object.entries(roleAssignments)) {
        if (assignment.principalId !== clientPrincipalId) continue;
        delete roleAssignments[key];
        const { scope, roleDefinitionId, name } = assignment;
        const { name: role } = parseResourceId(roleDefinitionId);
        if (name !== grantName(clientPrincipalId, role, scope)) continue;
        const given = { ...assignment, principalId: colleague, name: grantName(colleague, role, scope) };
        const id = `${scope}/providers/Microsoft.Authorization/roleAssignments/${given.name}`;
        roleAssignments[id.toLowerCase()] = { ...given, id };
      }
    });
    await cp(azure.directory, join(directory, "azure"), { recursive: true });
    await cp(azure.path("files"), join(directory, "files"), { recursive: true });
  });
  return open(folder);
}

async function make(azure: TestEmulator, made: Feature["made"]): Promise<void> {
  if (isCommand(made)) exits(await runIn(azure, made), 0);
  else await made(azure);
}

function isCommand(made: Feature["made"]): made is Command {
  return Object.values<Feature["made"]>(creates).includes(made);
}

function groupSeed(ids: readonly string[]) {
  const tagsOf = (id: string) => preparedGroups.find(({ names }) => names.some((name) => id.endsWith(`/${name}`)))?.tags ?? {};
  return { resources: Object.fromEntries(ids.map((id) => [id, { location: "eastus", tags: tagsOf(id) }])) };
}

export interface RightsResult extends CliResult {
  /** The requests that were refused for a missing permission, with their answers. */
  readonly refused: readonly string[];
}

/** The command, as a principal with Reader on the subscription and these permissions. */
export async function runWith(name: string, { grants, graph }: Pick<Row, "grants" | "graph">): Promise<RightsResult> {
  const { feature, isNew, command, mayBeRefused } = runs[name] ?? makes("infra", () => [name]);
  const azure = await stateOf(feature, isNew);
  const scopes: Feature["places"] = { subscription: [subscription], ...features[feature].places };
  const roleAssignments = [{ on: "subscription" as Place, roles: ["Reader"] }, ...grants].flatMap(({ on, roles }) =>
    roles.flatMap((role) => (scopes[on] ?? []).map((scope) => ({ scope, role: roleIdOf(role), principalId: clientPrincipalId }))),
  );
  await azure.seed({ ...application(graph === undefined ? [] : [graph]), roleAssignments });
  const result = await runIn(azure, command);
  const refused = (await azure.traffic()).filter(({ status, url }) => status === 403 && !mayBeRefused.test(url));
  return { ...result, refused: refused.map(({ method, url, responseBody }) => `${method} ${url}: ${JSON.stringify(responseBody)}`) };
}
