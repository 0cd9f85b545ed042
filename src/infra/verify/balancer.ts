/** Checks the parts of the load balancer, which Cluster API and cloud.conf find only by the infra ID. */
import { advise } from "../../errors/advice.js";
import type { LoadBalancer } from "@azure/arm-network";
import { missingParts } from "../steps/balancer-parts.js";
import { failed, passed } from "../../verify/check.js";
import { checkInstance, type CheckInstance } from "../../verify/check-instance.js";
import { infraChecks } from "./checks.js";
import { liveOf } from "../../verify/from-plan.js";
import type { InfraSnapshot } from "./snapshot.js";
import type { ResourceLinks } from "../../verify/planned-resources.js";

export function balancerParts({ spec, names, create }: InfraSnapshot, { sound, subject }: ResourceLinks): CheckInstance<undefined> {
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
