/** Converts the output file of a cluster, or the settings of its create, to the input of the graph of its traffic. */
import type { ClusterFacts } from "../domain/cluster-flow.js";
import { aksClusterNames } from "../domain/cluster-names.js";
import { serviceTags, type AksClusterSpec } from "../domain/cluster-spec.js";
import { readIpTags, type IpTag } from "../../domain/ip-tags.js";
import type { AksClusterInput } from "../../files/aks-cluster-output.js";

/** Unfinished creates leave empty values, which are omitted. */
export function factsInFile(input: AksClusterInput): ClusterFacts {
  const { kind, name, ingressAddresses, options } = input;
  const text = (key: string) => (typeof options?.[key] === "string" ? options[key] : undefined);
  const addressIn = ({ id, ipAddress, ipTags }: AksClusterInput["egressAddresses"][number]) => ({ name: nameIn(id), ipAddress, ipTags });
  return {
    kind,
    name,
    location: input.location,
    securityGroup: input.networkSecurityGroupID === "" ? undefined : nameIn(input.networkSecurityGroupID),
    egress: input.egressAddresses.map(addressIn),
    ingress: ingressAddresses.map((address) => ({ ...addressIn(address), purpose: address.purpose })),
    sharedIngressTags: kind === "management-cluster" ? tagsIn(text("ingressIpTags")) : [],
    rules:
      ingressAddresses.length === 0
        ? undefined
        : {
            ops: ingressAddresses.some(({ purpose }) => purpose === "ops"),
            genevaServiceTag: text("genevaServiceTag") ?? serviceTags.geneva,
            sreServiceTag: text("sreServiceTag") ?? serviceTags.sre,
          },
    addOnClientId: input.keyVaultAddOn?.clientID,
    vaults: input.vaultIDs.map(nameIn),
    etcdKeyId: input.etcdKeyID === "" ? undefined : input.etcdKeyID,
  };
}

/** The addresses that a create would create have names, and no IP addresses yet. */
export function plannedFacts(spec: AksClusterSpec): ClusterFacts {
  const { cluster, existing, ingress } = spec;
  const names = aksClusterNames(cluster, spec.subscriptionId);
  const { outboundAddressId, networkSecurityGroupId, etcdKeyId } = existing;
  const addressOf = (name: string, ipTags: readonly IpTag[]) => ({ name, ipAddress: undefined, ipTags });
  return {
    ...cluster,
    location: spec.location,
    securityGroup: networkSecurityGroupId === undefined ? spec.securityGroupName : nameIn(networkSecurityGroupId),
    egress: [addressOf(outboundAddressId === undefined ? names.outboundAddress : nameIn(outboundAddressId), spec.egressIpTags)],
    ingress: [
      ...(ingress === undefined ? [] : [{ ...addressOf(names.ingressAddress, ingress.ipTags), purpose: "ingress" as const }]),
      ...(ingress?.ops === true ? [{ ...addressOf(names.opsIngressAddress, ingress.ipTags), purpose: "ops" as const }] : []),
    ],
    sharedIngressTags: [],
    rules: ingress,
    addOnClientId: undefined,
    vaults: spec.vaultIds.map(nameIn),
    etcdKeyId:
      etcdKeyId ?? (spec.features.etcdEncryption ? `https://${names.etcdVault}.vault.azure.net/keys/${names.etcdKey}/new` : undefined),
  };
}

function nameIn(id: string): string {
  return id.split("/").at(-1) ?? id;
}

/** Invalid tags are not shown. */
function tagsIn(text: string | undefined): readonly IpTag[] {
  const tags = readIpTags(text ?? "");
  return typeof tags === "string" ? [] : tags;
}
