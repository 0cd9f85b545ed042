/** The whole infrastructure as inspections: of each resource, of what is between them, and of what would be in the way. */
import type { Azure } from "../../azure/azure.js";
import { Failure } from "../../errors/failure.js";
import type { Step } from "../../engine/step.js";
import type { CheckInstance } from "../check-instance.js";
import { balancerParts } from "./balancer.js";
import { linkChecks, publicNamesHidden, publicZoneDelegated, zoneOverlap } from "./dns.js";
import { noLocks } from "./locks.js";
import { networkChecks } from "./network.js";
import { infraSnapshot, type GivenInfra } from "./snapshot.js";
import { conformance, soundness, type ResourceLinks } from "./resources.js";
import { roleCheckInstances } from "./roles.js";

/** Steps that are no resource of the cluster: who gets roles, and the roles. */
function isOfRoles({ id, assigns }: Step<unknown>): boolean {
  return id === "principals" || id === "hcp-roles" || assigns !== undefined;
}

/** `steps`: those of the plan, needs first. In the order they are told. */
export function infraCheckInstances(azure: Azure, steps: readonly Step<unknown>[], given: GivenInfra): CheckInstance[] {
  const snapshot = infraSnapshot(azure, given);
  const resources = new Map<string, ResourceLinks>();
  const instances: CheckInstance[] = [];
  const get = (id: string): ResourceLinks => {
    const links = resources.get(id);
    if (links === undefined) throw new Failure("ARO-BUG-001", `there is no step "${id}" to verify`);
    return links;
  };
  const existing = (ids: readonly string[]) => Object.fromEntries(ids.map((id) => [id, get(id).exists]));

  for (const step of steps.filter((one) => !isOfRoles(one))) {
    const overlap = step.id === "private-zone-link" ? zoneOverlap(snapshot, step, get("private-zone"), get("vnet")) : undefined;
    const container = step.within === undefined ? [] : [step.within];
    const links = soundness(snapshot, step, { ...existing(container), ...(overlap && { overlap }) });
    resources.set(step.id, links);
    const { own, beside } = special(links);
    const hidden = overlap && publicNamesHidden(snapshot, get("private-zone"), overlap);
    instances.push(
      ...(overlap && hidden ? [overlap, hidden] : []),
      ...links.instances,
      ...Object.values(own),
      // What is compared with another resource says nothing where that is not there.
      ...conformance(snapshot, links, { ...existing(step.needs), ...own }),
      ...beside,
    );
  }
  return [...instances, ...roleCheckInstances(snapshot, steps.filter(isOfRoles), resources), noLocks(snapshot)];

  /** The checks of one kind of resource: `own` take their part of what it must be out of the comparison as a whole. */
  function special(links: ResourceLinks): { own: Readonly<Record<string, CheckInstance>>; beside: readonly CheckInstance[] } {
    switch (links.step.id) {
      case "vnet": {
        const { subnet, beside } = networkChecks(snapshot, links, resources.get("nsg"));
        return { own: subnet, beside };
      }
      case "private-zone-link":
        return { own: linkChecks(snapshot, links, get("vnet")), beside: [] };
      case "load-balancer":
        return { own: { parts: balancerParts(snapshot, links) }, beside: [] };
      case "public-zone":
        return { own: {}, beside: [publicZoneDelegated(snapshot, links)] };
      default:
        return { own: {}, beside: [] };
    }
  }
}
