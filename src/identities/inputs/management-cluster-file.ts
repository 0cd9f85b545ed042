/** The file of --management-cluster-file: what a command would otherwise be given by hand about the management cluster. */
import type { Connection } from "../../azure/connection.js";
import type { SignedIn } from "../../azure/signed-in.js";
import { advise, aroHcp, type Advice } from "../../errors/advice.js";
import { Failure, type Problem } from "../../errors/failure.js";
import { readAksCluster, type AksClusterInput } from "../../files/aks-cluster-output.js";
import type { Origin, Resolved, SettingKey } from "../../settings/settings.js";
import type { CommandName } from "../../settings/commands.js";
import { sameText } from "../../text/same-text.js";
import { subscriptionInFile, type SubscriptionInFile } from "../../run/subscription.js";

export interface ManagementClusterFile {
  readonly path: string;
  readonly input: AksClusterInput;
  /** The identity of the add-on azureKeyvaultSecretsProvider. */
  readonly addOn: NonNullable<AksClusterInput["keyVaultAddOn"]>;
  /** `file:line` of the value under these keys. */
  at(...keys: string[]): string;
}

/**
 * Undefined without a file.
 * @throws ARO-FILE-001 to 003, also for a cluster that is not finished: its add-on has no identity yet
 */
export async function readManagementCluster(path: string | undefined): Promise<ManagementClusterFile | undefined> {
  if (path === undefined) return undefined;
  const { input, at } = await readAksCluster(path, "management-cluster");
  const { keyVaultAddOn: addOn } = input;
  if (addOn === null) {
    throw new Failure("ARO-FILE-003", `${at(["keyVaultAddOn"])} has no identity of the Key Vault add-on`, {
      because: `create management-cluster did not finish for ${input.name}`,
      next: [
        advise`rerun it: ${aroHcp("create management-cluster", { name: input.name, outputFile: path })}; it writes the identity to the file`,
      ],
    });
  }
  return { path, input, addOn, at: (...keys) => at(keys) };
}

/** Its subscription, for a command without another one. */
export function subscriptionOfCluster(file: ManagementClusterFile | undefined): SubscriptionInFile | undefined {
  const found = subscriptionInFile(file?.input.subscriptionID, file?.path);
  return found && { ...found, flag: "--management-cluster-file" };
}

/** Where the command works, or what another file says about it; undefined values are not compared. */
export interface AzurePlace {
  readonly cloud?: string | undefined;
  readonly subscriptionId?: string | undefined;
  readonly tenantId?: string | undefined;
}

/** The place that an output file of create infra names. */
export function infraPlace(
  infra:
    | { readonly cloud?: string | undefined; readonly subscriptionID?: string | undefined; readonly tenantID?: string | undefined }
    | undefined,
): AzurePlace {
  return { cloud: infra?.cloud, subscriptionId: infra?.subscriptionID, tenantId: infra?.tenantID };
}

/** The same for the place of the run: `tenantId` is the signed-in one. @throws ARO-USAGE-001 */
export function requireRunPlace(
  file: ManagementClusterFile | undefined,
  { cloud, subscriptionId }: Connection,
  { tenantId }: SignedIn,
  instead: Advice,
): void {
  requireSamePlace(file, { cloud: cloud.name, subscriptionId, tenantId }, "this run", instead);
}

/**
 * `where` names the other place: "this run", or a file. `instead` is for a cluster that really is in another subscription of the tenant.
 * @throws ARO-USAGE-001 for a file of another cloud, tenant or subscription
 */
export function requireSamePlace(file: ManagementClusterFile | undefined, place: AzurePlace, where: string, instead?: Advice): void {
  if (file === undefined) return;
  const { input, at, path } = file;
  const pairs = [
    ["cloud", "cloud", place.cloud],
    ["tenantID", "tenant", place.tenantId],
    ["subscriptionID", "subscription", place.subscriptionId],
  ] as const;
  const wrong = pairs.filter(([key, , expected]) => expected !== undefined && expected !== "" && !sameText(input[key], expected));
  if (wrong.length === 0) return;
  const problems = wrong.map(([key, what, expected]): Problem => {
    return { origin: at(key), message: `${what} is "${input[key]}", but ${where} has "${String(expected)}"` };
  });
  const onlySubscription = wrong.every(([key]) => key === "subscriptionID");
  throw new Failure("ARO-USAGE-001", `${path} belongs to a management cluster elsewhere in Azure`, {
    problems,
    next: [
      "pass the file of the management cluster that will run this cluster",
      ...(onlySubscription && instead !== undefined ? [advise`if it is the right one, ${instead}`] : []),
    ],
  });
}

type IdKey = "clientID" | "objectID";
const otherId = { clientID: "objectID", objectID: "clientID" } as const satisfies Record<IdKey, IdKey>;
const names = { clientID: "client ID", objectID: "object ID" } as const;

/**
 * The add-on's ID from the setting or from the file.
 * @throws ARO-USAGE-001 if both have one and they differ
 */
export function addOnId(
  { settings, origins }: Pick<Resolved<CommandName>, "settings" | "origins">,
  key: Extract<SettingKey, "keyVaultReaderObjectId" | "keyVaultUserClientId">,
  file: ManagementClusterFile | undefined,
): string | undefined {
  const given = (settings as Readonly<Partial<Record<SettingKey, unknown>>>)[key] as string | undefined;
  if (file === undefined) return given;
  const id: IdKey = key === "keyVaultReaderObjectId" ? "objectID" : "clientID";
  const known = file.addOn[id];
  if (given !== undefined && !sameText(given, known)) throw conflict(given, origins[key], file, id);
  return known;
}

function conflict(given: string, origin: Origin | undefined, file: ManagementClusterFile, id: IdKey): Failure {
  const place = file.at("keyVaultAddOn", id);
  const isOther = sameText(given, file.addOn[otherId[id]]);
  const message = isOther
    ? `"${given}" is the add-on's ${names[otherId[id]]}; its ${names[id]} is "${file.addOn[id]}" (${place})`
    : `is "${given}", but ${place} has "${file.addOn[id]}"`;
  return new Failure("ARO-USAGE-001", `--management-cluster-file has another ${names[id]} of the Key Vault add-on`, {
    problems: [{ origin: origin?.label ?? "--management-cluster-file", message }],
    next: ["leave out the setting: the file is enough"],
  });
}

/** Who reads the vault of an identity set that is created: the add-on of the management cluster in the file, or another principal. */
export interface SetReader {
  readonly objectId: string | undefined;
  /** The subscription of the management cluster, for a command without another one. */
  readonly subscription: SubscriptionInFile | undefined;
  /** @throws ARO-USAGE-001 if the management cluster is not where the run creates the set */
  requireRunPlace(connection: Connection, caller: SignedIn): void;
}

/** @throws ARO-FILE-001 to 003, and ARO-USAGE-001 if setting and file name different principals */
export async function setReader(resolved: Resolved<"create all" | "create identities" | "graph">): Promise<SetReader> {
  const file = await readManagementCluster(resolved.settings.managementClusterFile);
  // A cluster in another subscription of the tenant can read the set too.
  const instead = `pass --key-vault-reader-object-id ${file?.addOn.objectID ?? ""} instead of the file`;
  return {
    objectId: addOnId(resolved, "keyVaultReaderObjectId", file),
    subscription: subscriptionOfCluster(file),
    requireRunPlace: (connection, caller) => requireRunPlace(file, connection, caller, instead),
  };
}
