/** All check instances of the infrastructure: of each resource, between resources, and of obstacles. */
import type { Azure } from "../../azure/azure.js";
import { Failure } from "../../errors/failure.js";
import { resourceTypes, type ResourceType } from "../../domain/resource-types.js";
import { resourceOf, type Step } from "../../engine/step.js";
import { type CheckInstance, checkInstance } from "../../verify/check-instance.js";
import { portsCheck } from "./egress.js";
import { linkChecks, publicNamesHidden, publicZoneDelegated, zoneOverlap } from "./dns.js";
import { networkChecks } from "./network.js";
import { infraSnapshot, type GivenInfra, type InfraSnapshot } from "./snapshot.js";
import { conformance, resourceLinks, type ResourceLinks } from "../../verify/planned-resources.js";
import { roleCheckInstances } from "./roles.js";
import { advise } from "../../errors/advice.js";
import type { LoadBalancer } from "@azure/arm-network";
import { missingParts } from "../steps/balancer-parts.js";
import { failed, passed } from "../../verify/check.js";
import { infraChecks } from "./checks.js";
import { liveOf, idOf } from "../../verify/planned-step.js";
import { listDenyAssignments } from "../../azure/deny-assignments.js";
import type { LiveAssignment } from "../steps/role-assignments.js";
import { checkDenials, type GivenRole } from "../../verify/denied-roles.js";
import { checkLocks } from "../../verify/locks.js";

const { virtualNetwork, networkSecurityGroup, loadBalancer, publicDnsZone, privateDnsZone, virtualNetworkLink } = resourceTypes;

/** In the order of the report. `steps`: the steps of the plan, needs first. */
export function infraCheckInstances(azure: Azure, steps: readonly Step<unknown>[], given: GivenInfra): CheckInstance[] {
  const snapshot = infraSnapshot(azure, given);
  const resources = new Map<string, ResourceLinks>();
  const instances: CheckInstance[] = [];
  const ofType = (type: string) => [...resources.values()].find(({ step }) => resourceOf(step)?.type === type);
  const present = (links: ResourceLinks | undefined, what: string): ResourceLinks => {
    if (links === undefined) throw new Failure("ARO-BUG-001", `no ${what} to verify`);
    return links;
  };
  const existsOfType = ({ type, label }: ResourceType) => present(ofType(type), label);
  const existing = (ids: readonly string[]) => Object.fromEntries(ids.map((id) => [id, present(resources.get(id), `step "${id}"`).exists]));

  for (const step of steps.filter((one) => resourceOf(one) !== undefined)) {
    const isLink = resourceOf(step)?.type === virtualNetworkLink.type;
    const overlap = isLink ? zoneOverlap(snapshot, step, existsOfType(privateDnsZone), existsOfType(virtualNetwork)) : undefined;
    const container = step.within === undefined ? [] : [step.within];
    const links = resourceLinks(snapshot, step, { ...existing(container), ...(overlap && { overlap }) });
    resources.set(step.id, links);
    const { own, beside } = special(links);
    const hidden = overlap && publicNamesHidden(snapshot, existsOfType(privateDnsZone), overlap);
    instances.push(
      ...(overlap && hidden ? [overlap, hidden] : []),
      ...links.instances,
      ...Object.values(own),
      // A comparison with another resource is meaningless if that resource does not exist.
      ...conformance(snapshot, links, { ...existing(step.needs), ...own }),
      ...beside,
    );
  }
  const ofRoles = steps.filter((step) => resourceOf(step) === undefined);
  return [...instances, ...roleCheckInstances(snapshot, ofRoles, resources), ...obstacleChecks(snapshot)];

  /** The checks of one resource type; `own` cover parts that the general comparison then leaves out. */
  function special(links: ResourceLinks): { own: Readonly<Record<string, CheckInstance>>; beside: readonly CheckInstance[] } {
    switch (resourceOf(links.step)?.type) {
      case virtualNetwork.type: {
        const { subnet, independent: beside } = networkChecks(snapshot, links, ofType(networkSecurityGroup.type));
        return { own: subnet, beside };
      }
      case virtualNetworkLink.type:
        return { own: linkChecks(snapshot, links, existsOfType(virtualNetwork)), beside: [] };
      case loadBalancer.type:
        return { own: { parts: balancerParts(snapshot, links), ports: portsCheck(snapshot, links) }, beside: [] };
      case publicDnsZone.type:
        return { own: {}, beside: [publicZoneDelegated(snapshot, links)] };
      default:
        return { own: {}, beside: [] };
    }
  }
}

/** Checks the parts of the load balancer, which Cluster API and cloud.conf find only by the infra ID. */
function balancerParts({ spec, names, create }: InfraSnapshot, { sound, subject }: ResourceLinks): CheckInstance<undefined> {
  return checkInstance(infraChecks["balancer-parts"], subject, { sound }, ({ sound: planned }) => {
    const live = liveOf<LoadBalancer>(planned);
    const name = names.loadBalancer;
    const missing = missingParts(live, name, spec.egress);
    if (missing.length === 0) return passed(`all that it needs are named ${name}`);
    const seen = (kind: (typeof missing)[number]) => live[kind]?.map((part) => part.name ?? "").join(", ") || "none";
    return failed(
      missing.map((kind) => `${kind}[${name}] is missing; found: ${seen(kind)}`).join("; "),
      advise`${create} adds the missing part to the existing ones; afterwards, delete the renamed one`,
    );
  });
}

/** Checks for what stops controllers and commands despite their roles: deny assignments and management locks. */
function obstacleChecks(snapshot: InfraSnapshot): CheckInstance<undefined>[] {
  const { azure, spec, plan } = snapshot;
  const subject = `cluster ${spec.cluster.infraId}`;
  const ids = plan.steps.flatMap((planned) => planned.step.resourceId ?? idOf(planned) ?? []).filter((id) => id !== "");
  const denials = checkInstance(infraChecks["deny-assignments"], subject, {}, async () => {
    const all = await listDenyAssignments(azure, spec.subscriptionId);
    return checkDenials(all, all.length === 0 ? [] : await givenRoles(snapshot), ids);
  });
  const locks = checkInstance(infraChecks["no-locks"], subject, {}, () =>
    checkLocks(azure, spec.subscriptionId, ids, "you create or destroy the cluster"),
  );
  return [denials, locks];
}

/** The role assignments that exist. */
async function givenRoles({ azure, plan }: InfraSnapshot): Promise<GivenRole[]> {
  const assigned = plan.steps.flatMap(({ step: { subject }, live }) => {
    if (subject?.kind !== "role-assignment" || live === undefined) return [];
    const { named, equal } = live as LiveAssignment;
    const { principalId = "", scope = "", roleDefinitionId = "" } = named ?? equal ?? {};
    return [{ component: subject.component ?? "", objectId: principalId, scope, roleDefinitionId }];
  });
  const { roleDefinitions } = await azure.authorization();
  const ids = [...new Set(assigned.map(({ roleDefinitionId }) => roleDefinitionId))];
  const roles = new Map(await Promise.all(ids.map(async (id) => [id, await roleDefinitions.getById(id)] as const)));
  return assigned.map(({ roleDefinitionId, ...role }) => ({ ...role, permissions: roles.get(roleDefinitionId)?.permissions }));
}
