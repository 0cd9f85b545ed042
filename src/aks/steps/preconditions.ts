/** What must be true before an AKS cluster is created: preview features, and a free node resource group. */
import { featureResponse } from "../../azure/cluster-responses.js";
import { found } from "../../azure/long-running.js";
import { orRefused } from "../../azure/or-refused.js";
import { defineLookup, type Step } from "../../engine/step.js";
import { advise, shell, type ShellCommand } from "../../errors/advice.js";
import { quotedTitleOf } from "../../domain/resource-catalogue.js";
import { subscriptionScope } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { sameText } from "../../text/same-text.js";
import { refuse } from "../../steps/ownership-decision.js";
import type { AksContext } from "./context.js";
import type { LiveCluster } from "./live-cluster.js";

export interface NeededFeature {
  /** "Microsoft.Compute/EncryptionAtHost" */
  readonly name: string;
  /** What needs it, as a clause. */
  readonly because: string;
  /** How to do without it. */
  readonly instead: string;
}

const featureVersion = "2021-07-01";

/** The preview features that the cluster needs. */
export function neededFeatures({ egressIpTags, ingress, existing, features }: AksContext["spec"]): NeededFeature[] {
  const tags = [...(existing.outboundAddressId === undefined ? egressIpTags : []), ...(ingress?.ipTags ?? [])];
  return [
    ...(features.encryptionAtHost
      ? [
          {
            name: "Microsoft.Compute/EncryptionAtHost",
            because: "the nodes encrypt their disks and caches at the host",
            instead: "choose another --preset",
          },
        ]
      : []),
    ...(tags.some(({ type }) => type === "FirstPartyUsage")
      ? [
          {
            name: "Microsoft.Network/AllowBringYourOwnPublicIpAddress",
            because: "addresses with the IP tag FirstPartyUsage need it, and Microsoft enrolls only its own subscriptions",
            instead: "pass no --environment, --egress-ip-tags and --ingress-ip-tags",
          },
        ]
      : []),
  ];
}

/** "Registered", "NotRegistered", "Pending"; undefined if the permission to read it is missing. */
export async function featureState(
  { manager: open }: Pick<AksContext["azure"], "manager">,
  { subscriptionId }: Pick<AksContext["spec"], "subscriptionId">,
  { name }: NeededFeature,
): Promise<string | undefined> {
  const manager = await open();
  const path = `${subscriptionScope(subscriptionId)}/providers/Microsoft.Features/providers/${name.replace("/", "/features/")}`;
  const response = await orRefused(found(manager.get(path, featureVersion, featureResponse)));
  return response?.body.properties.state;
}

/** One step for each, so that a plan refuses all that are missing together. */
export function previewFeatures(context: AksContext, liveCluster: LiveCluster): Step<unknown>[] {
  return neededFeatures(context.spec).map((feature) => previewFeature(context, liveCluster, feature));
}

function previewFeature({ azure, spec }: AksContext, liveCluster: LiveCluster, feature: NeededFeature): Step<unknown> {
  const { name, because, instead } = feature;
  return defineLookup({
    id: `feature-${name}`,
    subject: { kind: "offer" },
    title: `feature ${name}`,
    needs: {},
    async read() {
      // An existing cluster shows that it was registered.
      return { state: (await liveCluster()) === undefined ? await featureState(azure, spec, feature) : "Registered" };
    },
    decide(live) {
      const { state } = live ?? {};
      if (state === undefined || state === "Registered") return { act: "use" };
      return refuse(
        name.startsWith("Microsoft.Network/") ? "ARO-SUB-007" : "ARO-SUB-006",
        `feature ${name} is ${state} in subscription ${spec.subscriptionId}`,
        { because, next: [advise`register it: ${registration(feature)}`, `or ${instead}`] },
      );
    },
    output: () => undefined,
  });
}

export function registration({ name }: NeededFeature): ShellCommand {
  const [namespace = "", feature = ""] = name.split("/");
  return shell`az feature register --namespace ${namespace} --name ${feature}`;
}

/** AKS creates this group, and refuses one that exists. */
export function nodeGroupName({ azure, spec }: AksContext, liveCluster: LiveCluster): Step<unknown> {
  const row = resourceTypes.resourceGroup;
  const name = spec.nodeGroupName;
  return defineLookup({
    id: "node-resource-group",
    subject: { kind: "offer" },
    title: `node resource group ${name}`,
    needs: {},
    async read() {
      const [live, group] = await Promise.all([
        liveCluster(),
        azure.resources().then(({ resourceGroups }) => found(resourceGroups.get(name))),
      ]);
      return { own: live?.nodeResourceGroup, group };
    },
    decide(live) {
      const { own, group } = live ?? {};
      if (own !== undefined || group === undefined || group.properties?.provisioningState === "Deleting") return { act: "use" };
      const isOwnGroup = sameText(name, spec.group.name);
      return refuse("ARO-OWN-003", `${quotedTitleOf(row, name)} exists already`, {
        because: `AKS creates the node resource group itself${isOwnGroup ? ", and it cannot be the group of the AKS cluster" : ""}`,
        next: ["choose another --node-resource-group-name, or delete that group if nobody needs it"],
      });
    },
    output: () => undefined,
  });
}
