/** The ingress of an AKS cluster: addresses, security rules, hostnames, TLS certificate, and their readers. */
import type { NetworkSecurityGroupOutput } from "../../infra/index.js";
import { inboundRules } from "../domain/ingress-rules.js";
import { recordNames } from "../domain/ingress-records.js";
import type { IngressSpec } from "../domain/cluster-spec.js";
import { networkContributor, secretsUser } from "../../domain/roles.js";
import type { Step } from "../../engine/step.js";
import type { IngressAddress, KnownAksCluster } from "../../files/aks-cluster-output.js";
import type { ManagedIdentityOutput } from "../../steps/managed-identity.js";
import { listedZones } from "../../steps/listed-zones.js";
import { zoneDelegation } from "../../steps/zone-delegation.js";
import type { ClusterOutput } from "./cluster.js";
import type { AksContext } from "./context.js";
import { documents, type DocumentedClusterStep } from "./documented.js";
import { certificateVault, ingressCertificate, type IngressCertificateOutput } from "./ingress-certificate.js";
import { addressRecord } from "./ingress-records.js";
import { publicAddress, type AddressOutput } from "./public-address.js";
import { regionalZone } from "./regional-zone.js";
import { roleOnResource } from "../../steps/role-on-resource.js";
import { securityRules } from "./security-rules.js";

export interface IngressNeeds {
  /** Undefined for an existing network: its owner decides what may enter. */
  readonly securityGroup: Step<NetworkSecurityGroupOutput> | undefined;
  readonly network: Step<unknown>;
  readonly identity: Step<ManagedIdentityOutput>;
  readonly cluster: Step<ClusterOutput>;
}

export interface IngressSteps {
  /** Dependencies first. */
  readonly steps: readonly Step<unknown>[];
  readonly documented: readonly DocumentedClusterStep[];
}

type Purpose = IngressAddress["purpose"];
type Addresses = Readonly<Partial<Record<Purpose, Step<AddressOutput>>>>;

/** A management cluster has only rules, unless it is given an address of its own. */
export function clusterIngress(context: AksContext, needs: IngressNeeds): IngressSteps {
  const { ingress } = context.spec;
  const addresses = ingress === undefined ? {} : addressesOf(context, ingress);
  const certificate = ingress && certificateSteps(context, ingress, needs.cluster);
  const steps = [
    ...Object.values(addresses),
    ...addressRoles(context, addresses, needs.identity),
    ...rulesOf(context, addresses, needs),
    ...(ingress ? recordSteps(context, ingress, addresses) : []),
    ...(certificate ?? []),
  ];
  return { steps, documented: documentedAddresses(addresses) };
}

function addressesOf({ azure, spec, names, group }: AksContext, { ipTags, ops }: IngressSpec): Addresses {
  const { cluster, location } = spec;
  const address = (id: string, name: string) => {
    const release = `delete the Kubernetes Service that uses ${name}, or its annotation azure-pip-name`;
    return publicAddress(azure, { cluster, location, id, name, ipTags, flag: "--ingress-ip-tags", release }, group);
  };
  return {
    ingress: address("ingress-public-ip", names.ingressAddress),
    ...(ops && { ops: address("ops-ingress-public-ip", names.opsIngressAddress) }),
  };
}

/** The cloud provider puts gateways at these addresses as the identity of the cluster. */
function addressRoles(context: AksContext, addresses: Addresses, identity: Step<ManagedIdentityOutput>): Step<unknown>[] {
  const holder = { name: "the AKS cluster", step: identity, objectIdIn: ({ principalId }: ManagedIdentityOutput) => principalId };
  return Object.entries(addresses).map(([purpose, address]) =>
    roleOnResource(context, {
      id: `role-${purpose}-address`,
      role: networkContributor,
      holder,
      scope: { title: address.title, step: address, idIn: ({ id }: AddressOutput) => id },
    }),
  );
}

function rulesOf(
  { azure, spec, securityGroup: justRead }: AksContext,
  addresses: Addresses,
  { securityGroup, network }: IngressNeeds,
): Step<unknown>[] {
  const rules = inboundRules(spec.cluster.kind, spec.ingress);
  if (securityGroup === undefined || rules.length === 0) return [];
  return [
    securityRules(azure, rules, securityGroup, addresses, {
      isExisting: spec.existing.networkSecurityGroupId !== undefined,
      after: network,
      justRead,
    }),
  ];
}

function recordSteps({ azure, spec }: AksContext, { domain, ops }: IngressSpec, addresses: Addresses): Step<unknown>[] {
  if (domain === undefined) return [];
  const zones = listedZones(azure);
  const zone = regionalZone(azure, domain, zones);
  const delegation =
    domain.delegate && addresses.ingress
      ? // The address is created first: a destroy looks for records only if the cluster has one.
        [zoneDelegation(azure, { owner: spec.cluster, zoneName: domain.zone, needs: { zone, address: addresses.ingress }, listed: zones })]
      : [];
  const records = recordNames(domain, ops).flatMap((record) => {
    const address = addresses[record.address];
    return address === undefined ? [] : [addressRecord(azure, spec.cluster, record, zone, domain.zone, address)];
  });
  return [zone, ...records, ...delegation];
}

/** The secrets provider may read this one secret of the vault, and no other. */
function certificateSteps(context: AksContext, { certificate: wanted }: IngressSpec, cluster: Step<ClusterOutput>): Step<unknown>[] {
  if (wanted === undefined) return [];
  const { azure, spec } = context;
  const vault = certificateVault(azure, wanted);
  const certificate = ingressCertificate(azure, spec.cluster, wanted, { vault, cluster });
  const role = roleOnResource(context, {
    id: "role-ingress-certificate",
    role: secretsUser,
    holder: {
      name: "the secrets provider",
      step: cluster,
      objectIdIn: ({ secretsProvider }: ClusterOutput) => secretsProvider?.objectId ?? "",
    },
    scope: {
      title: `secret ${wanted.name} of ${vault.title}`,
      step: certificate,
      idIn: ({ secretScope }: IngressCertificateOutput) => secretScope,
    },
  });
  return [vault, certificate, role];
}

function documentedAddresses(addresses: Addresses): DocumentedClusterStep[] {
  return (["ingress", "ops"] as const).flatMap((purpose) => {
    const step = addresses[purpose];
    if (step === undefined) return [];
    const facts = ({ id, ipAddress = "", ipTags }: AddressOutput, { ingressAddresses = [] }: KnownAksCluster) => {
      const others = ingressAddresses.filter((other) => other.purpose !== purpose);
      const own: IngressAddress = { id, ipAddress, ipTags, purpose };
      return { ingressAddresses: purpose === "ingress" ? [own, ...others] : [...others, own] };
    };
    return [documents(step, facts)];
  });
}
