/** A create of an existing cluster keeps what exists, and refuses a setting that contradicts it. */
import type { Azure } from "../../azure/azure.js";
import { infraIdsOfName } from "../../azure/own-resources.js";
import type { ClusterKey } from "../../domain/names.js";
import { Failure } from "../../errors/failure.js";
import { readInfraOutput } from "../../files/infra-output.js";
import type { RecordedOptions } from "../../files/recorded-options.js";
import { egressOptions } from "../../settings/infrastructure-options.js";
import { checkSettings } from "../../settings/resolve.js";
import type { Resolved } from "../../settings/settings.js";
import { leadsOut } from "../steps/egress.js";
import { sameText } from "../../text/same-text.js";
import { clusterInAzure } from "./cluster-in-azure.js";
import { changeText, differences, givenBy, keptFlags, shown, type ChangedOption, type Difference } from "../../run/option-record.js";
import { allowedWithoutIdentities, recordedOptions, requireValidRecord, settingsAsFound, withRecord } from "./recorded-options.js";
import { undefinedIfUnusable } from "../../files/read.js";

type Create = "create infra" | "create all";

export interface KeptOptions<C extends Create> {
  readonly resolved: Resolved<C>;
  /** Nothing of the cluster exists. */
  readonly isNew: boolean;
  readonly changed: readonly ChangedOption[];
  /** What the operator's output file of an earlier run records. */
  readonly inFile: RecordedOptions | undefined;
  /** The route table through which the cluster reaches the internet now, if the run changes the egress. */
  readonly routeTableId: string | undefined;
  /** One sentence for each change. */
  readonly warnings: readonly string[];
}

/**
 * What exists overrides the output file of an earlier run. `say` reports what is kept.
 * @throws ARO-OWN-001 if another cluster has the infra ID; ARO-OWN-002 if a setting contradicts what exists; ARO-USAGE-001 if one cannot be
 * combined with it
 */
export async function keepExisting<C extends Create>(
  azure: Azure,
  command: C,
  resolved: Resolved<C>,
  outputFile: string | undefined,
  say: (text: string) => void,
): Promise<KeptOptions<C>> {
  const { name, infraId } = resolved.settings;
  const inAzure = await clusterInAzure(azure, { name, infraId });
  if (inAzure.taken) throw inAzure.taken;
  if (!inAzure.exists) {
    await sayOfSameName(azure, { name, infraId }, say);
    // A file without its cluster is left over from a cluster that was destroyed.
    return { resolved, isNew: true, changed: [], inFile: undefined, routeTableId: undefined, warnings: [] };
  }
  const inFile = await recordInFile(outputFile, { name, infraId }, azure.connection.subscriptionId);
  const found = await settingsAsFound(azure, { name, infraId }, inAzure, withRecord(resolved, inFile), say);
  const { options: existing, routeTableId } = found;
  const otherInFile = inFile === undefined ? [] : differences(recordedOptions, existing, inFile);
  if (otherInFile.length > 0) {
    const flags = otherInFile.map(({ option }) => option).join(", ");
    say(
      `notice: what exists and ${String(outputFile)} have different values of ${flags}; this run keeps what exists, and writes it to the file`,
    );
  }
  const merged = withRecord(resolved, { ...inFile, ...existing }, existing);
  const given = givenBy(resolved);
  const differing = differences(recordedOptions, existing, { ...existing, ...given }).filter(({ key }) => !refusedBySteps.has(key));
  const refused = differing.filter(({ key }) => !(resolved.settings.changeEgress && isOfEgress(key)));
  if (refused.length > 0) throw contradicted(infraId, refused);
  await requireUsable(command, merged, infraId, existing);
  const kept = keptFlags(recordedOptions, resolved, merged);
  if (kept !== "") say(`notice: ${infraId} keeps what exists for it: ${kept}`);
  const isRouted = resolved.settings.changeEgress && routeTableId !== undefined && (await leadsOut(azure, routeTableId));
  return {
    resolved: merged,
    isNew: false,
    changed: differing.map(({ key: _key, ...change }) => change),
    inFile,
    routeTableId: isRouted ? routeTableId : undefined,
    warnings: differing.map((one) => `${changeText(one)}${one.key === "egress" ? interruption : ""}`),
  };
}

/** A forgotten or mistyped infra ID makes a second cluster, instead of changing the first. */
async function sayOfSameName(azure: Azure, { name, infraId }: ClusterKey, say: (text: string) => void): Promise<void> {
  const others = await infraIdsOfName(azure, name);
  if (others.length === 0) return;
  say(
    `notice: cluster ${name} exists with infra ID ${others.join(", ")}, and this run creates a second one, ${infraId}; to change one that exists, pass its --infra-id`,
  );
}

const interruption = "; open outbound connections are interrupted, and new ones have other addresses";

/** Undefined if the file belongs to another cluster. @throws ARO-FILE-003 for an invalid record */
async function recordInFile(
  path: string | undefined,
  { name, infraId }: ClusterKey,
  subscriptionId: string,
): Promise<RecordedOptions | undefined> {
  const document = path === undefined ? undefined : await undefinedIfUnusable(readInfraOutput(path));
  if (document === undefined) return undefined;
  const { infraID, clusterName = name, subscriptionID = subscriptionId, options } = document;
  return infraID === infraId && clusterName === name && sameText(subscriptionID, subscriptionId)
    ? requireValidRecord(options, path ?? "")
    : undefined;
}

async function requireUsable<C extends Create>(
  command: C,
  { settings, origins }: Resolved<C>,
  infraId: string,
  { resourceGroupName }: RecordedOptions,
): Promise<void> {
  const { problems } = await checkSettings(command, settings, origins);
  const wrong = problems
    .filter(({ key }) => !(allowedWithoutIdentities.has(key) && origins[key]?.source === "record"))
    .map(({ origin, message }) => ({ origin, message }));
  if (resourceGroupName !== undefined && command === "create all") {
    wrong.push({
      origin: "existing --resource-group-name",
      message: `its resources are in resource group ${resourceGroupName}: create all cannot use it, but create identities and create infra can`,
    });
  }
  if (wrong.length === 0) return;
  throw new Failure("ARO-USAGE-001", `a setting cannot be combined with what exists for ${infraId}`, { problems: wrong });
}

/** Steps refuse these with the resource that has the other value. */
const refusedBySteps: ReadonlySet<string> = new Set(["location", "vnetCidr", "subnetCidr"]);

function isOfEgress(key: string): boolean {
  return egressOptions.some((one) => one === key);
}

function contradicted(infraId: string, refused: readonly Difference[]): Failure {
  return new Failure("ARO-OWN-002", `${infraId} exists with other settings`, {
    problems: refused.map(({ option, recorded, now }) => ({
      origin: option,
      message: `the cluster has ${shown(recorded)}, and this run would have ${shown(now)}`,
    })),
    next: [
      ...(refused.some(({ key }) => isOfEgress(key)) ? ["to change the egress of the cluster, add --change-egress"] : []),
      ...(refused.every(({ key }) => isOfEgress(key))
        ? []
        : ["the cluster keeps these settings while it exists: for others, choose another --infra-id"]),
      "to keep what exists, pass what the cluster has",
    ],
  });
}
