/** The cheap checks, which every create runs while it reads its plan: two requests in parallel. */
import type { Azure } from "../../azure/azure.js";
import { azureCodeOf } from "../../azure/azure-error.js";
import { signedIn } from "../../azure/signed-in.js";
import { toFailure } from "../../azure/to-failure.js";
import type { Part } from "../../domain/create-parts.js";
import { namespacesCreatedBy } from "../../domain/resource-catalogue.js";
import { notChecked, type Check, type Finding } from "../check.js";
import { checkPayment, checkSubscription, readAccount, type Account } from "./account.js";
import { doctorChecks } from "./checks.js";
import { checkClock, checkDrift, checkNode } from "./machine.js";
import type { Machine } from "./request.js";
import { checkProviders, readProviders } from "./providers.js";

export interface PreflightFinding {
  readonly check: Check;
  readonly finding: Finding<unknown>;
}

/** In the order of the report. A failed request skips the check, because the plan's own reads report the reason. */
export async function preflightFindings(azure: Azure, machine: Machine, parts: ReadonlySet<Part>): Promise<PreflightFinding[]> {
  const [account, providers] = await Promise.all([
    asked(azure, "the subscription", async () => readAccount(azure, machine, await signedIn(azure.connection))),
    asked(azure, "the resource providers", () => readProviders(azure, namespacesCreatedBy(parts))),
  ]);
  const findings: PreflightFinding[] = [{ check: doctorChecks["node-version"], finding: checkNode(machine) }];
  if ("answer" in account) findings.push(...checkAccount(azure, account.answer));
  else findings.push({ check: doctorChecks.subscription, finding: account });
  if (!("answer" in providers)) findings.push({ check: doctorChecks.providers, finding: providers });
  else if (providers.answer) findings.push({ check: doctorChecks.providers, finding: checkProviders(providers.answer, []) });
  return findings;
}

function checkAccount(azure: Azure, account: Account): PreflightFinding[] {
  const clock = checkClock(account);
  return [
    { check: doctorChecks.clock, finding: clock },
    ...(clock.passed ? [{ check: doctorChecks["clock-drift"], finding: checkDrift(account) }] : []),
    { check: doctorChecks.subscription, finding: checkSubscription(azure, account) },
    { check: doctorChecks.payment, finding: checkPayment(account) },
  ];
}

async function asked<T>({ connection }: Azure, what: string, read: () => Promise<T>): Promise<{ readonly answer: T } | Finding<never>> {
  try {
    return { answer: await read() };
  } catch (error) {
    connection.current()?.signal.throwIfAborted();
    const { message, because } = toFailure(error, `reading ${what}`);
    return notChecked([message, because ?? azureCodeOf(error)].filter(Boolean).join(": "));
  }
}
