/** Checks of the account: who is signed in, and whether the subscription can be written to. */
import type { Azure } from "../../azure/azure.js";
import { signedIn, type SignedIn } from "../../azure/signed-in.js";
import { subscriptionAnswer, type SubscriptionAnswer } from "../../files/arm-answers.js";
import { holds, type Finding } from "../check.js";
import { inspect, type Inspection } from "../inspection.js";
import { doctorChecks } from "./checks.js";
import type { Machine } from "./preflight.js";

export interface Account {
  readonly runner: SignedIn;
  /** How far the clock is ahead of Azure's, in milliseconds; undefined where Azure did not tell its time. */
  readonly skewMs: number | undefined;
}

export interface AccountLinks {
  readonly inspections: readonly Inspection[];
  readonly runner: Inspection<SignedIn>;
  /** Handed on wherever the subscription can be read. */
  readonly account: Inspection<Account>;
}

const subject = "account";

/** https://learn.microsoft.com/azure/cost-management-billing/manage/subscription-states: these two go on working, for now. */
const payableStates = ["PastDue", "Warned"];

export function accountInspections(azure: Azure, machine: Machine): AccountLinks {
  const { subscriptionId } = azure.connection;
  const runner = inspect(doctorChecks["sign-in"], subject, {}, async () => {
    const who = await signedIn(azure.connection);
    return holds(`${who.principalType} ${who.objectId} of tenant ${who.tenantId}`, who);
  });
  const account = inspect(doctorChecks.subscription, subject, { runner }, async ({ runner: who }) => {
    const manager = await azure.manager();
    const asked = machine.now().getTime();
    const { body, date } = await manager.get(`/subscriptions/${subscriptionId}`, "2022-12-01", subscriptionAnswer);
    const answered = machine.now().getTime();
    return judgeSubscription(subscriptionId, body, { runner: who, skewMs: skewOf(asked, answered, date) });
  });
  return { inspections: [runner, account], runner, account };
}

/** Azure's date is cut to whole seconds, and was written somewhen between question and answer: within that, no clock is wrong. */
function skewOf(asked: number, answered: number, date: Date | undefined): number | undefined {
  if (date === undefined) return undefined;
  const earliest = date.getTime();
  const latest = earliest + 999;
  if (asked > latest) return asked - latest;
  return answered < earliest ? answered - earliest : 0;
}

function judgeSubscription(id: string, { displayName, state, tenantId }: SubscriptionAnswer, account: Account): Finding<Account> {
  const told = `subscription "${displayName}" (${id})`;
  const { runner } = account;
  const handedOn = { value: account };
  if (tenantId !== undefined && tenantId.toLowerCase() !== runner.tenantId.toLowerCase()) {
    const evidence = `${told} is of tenant ${tenantId}, and the sign-in of ${runner.tenantId}`;
    return { holds: false, evidence, next: "sign in to the subscription's tenant", handedOn };
  }
  if (state === "Enabled") return holds(`${told} is ${state}`, account);
  const next = payableStates.includes(state)
    ? "pay what is due before the subscription is disabled: https://portal.azure.com/#view/Microsoft_Azure_Billing"
    : "nothing can be made in it before its owner enables it again: https://portal.azure.com/#view/Microsoft_Azure_Billing; or name another with --subscription";
  return { holds: false, evidence: `${told} is ${state}`, next, handedOn };
}
