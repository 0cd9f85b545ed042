/** The parts of the load balancer that create sets, and how they differ from those in Azure. */
import type { FrontendIPConfiguration, LoadBalancer, OutboundRule } from "@azure/arm-network";
import { outboundNames, portsPerNode, type Egress } from "../../domain/egress.js";
import { parseResourceId, sameId } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import type { Change } from "../../engine/step.js";
import { Failure } from "../../errors/failure.js";
import { sameText } from "../../text/same-text.js";

interface Outbound {
  /** The IDs of public IP addresses that create makes. */
  readonly addressIds: readonly string[];
  /** Existing prefixes, with the number of their addresses. */
  readonly prefixes: readonly { readonly id: string; readonly addresses: number }[];
  readonly egress: Egress;
}

/** Each has the name of the load balancer, which Cluster API and cloud.conf expect; further frontends have it with a number. */
export function egressParts(balancerId: string, name: string, { addressIds, prefixes, egress }: Outbound) {
  const sources = [...addressIds.map((id) => ({ publicIPAddress: { id } })), ...prefixes.map(({ id }) => ({ publicIPPrefix: { id } }))];
  const names = outboundNames(name, sources.length);
  const count = addressIds.length + prefixes.reduce((sum, { addresses }) => sum + addresses, 0);
  return {
    frontendIPConfigurations: sources.map((source, at) => ({
      name: names[at] ?? name,
      ...source,
      privateIPAllocationMethod: "Dynamic",
    })),
    backendAddressPools: [{ name }],
    probes: [{ name, protocol: "Http", port: 30595, requestPath: "/healthz", intervalInSeconds: 5, probeThreshold: 2 }],
    outboundRules:
      sources.length === 0
        ? []
        : [
            {
              name,
              protocol: "All",
              allocatedOutboundPorts: portsPerNode(egress, count),
              enableTcpReset: true,
              idleTimeoutInMinutes: 4,
              backendAddressPool: { id: `${balancerId}/backendAddressPools/${name}` },
              frontendIPConfigurations: names.map((frontend) => ({ id: `${balancerId}/frontendIPConfigurations/${frontend}` })),
            },
          ],
  } satisfies LoadBalancer;
}

export type EgressParts = ReturnType<typeof egressParts>;
const partKinds = resourceTypes.loadBalancer.parts;

/** The kinds of parts that have no part with the name, except for those that the way out does not need. */
export function missingParts(live: LoadBalancer, name: string, { type }: Pick<Egress, "type">): (typeof partKinds)[number][] {
  const needed = partKinds.filter((kind) => type !== "user-defined-routing" || !ofOutboundRule.includes(kind));
  return needed.filter((kind) => !live[kind]?.some((part) => part.name === name));
}

const ofOutboundRule: readonly string[] = ["frontendIPConfigurations", "outboundRules"];

/** Adds missing parts again. Keeps changed parts, because the change may be intended, unless the run chooses the egress. */
export function balancerDifferences(
  what: string,
  live: LoadBalancer,
  name: string,
  wanted: EgressParts,
  egress: Egress,
): Change[] | Failure {
  if (live.sku?.name !== "Standard") {
    return new Failure("ARO-OWN-002", `${what} is ${live.sku?.name ?? "Basic"}, not Standard`, {
      because: "only a Standard load balancer has outbound rules, and its SKU cannot be changed in place",
      next: ["delete it and rerun the command"],
    });
  }
  const frontends = live.frontendIPConfigurations ?? [];
  const wrong = wanted.frontendIPConfigurations.find((one) =>
    frontends.some((part) => part.name === one.name && !sameSource(part, one) && !(egress.isChosen && isOfEgress(part, name))),
  );
  if (wrong) {
    const address = frontends.find((part) => part.name === wrong.name);
    return new Failure("ARO-OWN-002", `frontend "${wrong.name}" of ${what} has a different public IP address`, {
      because: `${sourceOf(address) ?? "none"} is attached to it; changing it would change the cluster's outbound address`,
      next: ["attach the cluster's public IP address again, or delete the frontend and rerun the command"],
    });
  }
  const merged = mergeParts(live, wanted, name, egress);
  return partKinds.flatMap((kind) => changesOf(kind, live[kind] ?? [], merged[kind] ?? []));
}

