/** All check instances of a management cluster or a service cluster. */
import type { Azure } from "../../azure/azure.js";
import { Failure } from "../../errors/failure.js";
import { recordNames, hostnameOf } from "../domain/ingress-records.js";
import { titleOf } from "../../domain/resource-catalogue.js";
import { resourceTypes, type ResourceType } from "../../domain/resource-types.js";
import { secretsUser } from "../../domain/roles.js";
import type { Step } from "../../engine/step.js";
import type { CheckInstance } from "../../verify/check-instance.js";
import { conformance, linksOf, type ResourceLinks } from "../../verify/planned-resources.js";
import { keyCheck, obstacleChecks, roleCheck } from "./access.js";
import { certificateChecks } from "./certificate.js";
import { clusterChecks } from "./cluster.js";
import { ipTagCheck, outboundCheck, snatCheck, subnetCheck } from "./egress.js";
import { inClusterCheckInstances } from "./in-cluster.js";
import { delegationCheck, recordCheck, ruleChecks, type IngressLinks } from "./ingress.js";
import { poolChecks } from "./pools.js";
import { aksSnapshot, isOf, type AksSnapshot, type GivenCluster } from "./snapshot.js";

type Own = Readonly<Record<string, CheckInstance>>;

const { managedCluster, agentPool, virtualNetwork, networkSecurityGroup, publicIpAddress, managedIdentity } = resourceTypes;
const { securityRule, addressRecord, nameServerRecord, publicDnsZone, vaultKey } = resourceTypes;

/** In the order of the report. `steps`: the steps of the create, needs first. */
export function aksCheckInstances(azure: Azure, steps: readonly Step<unknown>[], given: GivenCluster): CheckInstance[] {
  const snapshot = aksSnapshot(azure, given);
  const resources = linksOf(snapshot, steps);
  const find = (row: ResourceType, name?: string) =>
    [...resources.values()].find(({ step }) => isOf(step, row) && (name === undefined || step.title === titleOf(row, name)));
  const need = (row: ResourceType, name?: string): ResourceLinks => {
    const links = find(row, name);
    if (links === undefined) throw new Failure("ARO-BUG-001", `no ${row.label} ${name ?? ""} to verify`);
    return links;
  };
  const cluster = need(managedCluster);
  const ofCluster = clusterChecks(snapshot, cluster);
  const pools = poolChecks(snapshot, cluster, (name) => find(agentPool, name));
  const parts = partChecks(snapshot, { cluster, find, need });

  const own = (links: ResourceLinks): Own => ({
    ...(links === cluster && { ...ofCluster.own, outbound: parts.outbound }),
    ...pools.own.get(links.step.id),
    ...parts.own.get(links.step.id),
  });
  const exists = (ids: readonly string[]): Own =>
    Object.fromEntries(ids.flatMap((id) => (resources.has(id) ? [[id, (resources.get(id) ?? cluster).exists] as const] : [])));
  const ofResources = [...resources.values()].flatMap((links) => [
    ...links.instances,
    ...Object.values(own(links)),
    ...conformance(snapshot, links, { ...exists(links.step.needs), ...own(links) }),
  ]);
  const certificate = steps.find(({ subject }) => subject?.kind === "vault-object");
  const certificateVault = certificate && resources.get(certificate.needs[0] ?? "");
  const ofCertificate = certificate && certificateVault ? certificateChecks(snapshot, certificate, certificateVault) : undefined;
  const roles = steps
    .filter(({ subject }) => subject?.kind === "role-assignment")
    .map((step) => {
      const isAddOn = step.subject?.kind === "role-assignment" && step.subject.role === secretsUser.name;
      const isOnCertificate = certificate !== undefined && step.needs.includes(certificate.id);
      return roleCheck(snapshot, step, {
        ...exists(step.needs),
        ...(isAddOn && { addOn: ofCluster.addOn }),
        ...(isOnCertificate && ofCertificate && { certificate: ofCertificate[0] }),
      });
    });
  return [
    ...ofResources,
    ...ofCluster.beside,
    ...pools.beside,
    ...roles,
    ...parts.beside,
    ...(ofCertificate ?? []),
    ...obstacleChecks(snapshot, cluster, need(managedIdentity)),
    ...inClusterCheckInstances(snapshot, cluster, ofCluster.addOn),
  ];
}

interface Found {
  readonly cluster: ResourceLinks;
  find(row: ResourceType, name?: string): ResourceLinks | undefined;
  need(row: ResourceType, name?: string): ResourceLinks;
}

interface PartChecks {
  readonly outbound: CheckInstance;
  /** The checks by the ID of the step whose general comparison runs after them. */
  readonly own: ReadonlyMap<string, Own>;
  readonly beside: readonly CheckInstance[];
}

/** The checks of what belongs to the cluster: network, addresses, rules, records, and the key of etcd. */
function partChecks(snapshot: AksSnapshot, { cluster, find, need }: Found): PartChecks {
  const { spec, names } = snapshot;
  const own = new Map<string, Own>();
  const outbound = outboundLinks(snapshot, need);
  own.set(outbound.step.id, { tags: ipTagCheck(snapshot, outbound, spec.egressIpTags, spec.existing.outboundAddressId !== undefined) });
  const addresses: IngressLinks = {
    ...(spec.ingress && { ingress: need(publicIpAddress, names.ingressAddress) }),
    ...(spec.ingress?.ops === true && { ops: need(publicIpAddress, names.opsIngressAddress) }),
  };
  for (const address of Object.values(addresses))
    own.set(address.step.id, { tags: ipTagCheck(snapshot, address, spec.ingress?.ipTags ?? [], false) });
  const [rules, group] = [find(securityRule), find(networkSecurityGroup)];
  if (rules && group) own.set(rules.step.id, ruleChecks(snapshot, rules, group, addresses));
  const beside = [snatCheck(snapshot, cluster, outbound), subnetCheck(cluster, need(virtualNetwork))];
  const domain = spec.ingress?.domain;
  if (domain !== undefined) {
    for (const { name, address } of recordNames(domain, spec.ingress?.ops === true)) {
      const record = need(addressRecord, hostnameOf(name, domain.zone));
      const at = addresses[address];
      if (at !== undefined) own.set(record.step.id, { address: recordCheck(snapshot, record, at) });
    }
    const delegated = delegationCheck(snapshot, need(publicDnsZone));
    const delegation = find(nameServerRecord);
    if (delegation === undefined) beside.push(delegated);
    else own.set(delegation.step.id, { delegated });
  }
  const key = find(vaultKey);
  if (key !== undefined) own.set(key.step.id, { key: keyCheck(snapshot, key) });
  return { outbound: outboundCheck(snapshot, cluster, outbound), own, beside };
}

/** The created address, or the existing one. */
function outboundLinks({ spec, names }: AksSnapshot, need: Found["need"]): ResourceLinks {
  const id = spec.existing.outboundAddressId;
  return need(publicIpAddress, id === undefined ? names.outboundAddress : (id.split("/").at(-1) ?? ""));
}
