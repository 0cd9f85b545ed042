/** Checks with the plan of a create, where the refusal of a step is the finding. */
import { publicZone } from "../infra/index.js";
import { storageAccount } from "../issuer/index.js";
import type { Zone } from "@azure/arm-dns";
import type { Azure } from "../azure/azure.js";
import { toFailure } from "../azure/to-failure.js";
import type { Part } from "../domain/create-parts.js";
import { namespacesCreatedBy } from "../domain/resource-catalogue.js";
import { resourceTypes } from "../domain/resource-types.js";
import { planSteps, type Plan } from "../engine/plan.js";
import type { Step } from "../engine/step.js";
import { joinAdvice } from "../errors/advice.js";
import { adviceFor, distinctFailures } from "../errors/format.js";
import { vaultOfSet } from "../steps/vault-of-set.js";
import { existingGroup, ownGroup } from "../steps/resource-groups.js";
import { plural } from "../text/plural.js";
import { failed, passed, notChecked, type Check, type Finding } from "../verify/check.js";
import { checkInstance, type CheckInstance } from "../verify/check-instance.js";
import { zoneDelegated } from "../verify/zone-delegation.js";
import type { Account } from "../preflight/account.js";
import { doctorChecks } from "../preflight/checks.js";
import type { DoctorRequest } from "../preflight/request.js";
import type { Providers } from "../preflight/providers.js";

export function plannedCheckInstances(
  azure: Azure,
  request: DoctorRequest,
  account: CheckInstance<Account>,
  providers: CheckInstance<Providers>,
): CheckInstance[] {
  const { parts, groups, existing, wanted, location } = request;
  const { identities, issuer, zone } = wanted;
  const { subscriptionId } = azure.connection;
  const instances: CheckInstance[] = [];
  const add = (check: Check, subject: string, namespace: string, step: ((read: Account) => Step<unknown>) | undefined, without: string) => {
    const instance = checkInstance(check, subject, { account, providers }, async ({ account: signedIn, providers: read }) => {
      if (step === undefined) return notChecked(without);
      // Azure answers only for registered providers, and a refused request would register the provider.
      const state = read.get(namespace)?.registrationState;
      if (state !== undefined && state !== "Registered") return notChecked(`${namespace} is not registered`);
      return planned(azure, step(signedIn));
    });
    instances.push(instance);
    return instance;
  };
  if (parts.has("identities")) {
    const vault =
      identities &&
      (({ caller: { tenantId } }: Account) => {
        const owner = { identitySet: identities.name };
        const group = ownGroup(azure, { subscriptionId, location, owner, tags: {} }, "group", identities.groupName);
        return vaultOfSet(azure, { key: identities, tenantId, location, purgeProtection: "none" }, group);
      });
    add(doctorChecks["vault-name"], identities?.vaultName ?? "vault", "Microsoft.KeyVault", vault, "--name is not specified");
  }
  if (parts.has("issuer")) {
    const planAccount =
      issuer &&
      (() => {
        const group = ownGroup(azure, { subscriptionId, location, owner: issuer.owner, tags: {} }, "group", issuer.group);
        return storageAccount(azure, issuer, group);
      });
    add(doctorChecks["account-name"], issuer?.account ?? "storage account", "Microsoft.Storage", planAccount, "--name is not specified");
  }
  if (parts.has("infra")) {
    const { managed } = groups;
    if (existing.has("managed") && managed !== undefined) {
      const group = () => existingGroup(azure, { subscriptionId, location }, "managed-group", managed);
      add(doctorChecks["managed-group"], managed, "Microsoft.Resources", group, "");
    }
    const found = zone && (() => publicZone(azure, zone));
    const subject = zone?.baseDomain ?? "zone";
    const zoneExists = add(doctorChecks.zone, subject, "Microsoft.Network", found, "--base-domain is not specified");
    instances.push(
      // The output of the zone's lookup: the zones of that name.
      checkInstance(doctorChecks["zone-delegated"], subject, { zoneExists }, ({ zoneExists: live }) =>
        zoneDelegated(azure, subject, live as readonly Zone[]),
      ),
    );
  }
  return [...instances, ...[...parts].map((part) => refusalsOf(azure, request, part, account, providers))];
}