/** One change for each part that is added, replaced or removed. */
function changesOf(kind: string, live: readonly { readonly name?: string }[], merged: readonly { readonly name?: string }[]): Change[] {
  const added = merged.filter((part) => !live.includes(part));
  const gone = live.filter((part) => !merged.includes(part));
  return [
    ...added.map((to) => ({ path: `${kind}[${to.name ?? ""}]`, from: gone.find(({ name }) => name === to.name), to })),
    ...gone
      .filter(({ name }) => !added.some((part) => part.name === name))
      .map((from) => ({ path: `${kind}[${from.name ?? ""}]`, from, to: undefined })),
  ];
}

/** The load balancer to write. Parts that stay are the same objects. */
export function mergeParts(live: LoadBalancer, wanted: EgressParts, name: string, egress: Egress): LoadBalancer {
  const { frontendIPConfigurations = [], outboundRules = [], backendAddressPools = [], probes = [] } = live;
  const named = <Part extends { readonly name?: string }>(parts: readonly Part[], more: readonly Part[]) => [
    ...parts,
    ...more.filter((part) => !parts.some((other) => other.name === part.name)),
  ];
  // Rules of the cloud provider may use a frontend of this name.
  const isFree = ({ loadBalancingRules = [], inboundNatRules = [] }: FrontendIPConfiguration) =>
    loadBalancingRules.length + inboundNatRules.length === 0;
  const isSurplus = (part: FrontendIPConfiguration) =>
    egress.isChosen &&
    isFree(part) &&
    isOutboundName(part.name, name) &&
    !wanted.frontendIPConfigurations.some((one) => one.name === part.name);
  const frontends = frontendIPConfigurations
    .filter((part) => !isSurplus(part))
    .map((part) => {
      const replaced = wanted.frontendIPConfigurations.find((one) => one.name === part.name);
      return replaced === undefined || sameSource(part, replaced) ? part : replaced;
    });
  const [rule] = wanted.outboundRules;
  const rules = outboundRules
    .filter((part) => rule !== undefined || part.name !== name)
    .map((part) => (part.name === name && rule !== undefined && egress.isChosen && !sameRule(part, rule) ? { ...part, ...rule } : part));
  return {
    ...live,
    frontendIPConfigurations: named(frontends, wanted.frontendIPConfigurations),
    backendAddressPools: named(backendAddressPools, wanted.backendAddressPools),
    probes: named(probes, wanted.probes),
    outboundRules: named<OutboundRule>(rules, wanted.outboundRules),
  };
}

/** `demo-x7k2`, `demo-x7k2-2` and so on. */
function isOutboundName(name: string | undefined, first: string): boolean {
  return name !== undefined && outboundNames(first).some((one) => sameText(one, name));
}

/** An address that create made for outbound connections, or a prefix: no other frontend has one. */
function isOfEgress({ publicIPAddress, publicIPPrefix }: FrontendIPConfiguration, name: string): boolean {
  const { id } = publicIPAddress ?? {};
  return publicIPPrefix !== undefined || (id !== undefined && isOutboundName(parseResourceId(id).name, name));
}

function sourceOf(part: FrontendIPConfiguration | undefined): string | undefined {
  return part?.publicIPAddress?.id ?? part?.publicIPPrefix?.id;
}

function sameSource(live: FrontendIPConfiguration, wanted: FrontendIPConfiguration): boolean {
  const [has, wants] = [sourceOf(live), sourceOf(wanted)];
  return has !== undefined && wants !== undefined && sameId(has, wants);
}

function sameRule(live: OutboundRule, wanted: EgressParts["outboundRules"][number]): boolean {
  const frontends = live.frontendIPConfigurations ?? [];
  const has = (id: string) => frontends.some((one) => sameId(one.id ?? "", id));
  return (
    live.allocatedOutboundPorts === wanted.allocatedOutboundPorts &&
    frontends.length === wanted.frontendIPConfigurations.length &&
    wanted.frontendIPConfigurations.every(({ id }) => has(id))
  );
}
