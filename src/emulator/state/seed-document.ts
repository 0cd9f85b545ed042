/** The schema of a seed document, which `local seed FILE` adds to the state. */
import { z } from "zod";
import { EmulatorInputError } from "../common/emulator-error.js";
import { schemaProblems } from "../common/schema-problems.js";
import { sampleUuid } from "./sampling.js";
import { freshSubscription } from "./seed.js";
import { directoryShape, seedDirectory } from "./seed-directory.js";
import { subscriptionStates } from "./seed-settings.js";
import type { AzureState } from "./state.js";

const guid = z.guid().transform((text) => text.toLowerCase());
const armId = z.string().regex(/^\/subscriptions\/[^/]+(\/[^/]+\/[^/]+)*$/i, "is not the id of a resource");
const tags = z.record(z.string(), z.string());
const members = z.record(z.string(), z.unknown());

const knobs = z.strictObject({
  pageSize: z.int().min(1).optional(),
  roleAssignmentLimit: z.int().min(0).optional(),
  publicIpLimit: z.int().min(0).optional(),
  coreQuotas: z.record(z.string(), z.int().min(0)).optional(),
  sizeZones: z.record(z.string(), z.array(z.string())).optional(),
  restrictedSizes: z.record(z.string(), z.array(z.string())).optional(),
  storageAccountLimit: z.int().min(0).optional(),
  recordSetLimit: z.int().min(0).optional(),
  replicationLagSeconds: z.number().min(0).optional(),
  identityLagSeconds: z.number().min(0).optional(),
  rightsLagSeconds: z.number().min(0).optional(),
  dataRightsLagSeconds: z.number().min(0).optional(),
  credentialLagSeconds: z.number().min(0).optional(),
  federationMissSeconds: z.number().min(0).optional(),
  directoryQuota: z.int().min(0).optional(),
  directorySize: z.int().min(0).optional(),
  certificateIssuance: z.record(z.string(), z.enum(["held", "rejected"])).optional(),
  missingRoles: z.array(guid).optional(),
  takenStorageNames: z.array(z.string()).optional(),
  notOffered: z.record(z.string(), z.array(z.string())).optional(),
  publicBlobPolicy: z.enum(["deny", "modify"]).optional(),
  vaultPolicy: z.literal("deny").optional(),
  deniedRoles: z.array(guid).optional(),
  apiServer: z.strictObject({ server: z.url({ protocol: /^https$/ }), certificateAuthorityData: z.base64(), token: z.string() }).optional(),
  subscriptionState: z.enum(subscriptionStates).optional(),
  resourceGraphLagSeconds: z.number().min(0).optional(),
  resourceGraphRowLimit: z.int().min(0).optional(),
  resourceGraphHiddenSubscriptions: z.array(guid).optional(),
});
export const knobNames = Object.keys(knobs.shape);

const seedDocument = z.strictObject({
  /** The seed of durations and IDs from now on. */
  seed: z.int().min(0).optional(),
  knobs: knobs.optional(),
  /** Registration states by namespace: `Microsoft.Network: NotRegistered`. */
  providers: z.record(z.string(), z.enum(["Registered", "NotRegistered", "Registering"])).optional(),
  /** Registration states of preview features: `Microsoft.Network/AllowBringYourOwnPublicIpAddress: Registered`. */
  features: z.record(z.string().regex(/^[\w.]+\/[\w.-]+$/), z.enum(["Registered", "NotRegistered", "Pending"])).optional(),
  /** Existing ones are changed. Who may read them depends on the role assignments alone. */
  subscriptions: z
    .array(
      z.strictObject({
        subscriptionId: guid,
        displayName: z.string().optional(),
        state: z.enum(subscriptionStates).optional(),
        tenantId: guid.optional(),
        managedByTenants: z.array(guid).optional(),
        managementGroup: z.string().optional(),
        tags: tags.optional(),
      }),
    )
    .default([]),
  /** Below the root group, or below the group that `parent` names. */
  managementGroups: z
    .array(
      z.strictObject({ name: z.string().regex(/^[\w.()-]{1,90}$/), displayName: z.string().optional(), parent: z.string().optional() }),
    )
    .default([]),
  /** Bodies as ARM accepts them in a PUT, by ID, each after those it refers to. Existing resources are replaced. */
  resources: z
    .record(
      armId,
      z.strictObject({
        location: z.string().optional(),
        tags: tags.optional(),
        sku: members.optional(),
        zones: z.array(z.string()).optional(),
        kind: z.string().optional(),
        identity: members.optional(),
        managedBy: z.string().optional(),
        properties: members.optional(),
      }),
    )
    .default({}),
  /** The agents of these connected clusters, by the cluster's ID, report from now on. The cluster exists, or is one of the resources. */
  arcAgents: z
    .record(
      armId,
      z.strictObject({
        agentVersion: z.string().default("1.31.4"),
        kubernetesVersion: z.string().default("1.31.6"),
        totalNodeCount: z.int().min(0).default(3),
        totalCoreCount: z.int().min(0).default(24),
        /** What Helm says of extensions that do not install, by extension type. */
        helmErrors: z.record(z.string(), z.string()).default({}),
        /** What Gatekeeper found, by the name of the policy assignment. */
        violations: z.record(z.string(), z.int().min(0)).default({}),
      }),
    )
    .default({}),
  identities: z
    .array(
      z.strictObject({
        id: armId,
        location: z.string().default("eastus"),
        clientId: guid.optional(),
        principalId: guid.optional(),
        tags: tags.optional(),
      }),
    )
    .optional(),
  ...directoryShape,
  /** Role assignments of managed HSMs, which their own access control has, apart from the roles in Azure. */
  localRoleAssignments: z
    .array(
      z.strictObject({
        /** The name of the HSM. */
        managedHsm: z.string(),
        scope: z.string().regex(/^\/(keys(\/[\w-]+)?)?$/, "is not /, /keys or /keys/NAME"),
        /** GUID of the role definition. */
        role: guid,
        principalId: guid,
      }),
    )
    .optional(),
  roleAssignments: z
    .array(
      z.strictObject({
        scope: z.union([armId, z.literal("/"), z.string().regex(/^\/providers\/Microsoft.Management\/managementGroups\/[^/]+$/i)]),
        /** GUID of the role definition. */
        role: guid,
        principalId: guid,
        principalType: z.enum(["ServicePrincipal", "User", "Group", "ForeignGroup", "Device"]).default("ServicePrincipal"),
        createdOn: z.iso.datetime({ offset: true }).optional(),
        updatedOn: z.iso.datetime({ offset: true }).optional(),
        createdBy: guid.optional(),
        description: z.string().optional(),
        condition: z.string().optional(),
        conditionVersion: z.literal("2.0").optional(),
        delegatedManagedIdentityResourceId: z.string().optional(),
        /** GUID; random if absent. */
        name: guid.optional(),
      }),
    )
    .optional(),
});