/** The steps that have checks of their own. */
function checkedApart({ existing, parts }: DoctorRequest): ReadonlySet<string> {
  if (parts.has("aks")) return new Set();
  const { keyVault: vault, storageAccount: storage, publicDnsZone } = resourceTypes;
  return new Set([vault.use.step, storage.use.step, publicDnsZone.use.step, ...(existing.has("managed") ? ["managed-group"] : [])]);
}

const notSpecified = (flags: readonly string[]): string => `${flags.join(", ")} ${flags.length === 1 ? "is" : "are"} not specified`;

/** The refusals of the create's own plan, one check for each part. */
function refusalsOf(
  azure: Azure,
  request: DoctorRequest,
  part: Part,
  account: CheckInstance<Account>,
  providers: CheckInstance<Providers>,
): CheckInstance {
  return checkInstance(doctorChecks.plan, part, { account, providers }, async ({ account: { caller }, providers: read }) => {
    const planned = request.planned(caller).find((one) => one.part === part);
    const needed = planned?.needed ?? [];
    if (needed.length > 0) return failed(`the create is refused without ${needed.join(" and ")}`, `pass ${needed.join(" and ")}`);
    if (planned === undefined || planned.missing.length > 0) return notChecked(notSpecified(planned?.missing ?? ["the plan"]));
    const unregistered = namespacesCreatedBy(new Set([part])).filter(
      (name) => (read.get(name)?.registrationState ?? "Registered") !== "Registered",
    );
    if (unregistered.length > 0) return notChecked(`${unregistered.join(", ")} is not registered`);
    const plan = await planOf(azure, planned.steps);
    const apart = checkedApart(request);
    const wrong = [...plan.refusals, ...plan.failures].filter(({ step, failure }) => !apart.has(step) && failure.code !== "ARO-AUTHZ-001");
    if (wrong.length === 0) return passed(`${plural(plan.steps.length, "step")}, ${plural(plan.changes, "change")}`);
    const failures = distinctFailures(wrong.map(({ failure }) => failure));
    return failed(
      failures.map(({ code, message, because }) => `${code}: ${[message, because].filter(Boolean).join("; ")}`).join("; "),
      joinAdvice([...new Set(failures.flatMap((failure) => adviceFor(failure)))], "; "),
    );
  });
}

function planOf(azure: Azure, steps: readonly Step<unknown>[]): Promise<Plan> {
  const { clock, current } = azure.connection;
  return planSteps(steps, {
    concurrency: 4,
    signal: current()?.signal ?? new AbortController().signal,
    emit: () => undefined,
    now: clock.now,
    elapsedMs: clock.elapsedMs,
    toFailure,
  });
}

/** Plans the step and what it needs, with reads only; the output is what the step read. */
async function planned(azure: Azure, step: Step<unknown>): Promise<Finding<unknown>> {
  const plan = await planOf(azure, withNeeds(step));
  const [wrong] = [...plan.refusals, ...plan.failures];
  if (wrong !== undefined) {
    const { code, message, because } = wrong.failure;
    // Check rights reports the missing permission.
    if (code === "ARO-AUTHZ-001") return notChecked(`${message}: no permission to read it`);
    return failed(`${code}: ${[message, because].filter(Boolean).join("; ")}`, joinAdvice(adviceFor(wrong.failure), "; "));
  }
  const own = plan.steps.find((one) => one.step.id === step.id);
  const act = own?.decision.act ?? "read";
  return passed(act === "create" ? "available" : act === "update" ? "exists; create would update it" : "exists", own?.live);
}

function withNeeds(step: Step<unknown>): Step<unknown>[] {
  return [...Object.values(step.declared.needs).flatMap(withNeeds), step];
}
