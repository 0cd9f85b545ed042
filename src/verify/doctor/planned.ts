/** Checks that a create's own plan makes: whether its names are free, and its zone is there. What its steps refuse is what is told. */
import type { Zone } from "@azure/arm-dns";
import type { Azure } from "../../azure/azure.js";
import { toFailure } from "../../azure/to-failure.js";
import { planSteps } from "../../engine/plan.js";
import type { Step } from "../../engine/step.js";
import { joinAdvice } from "../../errors/advice.js";
import { adviceFor } from "../../errors/format.js";
import { publicZone } from "../../steps/dns.js";
import { keyVault } from "../../steps/key-vault.js";
import { existingGroup, ownGroup } from "../../steps/resource-groups.js";
import { storageAccount } from "../../steps/storage-account.js";
import { broken, holds, notChecked, type Check, type Finding } from "../check.js";
import { checkInstance, type CheckInstance } from "../check-instance.js";
import { zoneDelegated } from "../zone-delegation.js";
import type { Account } from "./account.js";
import { doctorChecks } from "./checks.js";
import type { DoctorRequest } from "./request.js";
import type { Providers } from "./providers.js";

export function plannedCheckInstances(
  azure: Azure,
  { parts, groups, existing, wanted: { identities, issuer, zone }, location }: DoctorRequest,
  account: CheckInstance<Account>,
  providers: CheckInstance<Providers>,
): CheckInstance[] {
  const { subscriptionId } = azure.connection;
  const instances: CheckInstance[] = [];
  const add = (check: Check, subject: string, namespace: string, step: ((who: Account) => Step<unknown>) | undefined, without: string) => {
    const instance = checkInstance(check, subject, { account, providers }, async ({ account: who, providers: read }) => {
      if (step === undefined) return notChecked(without);
      // Azure answers such a question for registered providers only, and a refused one would have it registered.
      const state = read.get(namespace)?.registrationState;
      if (state !== undefined && state !== "Registered") return notChecked(`${namespace} is not registered`);
      return planned(azure, step(who));
    });
    instances.push(instance);
    return instance;
  };
  if (parts.has("identities")) {
    const vault =
      identities &&
      (({ caller: { tenantId } }: Account) => {
        const owner = { identitySet: identities.name };
        const group = ownGroup(azure, { subscriptionId, location, owner, tags: {}, adoptOthers: true }, "group", identities.groupName);
        return keyVault(azure, { key: identities, tenantId, location }, group);
      });
    add(doctorChecks["vault-name"], identities?.vaultName ?? "vault", "Microsoft.KeyVault", vault, "--name is not given");
  }
  if (parts.has("issuer")) {
    const made =
      issuer &&
      (() => {
        const group = ownGroup(
          azure,
          { subscriptionId, location, owner: issuer.owner, tags: {}, adoptOthers: true },
          "group",
          issuer.group,
        );
        return storageAccount(azure, issuer, group);
      });
    add(doctorChecks["account-name"], issuer?.account ?? "storage account", "Microsoft.Storage", made, "--name is not given");
  }
  if (parts.has("infra")) {
    const { managed } = groups;
    if (existing.has("managed") && managed !== undefined) {
      const there = () => existingGroup(azure, { subscriptionId, location }, "managed-group", managed);
      add(doctorChecks["managed-group"], managed, "Microsoft.Resources", there, "");
    }
    const found = zone && (() => publicZone(azure, { ...zone, subscriptionId }));
    const subject = zone?.baseDomain ?? "zone";
    const there = add(doctorChecks.zone, subject, "Microsoft.Network", found, "--base-domain is not given");
    instances.push(
      // What the lookup of the zone reads: the zones of that name.
      checkInstance(doctorChecks["zone-delegated"], subject, { there }, ({ there: live }) =>
        zoneDelegated(azure, subject, live as readonly Zone[]),
      ),
    );
  }
  return instances;
}

/** The step and what it needs, planned by reads; what the step read is handed on. */
async function planned(azure: Azure, step: Step<unknown>): Promise<Finding<unknown>> {
  const { clock, current } = azure.connection;
  const plan = await planSteps(withNeeds(step), {
    concurrency: 4,
    signal: current()?.signal ?? new AbortController().signal,
    emit: () => undefined,
    now: clock.now,
    elapsedMs: clock.elapsedMs,
    toFailure,
  });
  const [wrong] = [...plan.refusals, ...plan.failures];
  if (wrong !== undefined) {
    const { code, message, because } = wrong.failure;
    // The check of rights names what is missing.
    if (code === "ARO-AUTHZ-001") return notChecked(`${message}: it may not be read`);
    return broken(`${code}: ${[message, because].filter(Boolean).join("; ")}`, joinAdvice(adviceFor(wrong.failure), "; "));
  }
  const own = plan.steps.find((one) => one.step.id === step.id);
  const act = own?.decision.act ?? "read";
  return holds(act === "create" ? "free" : `there already: ${act}`, own?.live);
}

function withNeeds(step: Step<unknown>): Step<unknown>[] {
  return [...Object.values(step.declared.needs).flatMap(withNeeds), step];
}
