/** Checks of the network: the workers' subnet, and overlapping addresses. */
import { advise, joinAdvice, shell } from "../../errors/advice.js";
import type { Subnet, VirtualNetwork } from "@azure/arm-network";
import type { PlannedStep } from "../../engine/plan.js";
import { Failure } from "../../errors/failure.js";
import { overlap, ovnNetworks, rangesOf, type Range } from "../../domain/address-range.js";
import { sameId } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { chooseSubnet, wrongSecurityGroup } from "../steps/existing-network.js";
import { subnetOf } from "../steps/network.js";
import { plural } from "../../text/plural.js";
import { failed, passed, type Finding } from "../../verify/check.js";
import { checkInstance, type CheckInstance } from "../../verify/check-instance.js";
import { infraChecks } from "./checks.js";
import { fromFailure } from "../../verify/from-plan.js";
import { idOf, liveOf } from "../../verify/planned-step.js";
import { precedenceCheck } from "./egress.js";
import { outboundChecks } from "./outbound.js";
import type { InfraSnapshot } from "./snapshot.js";
import type { ResourceLinks } from "../../verify/planned-resources.js";

/** `subnet`: checks that must pass before the general comparison of the network; `beside`: independent checks. */
export interface NetworkChecks {
  readonly subnet: Readonly<Record<string, CheckInstance>>;
  readonly independent: readonly CheckInstance[];
}

/** `nsg`: undefined if an existing subnet determines the network security group. */
export function networkChecks(snapshot: InfraSnapshot, vnet: ResourceLinks, nsg: ResourceLinks | undefined): NetworkChecks {
  const { subject } = vnet;
  const need = { vnet: vnet.sound };
  const exists = checkInstance(infraChecks["subnet-exists"], subject, need, (outputs) => findSubnet(snapshot, outputs.vnet));
  const attached = checkInstance(infraChecks["subnet-security-group"], subject, { exists, ...(nsg && { nsg: nsg.exists }) }, (outputs) =>
    checkSecurityGroup(snapshot, outputs.exists),
  );
  const delegation = checkInstance(infraChecks["subnet-delegation"], subject, { exists }, (outputs) => checkDelegation(outputs.exists));
  const addresses = checkInstance(infraChecks["subnet-addresses"], subject, { exists }, (outputs) => checkAddresses(outputs.exists));
  const ranges = checkInstance(infraChecks["network-ranges"], subject, need, (outputs) =>
    checkRanges(snapshot, liveOf<VirtualNetwork>(outputs.vnet)),
  );
  const peered = checkInstance(infraChecks["peering-connected"], subject, need, (outputs) =>
    checkPeerings(liveOf<VirtualNetwork>(outputs.vnet)),
  );
  const peerRanges = checkInstance(infraChecks["peering-ranges"], subject, need, (outputs) =>
    checkPeerRanges(snapshot, liveOf<VirtualNetwork>(outputs.vnet)),
  );
  return {
    subnet: { exists, attached },
    independent: [
      delegation,
      addresses,
      ranges,
      peered,
      peerRanges,
      precedenceCheck(snapshot, subject, exists),
      ...outboundChecks(snapshot.azure, subject, { subnet: exists, attached }),
    ],
  };
}

function isExisting({ spec: { existing } }: InfraSnapshot): boolean {
  return existing.vnetId !== undefined || existing.subnetId !== undefined;
}

function findSubnet(snapshot: InfraSnapshot, planned: PlannedStep): Finding<Subnet> {
  const vnet = liveOf<VirtualNetwork>(planned);
  const { spec, names, create } = snapshot;
  const subnet = isExisting(snapshot) ? chooseSubnet(planned.step.title, vnet, spec) : subnetOf(vnet, names.subnet);
  if (subnet instanceof Failure) return fromFailure(subnet);
  if (subnet === undefined) return failed(`the network has no subnet "${names.subnet}"`, advise`${create} adds it`);
  return passed(`${subnet.name ?? ""}, ${rangesIn(subnet).join(", ")}`, subnet);
}

function checkSecurityGroup(snapshot: InfraSnapshot, subnet: Subnet): Finding<undefined> {
  const { spec, create, plannedOf } = snapshot;
  const attached = subnet.networkSecurityGroup?.id;
  if (isExisting(snapshot)) {
    const wrong = wrongSecurityGroup(subnet, spec);
    return wrong === undefined ? passed(attached ?? "") : fromFailure(wrong);
  }
  const wanted = idOf(plannedOf(resourceTypes.networkSecurityGroup)) ?? "";
  if (attached === undefined) {
    return failed(
      "no network security group is attached, so the cloud provider's rules have no effect",
      advise`${create} attaches ${wanted}`,
    );
  }
  if (sameId(attached, wanted)) return passed(attached);
  return failed(
    `${attached} is attached, but the cloud provider writes its rules to ${wanted}`,
    advise`${shell`az network vnet subnet update --ids ${subnet.id ?? ""} --network-security-group ${wanted}`}, or, to keep the attached one, pass --network-security-group-id ${attached}; create infra does not change it for a running cluster`,
  );
}

