/** `adopt infra`: finds the resources of a cluster by their names, confirms, and adds the ownership tags. */
import { findNamed, type NamedResource, type NameSearch } from "../azure/named-resources.js";
import { adoptionStep } from "../steps/adoption.js";
import { baseDomainIn, type ClusterKey } from "../domain/names.js";
import { Failure } from "../errors/failure.js";
import type { Resolved } from "../settings/settings.js";
import { plural } from "../text/plural.js";
import { clusterInAzure } from "./inputs/cluster-in-azure.js";
import { applyGraph } from "../run/apply.js";
import { lockPreflight } from "../run/create-preflight.js";
import { confirmByTyping } from "../run/consent.js";
import { targetOf } from "../run/target.js";
import { withConnection } from "../run/with-connection.js";
import type { ProcessPort } from "../run/process-port.js";

const command = "adopt infra";

export async function run({ settings, notices }: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const { name, infraId, baseDomain, resourceGroupName: existingGroup } = settings;
  return withConnection({ ...settings, command, consentTo: `adopting ${infraId}` }, notices, port, async (azure, context) => {
    const search: NameSearch = { cluster: { name, infraId }, existingGroup };
    const [{ taken }, found] = await Promise.all([clusterInAzure(azure, search.cluster), findNamed(azure, search)]);
    if (taken) throw taken;
    const named = withBaseDomain(found.named, baseDomain, search.cluster);
    if (named.length === 0) throw nothingFound(search, azure.connection.subscriptionId);
    if (found.others.length > 0) {
      context.say(
        `notice: ${plural(found.others.length, "resource")} in the same groups ${found.others.length === 1 ? "does" : "do"} not have a name of this cluster and will not be adopted: ${found.others.join(", ")}`,
      );
    }
    const adopted = new Set<string>();
    const { code } = await applyGraph(azure, context, settings, {
      command,
      subject: infraId,
      about: { infraId },
      target: targetOf(azure, { cluster: name, infraId }),
      steps: named.map((one) => adoptionStep(azure, search.cluster, { ...one, evidence: evidenceOf(one) })),
      preflight: lockPreflight(azure),
      confirm: (asking, target) => confirmByTyping(infraId, "the adoption", asking, target),
      onDone: ({ resourceId = "" }) => void adopted.add(resourceId),
      document: () => ({ adopted: [...adopted].toSorted(), notAdopted: found.others }),
    });
    return code;
  });
}

/** hypershift sets no tags: name, type and group show what it created. */
function evidenceOf({ namings }: NamedResource): string {
  return namings.includes("documented") ? "its name is the cluster's" : "its name is the one that hypershift gives in this cluster";
}

/**
 * The resources without the private zones of other base domains.
 * @throws ARO-USAGE-001 if there are zones of several base domains and none is specified
 */
function withBaseDomain(named: readonly NamedResource[], baseDomain: string | undefined, cluster: ClusterKey): readonly NamedResource[] {
  const domainOf = ({ id, namings: [naming] }: NamedResource) => {
    const zone = /\/privateDnsZones\/([^/]+)/i.exec(id)?.[1];
    return zone === undefined || naming === undefined ? undefined : baseDomainIn(zone, naming, cluster);
  };
  const domains = [...new Set(named.flatMap((one) => domainOf(one) ?? []))];
  if (baseDomain === undefined && domains.length > 1) {
    throw new Failure("ARO-USAGE-001", `the cluster has private zones of ${plural(domains.length, "base domain")}: ${domains.join(", ")}`, {
      next: ["pass the one to adopt as --base-domain"],
    });
  }
  return named.filter((one) => [undefined, baseDomain ?? domains[0]].includes(domainOf(one)));
}

function nothingFound({ cluster: { name, infraId }, existingGroup }: NameSearch, subscriptionId: string): Failure {
  const where = existingGroup === undefined ? "" : `resource group "${existingGroup}" of `;
  return new Failure("ARO-USAGE-001", `no resource of cluster ${name}/${infraId} was found in ${where}subscription ${subscriptionId}`, {
    because: "no resource group and no resource there has a name of this cluster",
    next: [
      "check --name, --infra-id and --subscription",
      ...(existingGroup === undefined ? ["if the cluster was created in an existing resource group, pass --resource-group-name"] : []),
    ],
  });
}
