/** What a command that changes Azure works on, and as whom: the header above its plan, and a member of its result document. */
import type { Azure } from "../azure/azure.js";
import { clouds } from "../azure/cloud.js";
import { signedIn, type SignedIn } from "../azure/signed-in.js";
import { factsText, type Fact } from "../render/facts.js";
import { type Painted, painted } from "../render/painted.js";
import type { ReportedPlace } from "./report-parts.js";
import type { RunContext } from "./run-context.js";

/** The names in the settings of a command. Only those that apply are present. */
export interface TargetNames {
  readonly location?: string | undefined;
  readonly cluster?: string | undefined;
  readonly infraId?: string | undefined;
  readonly identitySet?: string | undefined;
  readonly managementCluster?: string | undefined;
  readonly serviceCluster?: string | undefined;
  readonly connectedCluster?: string | undefined;
  readonly dnsZone?: string | undefined;
  /** Names and IDs of those that it changes something in, if that is not the one of the connection. */
  readonly subscriptions?: readonly string[] | undefined;
}

type Principal = Omit<SignedIn, "tenantId">;

export interface Target extends TargetNames {
  /** The value of `--cloud`. */
  readonly cloud: string;
  readonly subscriptionId: string;
  /** Where it comes from, if nothing of this run names it. */
  readonly subscriptionFrom?: "az";
  /** Undefined if the signed-in principal cannot read the subscription. */
  readonly subscriptionName: string | undefined;
  readonly tenantId: string | undefined;
  readonly signedInAs: Principal | undefined;
}

/** The subscription is read once, and a create checks it anyway. Never rejects: values that cannot be read are omitted, and the plan reports the reason. */
export async function targetOf(azure: Azure, names: TargetNames): Promise<Target> {
  const { connection } = azure;
  const orUndefined = <T>(read: Promise<T>): Promise<T | undefined> => read.catch(() => undefined);
  const [read, caller] = await Promise.all([orUndefined(azure.subscription()), orUndefined(signedIn(connection))]);
  return {
    cloud: Object.entries(clouds).find(([, profile]) => profile === connection.cloud)?.[0] ?? connection.cloud.name,
    subscriptionId: connection.subscriptionId,
    ...(connection.subscriptionFrom && { subscriptionFrom: connection.subscriptionFrom }),
    subscriptionName: read?.body.displayName,
    tenantId: caller?.tenantId ?? (connection.tenantId === "" ? undefined : connection.tenantId),
    signedInAs: caller && principalOf(caller),
    ...names,
  };
}

function principalOf({ tenantId: _tenantId, ...principal }: SignedIn): Principal {
  return principal;
}

/** Prints a plan below its header. */
export function showPlan({ show, people }: RunContext, target: Target | undefined, plan: Painted | undefined): void {
  const header = target && factsText(people, targetFacts(target));
  const parts = [header, plan].filter((part) => part !== undefined);
  if (parts.length > 0) show(painted(parts.join("\n\n")));
}

function targetFacts(target: Target): readonly Fact[] {
  const { cloud, tenantId, signedInAs, location, cluster, infraId } = target;
  return [
    ["cloud", cloud === "local" ? "local (the built-in emulator)" : cloud],
    ["subscription", target.subscriptions === undefined ? subscriptionText(target) : target.subscriptions.join(", ")],
    ["tenant", tenantId],
    ["signed in as", signedInAs && principalText(signedInAs)],
    ["location", location],
    ["cluster", cluster === undefined || infraId === undefined ? (cluster ?? infraId) : `${cluster}, infra ID ${infraId}`],
    ["management cluster", target.managementCluster],
    ["service cluster", target.serviceCluster],
    ["connected cluster", target.connectedCluster],
    ["DNS zone", target.dnsZone],
    ["identity set", target.identitySet],
  ];
}

/** The place of a run in the report. */
export function placeOf(target: Target): ReportedPlace {
  return { facts: targetFacts(target), cloud: target.cloud, tenantId: target.tenantId };
}

/** "Contoso dev (00000000-0000-0000-0000-000000000000), from az", or the ID in place of both. */
function subscriptionText({ subscriptionId, subscriptionName, subscriptionFrom }: Target): string {
  const text = subscriptionName === undefined ? subscriptionId : `${subscriptionName} (${subscriptionId})`;
  return subscriptionFrom === undefined ? text : `${text}, from ${subscriptionFrom}`;
}

function principalText({ principalType, objectId, clientId, name }: Principal): string {
  if (principalType === "User") return name === undefined ? `user ${objectId}` : `${name} (${objectId})`;
  return `service principal ${objectId}${clientId === undefined ? "" : ` of application ${clientId}`}`;
}
