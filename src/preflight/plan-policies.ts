/** Finds the Azure policies that would refuse the vaults, storage accounts or role assignments of a plan. */
import { policiesAgainst, policyText, type AssignedPolicy, type WrittenResource } from "../azure/assigned-policies.js";
import type { Azure } from "../azure/azure.js";
import { parseResourceId, sameId, subscriptionScope } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import { roleDefinitionId, roleNamed } from "../domain/roles.js";
import type { Plan, PlannedStep } from "../engine/plan.js";
import { resourceOf, type Step, type Subject } from "../engine/step.js";
import { Failure } from "../errors/failure.js";
import { needsOf } from "./plan-needs.js";

interface Question {
  /** The name of the resource or of the role. */
  readonly name: string;
  readonly isRole: boolean;
  /** A group that exists, or the subscription. */
  readonly scope: string;
  readonly written: WrittenResource;
  readonly withFlag?: { readonly flag: `--${string}`; readonly content: object } | undefined;
}

interface Refusal {
  readonly question: Question;
  readonly policies: readonly AssignedPolicy[];
}

/** Empty if the check is not available: Azure's refusal of the write names the policy too. */
export async function refusingPolicies(azure: Azure, plan: Plan): Promise<Failure[]> {
  const asked = questionsOf(plan);
  const refusals = await Promise.all(asked.map(async (question) => ({ question, policies: await policiesOf(azure, question) })));
  const found = refusals.filter(({ policies }) => policies.length > 0);
  const ofRoles = found.filter(({ question }) => question.isRole);
  const reasons = [...new Set(ofRoles.map(reasonOf))];
  const ofResources = found.filter(({ question }) => !question.isRole);
  return [
    ...(await Promise.all(ofResources.map((refusal) => resourceFailure(azure, refusal)))),
    ...reasons.map((because) => {
      const refused = ofRoles.filter((one) => reasonOf(one) === because);
      const roles = [...new Set(refused.map(({ question }) => question.name))].join(", ");
      return new Failure("ARO-SUB-005", `an Azure policy does not allow assignments of ${roles}; nothing was changed`, { because });
    }),
  ];
}

function reasonOf({ policies }: Refusal): string {
  return policies.map(policyText).join("; ");
}

async function resourceFailure(azure: Azure, refusal: Refusal): Promise<Failure> {
  const { question } = refusal;
  const { name, withFlag, written } = question;
  const remaining = withFlag && (await policiesOf(azure, { ...question, written: { ...written, content: withFlag.content } }));
  const flag = remaining?.length === 0 ? withFlag?.flag : undefined;
  const without = flag === undefined ? "" : ` without ${flag}`;
  return new Failure("ARO-SUB-005", `an Azure policy does not allow ${name}${without}; nothing was changed`, {
    because: reasonOf(refusal),
    ...(flag !== undefined && { next: [`rerun the command with ${flag}`, "or ask the owner of the policy for an exemption"] }),
  });
}

async function policiesOf(azure: Azure, { scope, written }: Question): Promise<readonly AssignedPolicy[]> {
  return (await policiesAgainst(azure, scope, written).catch(() => undefined)) ?? [];
}

/** One for each resource, and one for each role and scope: policies of role assignments seldom depend on the principal. */
function questionsOf(plan: Plan): Question[] {
  const created = plan.steps.filter(({ decision: { act } }) => act === "create" || act === "replace");
  const questions = created.flatMap((planned) => questionOf(plan, planned) ?? []);
  return [...new Map(questions.map((one) => [JSON.stringify([one.scope.toLowerCase(), one.written.content]), one])).values()];
}

function questionOf(plan: Plan, planned: PlannedStep): Question | undefined {
  const { step } = planned;
  const [need] = needsOf(plan, planned);
  if (need === undefined) return undefined;
  const { subscriptionId } = parseResourceId(need.scope);
  const isAbsent = plan.steps.some(
    (one) => one.live === undefined && one.step.resourceId !== undefined && sameId(one.step.resourceId, need.scope),
  );
  const scope = isAbsent ? subscriptionScope(subscriptionId) : need.scope;
  if (step.subject?.kind === "role-assignment") return roleQuestion(step.subject, scope, subscriptionId);
  const { written, withFlag } = resourceQuestion(step);
  return written && { name: step.title, isRole: false, scope, written, withFlag };
}

function resourceQuestion(step: Step<unknown>): { readonly written?: WrittenResource; readonly withFlag?: Question["withFlag"] } {
  const { withFlag, ...written } = resourceOf(step)?.written ?? {};
  return "content" in written ? { written, withFlag } : {};
}

function roleQuestion(
  { role: name, principalType = "ServicePrincipal" }: Extract<Subject, { kind: "role-assignment" }>,
  scope: string,
  subscriptionId: string,
): Question | undefined {
  const role = roleNamed(name);
  if (role === undefined) return undefined;
  const properties = { roleDefinitionId: roleDefinitionId(subscriptionId, role), principalType };
  return {
    name,
    isRole: true,
    scope,
    written: { apiVersion: "2022-04-01", content: { type: resourceTypes.roleAssignment.type, properties } },
  };
}