export type SeedDocument = z.infer<typeof seedDocument>;
type LocalRoleAssignment = NonNullable<SeedDocument["localRoleAssignments"]>[number];

/** @throws EmulatorInputError that names every wrong key and value. */
export function parseSeedDocument(document: unknown): SeedDocument {
  // Schemas drop it silently, because an assignment to it would change an object's prototype.
  const path = pathOfProto(document);
  if (path !== undefined) throw new EmulatorInputError(`the seed document is not valid: ${path}: is a key that no document may have`);
  const parsed = seedDocument.safeParse(document);
  if (parsed.success) return parsed.data;
  throw new EmulatorInputError(`the seed document is not valid: ${schemaProblems(parsed.error)}`);
}

/** The first key `__proto__` in a document, with the keys that lead there: `resources.__proto__`. */
function pathOfProto(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, below] of Object.entries(value)) {
    const rest = key === "__proto__" ? "" : pathOfProto(below);
    if (rest !== undefined) return rest === "" ? key : `${key}.${rest}`;
  }
  return undefined;
}

/** Adds its new subscriptions, which can be written until `applySeed` gives them their states. */
export function addSubscriptions(state: AzureState, { subscriptions }: SeedDocument): void {
  for (const { subscriptionId, displayName = subscriptionId } of subscriptions) {
    if (state.subscriptions.some((held) => held.subscriptionId === subscriptionId)) continue;
    state.subscriptions.push(freshSubscription(subscriptionId, displayName));
  }
}

/** Adds the document to the state, except for its resources and their agents. */
export function applySeed(state: AzureState, document: SeedDocument, now: number): void {
  if (document.seed !== undefined) state.seed = document.seed;
  if (document.knobs !== undefined) state.knobs = { ...state.knobs, ...withoutUndefined(document.knobs) };
  for (const subscription of state.subscriptions) {
    Object.assign(subscription.providers, document.providers);
    if (document.features !== undefined) subscription.features = { ...subscription.features, ...document.features };
    const seeded = document.subscriptions.find(({ subscriptionId }) => subscriptionId === subscription.subscriptionId);
    Object.assign(subscription, withoutUndefined(seeded ?? {}));
  }
  for (const identity of document.identities ?? []) {
    // IDs as this provider answers them.
    const id = identity.id.replace(/\/resourceGroups\//i, "/resourcegroups/");
    state.resources[id.toLowerCase()] = {
      id,
      name: id.split("/").at(-1) ?? "",
      type: "Microsoft.ManagedIdentity/userAssignedIdentities",
      location: identity.location,
      tags: identity.tags ?? {},
      createdAt: now,
      properties: {
        tenantId: state.tenantId,
        principalId: identity.principalId ?? sampleUuid(state),
        clientId: identity.clientId ?? sampleUuid(state),
      },
    };
  }
  seedDirectory(state, document, now);
  for (const assignment of document.localRoleAssignments ?? []) assignLocally(state, assignment);
  for (const { name, displayName = name, parent } of document.managementGroups) {
    state.managementGroups ??= {};
    state.managementGroups[name.toLowerCase()] = { name, displayName, ...(parent !== undefined && { parent }) };
  }
  for (const { scope, role, name = sampleUuid(state), ...assignment } of document.roleAssignments ?? []) {
    const id = `${scope === "/" ? "" : scope}/providers/Microsoft.Authorization/roleAssignments/${name}`;
    const subscription = /^\/subscriptions\/[^/]+/i.exec(scope)?.[0] ?? "";
    const roleDefinitionId = `${subscription}/providers/Microsoft.Authorization/roleDefinitions/${role}`;
    state.roleAssignments[id.toLowerCase()] = {
      ...withoutUndefined(assignment),
      id,
      name,
      scope,
      roleDefinitionId,
      createdOn: assignment.createdOn ?? new Date(now).toISOString(),
    };
  }
}

function assignLocally(state: AzureState, { managedHsm, scope, role, principalId }: LocalRoleAssignment): void {
  state.managedHsms ??= {};
  const held = (state.managedHsms[managedHsm.toLowerCase()] ??= { content: { secrets: {}, certificates: {} }, roleAssignments: [] });
  const roleDefinitionId = `Microsoft.KeyVault/providers/Microsoft.Authorization/roleDefinitions/${role}`;
  held.roleAssignments.push({ name: sampleUuid(state), scope, roleDefinitionId, principalId });
}

/** Without the keys whose value is undefined, which a schema leaves for absent ones. */
function withoutUndefined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as { [K in keyof T]: Exclude<T[K], undefined> };
}
