/** The check of the load balancer's parts: Cluster API and cloud.conf find them by the infra id, and by nothing else. */
import { advise } from "../../errors/advice.js";
import type { LoadBalancer } from "@azure/arm-network";
import { missingParts } from "../../steps/load-balancer.js";
import { broken, holds } from "../check.js";
import { checkInstance, type CheckInstance } from "../check-instance.js";
import { infraChecks } from "./checks.js";
import { liveOf, type InfraSnapshot } from "./snapshot.js";
import type { ResourceLinks } from "./resources.js";

export function balancerParts({ names, create }: InfraSnapshot, { sound, subject }: ResourceLinks): CheckInstance<undefined> {
  return checkInstance(infraChecks["balancer-parts"], subject, { sound }, ({ sound: planned }) => {
    const live = liveOf<LoadBalancer>(planned);
    const name = names.loadBalancer;
    const missing = missingParts(live, name);
    if (missing.length === 0) return holds(`all four are named ${name}`);
    const seen = (kind: (typeof missing)[number]) => live[kind]?.map((part) => part.name ?? "").join(", ") || "none";
    return broken(
      missing.map((kind) => `${kind}[${name}]: nothing, there is ${seen(kind)}`).join("; "),
      advise`${create} puts it back beside what is there; what was renamed, take away afterwards`,
    );
  });
}