function checkDelegation({ id = "", delegations = [] }: Subnet): Finding<undefined> {
  if (delegations.length === 0) return passed("not delegated");
  const services = delegations.map(({ serviceName, name }) => serviceName ?? name ?? "").join(", ");
  return failed(
    `it is delegated to ${services}, so it cannot contain virtual machines`,
    advise`use another subnet, or remove the delegation: ${shell`az network vnet subnet update --ids ${id} --remove delegations`}`,
  );
}

/** Azure reserves the first four addresses and the last one of every subnet: https://learn.microsoft.com/azure/virtual-network/virtual-networks-faq. */
const reservedByAzure = 5;

function checkAddresses(subnet: Subnet): Finding<undefined> {
  const usable = rangesOf(rangesIn(subnet)).reduce((sum, { first, last }) => sum + (last - first + 1) - reservedByAzure, 0);
  const used = subnet.ipConfigurations?.length ?? 0;
  if (used < usable) return passed(`${String(usable - used)} of ${String(usable)} are free`);
  return failed(
    `no address is free (${plural(usable, "usable address", "usable addresses")}), so no worker can be added`,
    "delete unused machines or network interfaces in the subnet, or pass a larger subnet with --subnet-id",
  );
}

function rangesIn({ addressPrefix, addressPrefixes }: Subnet): readonly string[] {
  return addressPrefixes ?? (addressPrefix === undefined ? [] : [addressPrefix]);
}

/** The ranges that pods route inside the cluster. */
function insideRanges({ podNetworks, serviceNetworks }: InfraSnapshot): { readonly range: Range; readonly what: string }[] {
  return [
    ...rangesOf(podNetworks).map((range) => ({ range, what: `the pod network ${range.canonical}` })),
    ...rangesOf(serviceNetworks).map((range) => ({ range, what: `the service network ${range.canonical}` })),
    ...ovnNetworks,
  ];
}

function overlaps(snapshot: InfraSnapshot, prefixes: readonly string[]): string[] {
  return rangesOf(prefixes).flatMap((range) =>
    insideRanges(snapshot)
      .filter((inside) => overlap(inside.range, range))
      .map(({ what }) => `${range.canonical} overlaps ${what}`),
  );
}

const otherRanges = advise`create the cluster with other ranges (${shell`hypershift create cluster azure --cluster-cidr ... --service-cidr ...`}), and verify with the same two flags`;

function checkRanges(snapshot: InfraSnapshot, vnet: VirtualNetwork): Finding<undefined> {
  const prefixes = vnet.addressSpace?.addressPrefixes ?? [];
  const found = overlaps(snapshot, prefixes);
  if (found.length === 0) return passed(prefixes.join(", "));
  return failed(`${found.join("; ")}: pods would route these addresses inside the cluster`, otherRanges);
}

function checkPeerRanges(snapshot: InfraSnapshot, { virtualNetworkPeerings = [] }: VirtualNetwork): Finding<undefined> {
  const found = virtualNetworkPeerings.flatMap(({ name = "", remoteAddressSpace, remoteVirtualNetworkAddressSpace }) =>
    overlaps(snapshot, (remoteVirtualNetworkAddressSpace ?? remoteAddressSpace)?.addressPrefixes ?? []).map((text) => `${name}: ${text}`),
  );
  if (found.length === 0) return passed(plural(virtualNetworkPeerings.length, "peering"));
  return failed(`${found.join("; ")}: pods cannot reach these addresses of the peered network`, otherRanges);
}

function checkPeerings({ virtualNetworkPeerings = [] }: VirtualNetwork): Finding<undefined> {
  const wrong = virtualNetworkPeerings.filter(
    ({ peeringState, peeringSyncLevel = "FullyInSync" }) => peeringState !== "Connected" || peeringSyncLevel !== "FullyInSync",
  );
  if (wrong.length === 0) return passed(plural(virtualNetworkPeerings.length, "peering"));
  const apart = wrong.filter(({ peeringState }) => peeringState !== "Connected");
  const connected = wrong.filter(({ peeringState }) => peeringState === "Connected");
  // Each side takes over the other's address space by its own sync.
  const local = connected.filter(({ peeringSyncLevel }) => peeringSyncLevel !== "RemoteNotInSync");
  const remote = connected.filter(({ peeringSyncLevel }) => peeringSyncLevel !== "LocalNotInSync");
  return failed(
    wrong
      .map(({ name = "", peeringState, peeringSyncLevel }) => `${name} is ${peeringState ?? "?"}, ${peeringSyncLevel ?? "?"}`)
      .join("; "),
    joinAdvice(
      [
        ...local.map(({ id = "" }) => shell`az network vnet peering sync --ids ${id}`),
        ...remote.map(
          ({ name = "", remoteVirtualNetwork: { id = "the other network" } = {} }) =>
            `sync the peering of ${id} with this network (az network vnet peering sync): ${name} shows that the other side has an outdated address space`,
        ),
        // A disconnected peering reconnects only if it is recreated on both sides.
        ...apart.map(({ id = "" }) => advise`${shell`az network vnet peering delete --ids ${id}`}, and create it again on both networks`),
      ],
      "; ",
    ),
  );
}
