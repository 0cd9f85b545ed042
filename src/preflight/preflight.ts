/** The cheap checks that every create runs while it reads its plan. */
import type { Azure } from "../azure/azure.js";
import { azureCodeOf } from "../azure/azure-error.js";
import { signedIn } from "../azure/signed-in.js";
import { toFailure } from "../azure/to-failure.js";
import { namespacesCreatedBy } from "../domain/resource-catalogue.js";
import { notChecked, type Check, type Finding } from "../verify/check.js";
import { checkPayment, checkSubscription, readAccount, type Account } from "./account.js";
import { doctorChecks } from "./checks.js";
import { checkClock, checkDrift, checkNode } from "./machine.js";
import type { DoctorRequest, Machine } from "./request.js";
import { checkLocation, checkProviders, readProviders } from "./providers.js";

export interface PreflightFinding {
  readonly check: Check;
  readonly finding: Finding<unknown>;
}

/** What a create makes, where, and on which machine it runs. */
export interface PreflightRequest extends Pick<DoctorRequest, "location" | "parts"> {
  readonly machine: Machine;
  uses(type: string): boolean;
}

/** A rotation needs them: with a wrong clock, certificates are not accepted, and keys are removed too early. */
export async function machineFindings(azure: Azure, machine: Machine): Promise<PreflightFinding[]> {
  const account = await askedAccount(azure, machine);
  return [{ check: doctorChecks["node-version"], finding: checkNode(machine) }, ...("answer" in account ? checkTime(account.answer) : [])];
}

/** In the order of the report. A failed request skips the check, because the plan's own reads report the reason. */
export async function preflightFindings(azure: Azure, request: PreflightRequest): Promise<PreflightFinding[]> {
  const { machine, parts } = request;
  const [account, providers] = await Promise.all([
    askedAccount(azure, machine),
    asked(azure, "the resource providers", () => readProviders(azure, namespacesCreatedBy(parts))),
  ]);
  const findings: PreflightFinding[] = [{ check: doctorChecks["node-version"], finding: checkNode(machine) }];
  if ("answer" in account) findings.push(...checkAccount(azure, account.answer));
  else findings.push({ check: doctorChecks.subscription, finding: account });
  if (!("answer" in providers)) findings.push({ check: doctorChecks.providers, finding: providers });
  else if (providers.answer) {
    findings.push({ check: doctorChecks.providers, finding: checkProviders(providers.answer, []) });
    const located = await checkLocation(azure, request, request, providers.answer).catch(unasked(azure, "the locations"));
    findings.push({ check: doctorChecks.location, finding: located });
  }
  return findings;
}

function askedAccount(azure: Azure, machine: Machine): Promise<{ readonly answer: Account } | Finding<never>> {
  return asked(azure, "the subscription", async () => readAccount(azure, machine, await signedIn(azure.connection)));
}

function checkTime(account: Account): PreflightFinding[] {
  const clock = checkClock(account);
  return [
    { check: doctorChecks.clock, finding: clock },
    ...(clock.passed ? [{ check: doctorChecks["clock-drift"], finding: checkDrift(account) }] : []),
  ];
}

function checkAccount(azure: Azure, account: Account): PreflightFinding[] {
  return [
    ...checkTime(account),
    { check: doctorChecks.subscription, finding: checkSubscription(azure, account) },
    { check: doctorChecks.payment, finding: checkPayment(account) },
  ];
}

async function asked<T>(azure: Azure, what: string, read: () => Promise<T>): Promise<{ readonly answer: T } | Finding<never>> {
  try {
    return { answer: await read() };
  } catch (error) {
    return unasked(azure, what)(error);
  }
}

function unasked({ connection }: Azure, what: string): (error: unknown) => Finding<never> {
  return (error) => {
    connection.current()?.signal.throwIfAborted();
    const { message, because } = toFailure(error, `reading ${what}`);
    return notChecked([message, because ?? azureCodeOf(error)].filter(Boolean).join(": "));
  };
}
