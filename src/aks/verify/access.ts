/** Checks of role assignments, the key of etcd, deny assignments, locks and features of an AKS cluster. */
import { advise } from "../../errors/advice.js";
import { deniesOn, deniesPrincipal, listDenyAssignments } from "../../azure/deny-assignments.js";
import type { PlannedStep } from "../../engine/plan.js";
import type { Step } from "../../engine/step.js";
import { allows } from "../../domain/allowed-actions.js";
import { acrPull, secretsUser } from "../../domain/roles.js";
import type { ManagedIdentityOutput } from "../../steps/managed-identity.js";
import type { LiveKey } from "../steps/etcd-key.js";
import { featureState, neededFeatures, registration } from "../steps/preconditions.js";
import { failed, notChecked, passed } from "../../verify/check.js";
import { checkInstance, type CheckInstance } from "../../verify/check-instance.js";
import { fromDecision } from "../../verify/from-plan.js";
import { idOf, liveOf } from "../../verify/planned-step.js";
import { checkLocks } from "../../verify/locks.js";
import { decided, type ResourceLinks } from "../../verify/planned-resources.js";
import { aksChecks } from "./checks.js";
import type { AksSnapshot } from "./snapshot.js";
import { rfc3339 } from "../../text/rfc3339.js";

type Named = Readonly<Record<string, CheckInstance>>;

/** `needs`: what must exist before the assignment can. */
export function roleCheck(snapshot: AksSnapshot, step: Step<unknown>, needs: Named): CheckInstance<undefined> {
  return checkInstance(aksChecks[roleCheckOf(step)], step.title, needs, () => {
    const planned = decided(snapshot, step);
    if ("passed" in planned) return planned;
    if (planned.decision.act === "keep") return passed(planned.live === "not needed" ? "nothing to assign it on" : "assigned");
    return fromDecision(planned.decision, snapshot.create);
  });
}

/** The secrets provider reads secrets, the nodes pull images; all other roles are the cluster's. */
function roleCheckOf({ subject }: Step<unknown>): "identity-role" | "vault-addon-role" | "registry-role" {
  const role = subject?.kind === "role-assignment" ? subject.role : undefined;
  if (role === secretsUser.name) return "vault-addon-role";
  return role === acrPull.name ? "registry-role" : "identity-role";
}

/** Before the general comparison of the key. */
export function keyCheck({ create, now }: AksSnapshot, key: ResourceLinks): CheckInstance<undefined> {
  return checkInstance(aksChecks["etcd-key"], key.subject, { key: key.exists }, ({ key: seen }) => {
    const { key: { attributes } = {}, lostId, deleted } = liveOf<LiveKey>(seen);
    const seconds = (at: number | undefined) => (at === undefined ? undefined : new Date(at * 1000));
    const [begins, ends] = [seconds(attributes?.notBefore), seconds(attributes?.expires)];
    if (lostId !== undefined || deleted !== undefined || attributes?.enabled === false) return fromDecision(seen.decision, create);
    if (ends !== undefined && ends <= now()) return failed(`it expired on ${rfc3339(ends)}: AKS cannot decrypt etcd`, newKey);
    if (begins !== undefined && begins > now()) return failed(`it cannot be used before ${rfc3339(begins)}`, newKey);
    return passed(ends === undefined ? "enabled, without an end" : `enabled until ${rfc3339(ends)}`);
  });
}

const newKey = "let an owner of its vault extend the dates of this version, or create a new version and pass it as --etcd-key-id";

/** What the identity of the cluster does on its network and addresses. */
const neededActions = [
  "Microsoft.Network/virtualNetworks/subnets/join/action",
  "Microsoft.Network/publicIPAddresses/join/action",
  "Microsoft.ManagedIdentity/userAssignedIdentities/assign/action",
];

export function obstacleChecks(snapshot: AksSnapshot, cluster: ResourceLinks, identity: ResourceLinks): CheckInstance[] {
  const { azure, spec, plan } = snapshot;
  const { subject } = cluster;
  const idsOf = ({ step, ...planned }: PlannedStep) => step.resourceId ?? idOf({ step, ...planned }) ?? "";
  const ids = () => plan.steps.map(idsOf).filter((id) => id !== "");
  const denied = checkInstance(aksChecks["deny-assignments"], subject, { identity: identity.exists }, async ({ identity: seen }) => {
    const { principalId } = seen.output?.value as ManagedIdentityOutput;
    const all = await listDenyAssignments(azure, spec.subscriptionId);
    const found = all.flatMap((one) => {
      const { permissions, denyAssignmentName, scope } = one.properties;
      const actions = neededActions.filter((action) => allows(permissions, action));
      const isHere = ids().some((id) => deniesOn(one, id));
      return actions.length > 0 && isHere && deniesPrincipal(one, principalId) ? [{ name: denyAssignmentName, scope, actions }] : [];
    });
    if (found.length === 0) return passed("none for its identity");
    return failed(
      found.map(({ name, scope, actions }) => `"${name}" on ${scope} denies ${actions.join(", ")}`).join("; "),
      `ask its owner to exclude the principal ${principalId}; a deployment stack or a managed application created it`,
    );
  });
  const locks = checkInstance(aksChecks["no-locks"], subject, {}, () =>
    checkLocks(azure, spec.subscriptionId, ids(), "you change or destroy the cluster"),
  );
  return [...featureChecks(snapshot), denied, locks];
}

function featureChecks({ azure, spec }: AksSnapshot): CheckInstance[] {
  return neededFeatures(spec).map((feature) =>
    checkInstance(aksChecks["feature-registered"], `feature ${feature.name}`, {}, async () => {
      const state = await featureState(azure, spec, feature);
      if (state === undefined) return notChecked("the signed-in principal has no permission to read it, or Azure does not know it");
      if (state === "Registered") return passed(state);
      return failed(`it is ${state}: ${feature.because}`, advise`register it: ${registration(feature)}`);
    }),
  );
}
