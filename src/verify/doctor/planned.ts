/** Checks that a create's own plan makes: whether its names are free, and its zone is there. What its steps refuse is what is told. */
import type { Azure } from "../../azure/azure.js";
import { toFailure } from "../../azure/to-failure.js";
import { planSteps } from "../../engine/plan.js";
import type { Step } from "../../engine/step.js";
import { catalogue } from "../../errors/catalogue.js";
import { publicZone } from "../../steps/dns.js";
import { keyVault } from "../../steps/key-vault.js";
import { ownGroup } from "../../steps/resource-groups.js";
import { storageAccount } from "../../steps/storage-account.js";
import { broken, holds, notAsked, type Check, type Finding } from "../check.js";
import { inspect, type Inspection } from "../inspection.js";
import type { Account } from "./account.js";
import { doctorChecks } from "./checks.js";
import type { Preflight } from "./preflight.js";
import type { Providers } from "./providers.js";

export function plannedInspections(
  azure: Azure,
  { parts, wanted: { identities, issuer, zone }, location }: Preflight,
  account: Inspection<Account>,
  providers: Inspection<Providers>,
): Inspection[] {
  const { subscriptionId } = azure.connection;
  const inspections: Inspection[] = [];
  const add = (check: Check, subject: string, namespace: string, step: ((who: Account) => Step<unknown>) | undefined, without: string) => {
    inspections.push(
      inspect(check, subject, { account, providers }, async ({ account: who, providers: read }) => {
        if (step === undefined) return notAsked(without);
        // Azure answers such a question for registered providers only, and a refused one would have it registered.
        const state = read.get(namespace)?.registrationState;
        if (state !== undefined && state !== "Registered") return notAsked(`${namespace} is not registered`);
        return planned(azure, step(who));
      }),
    );
  };
  if (parts.has("identities")) {
    const vault =
      identities &&
      (({ runner: { tenantId } }: Account) => {
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
    const found = zone && (() => publicZone(azure, { ...zone, subscriptionId }));
    add(doctorChecks.zone, zone?.baseDomain ?? "zone", "Microsoft.Network", found, "--base-domain is not given");
  }
  return inspections;
}

/** The step and what it needs, planned by reads. */
async function planned(azure: Azure, step: Step<unknown>): Promise<Finding<undefined>> {
  const plan = await planSteps(withNeeds(step), {
    concurrency: 4,
    signal: azure.connection.current()?.signal ?? new AbortController().signal,
    emit: () => undefined,
    now: () => performance.now(),
    toFailure,
  });
  const [wrong] = [...plan.refusals, ...plan.failures];
  if (wrong !== undefined) {
    const { code, message, because, next } = wrong.failure;
    // The check of rights names what is missing.
    if (code === "ARO-AUTHZ-001") return notAsked(`${message}: it may not be read`);
    return broken(`${code}: ${[message, because].filter(Boolean).join("; ")}`, (next ?? catalogue[code].next).join("; "));
  }
  const act = plan.steps.find((one) => one.step.id === step.id)?.decision.act ?? "read";
  return holds(act === "create" ? "free" : `there already: ${act}`);
}

function withNeeds(step: Step<unknown>): Step<unknown>[] {
  return [...Object.values(step.declared.needs).flatMap(withNeeds), step];
}
