/** Checks of the account: who is signed in, and whether the subscription can be written to. */
import type { Azure } from "../../azure/azure.js";
import { signedIn, type SignedIn } from "../../azure/signed-in.js";
import { subscriptionAnswer, type SubscriptionAnswer } from "../../azure/arm-answers.js";
import { broken, holds, notChecked, type Finding } from "../check.js";
import { checkInstance, type CheckInstance } from "../check-instance.js";
import { doctorChecks } from "./checks.js";
import type { Machine } from "./request.js";

export interface Account {
  readonly caller: SignedIn;
  readonly subscription: SubscriptionAnswer;
  /** How far the clock is ahead of Azure's, in milliseconds; undefined where Azure did not tell its time. */
  readonly skewMs: number | undefined;
}

export interface AccountLinks {
  readonly caller: CheckInstance<SignedIn>;
  readonly instances: readonly CheckInstance[];
  /** Handed on wherever the subscription can be read. */
  readonly account: CheckInstance<Account>;
}

const subject = "account";
const billing = "https://portal.azure.com/#view/Microsoft_Azure_Billing";

/** https://learn.microsoft.com/azure/cost-management-billing/manage/subscription-states: in these, too, everything can be made, for now. */
const payableStates = ["PastDue", "Warned"];

export function accountCheckInstances(azure: Azure, machine: Machine): AccountLinks {
  const caller = checkInstance(doctorChecks["sign-in"], subject, {}, async () => {
    const who = await signedIn(azure.connection);
    return holds(`${who.principalType} ${who.objectId} of tenant ${who.tenantId}`, who);
  });
  const account = checkInstance(doctorChecks.subscription, subject, { caller }, async ({ caller: who }) =>
    azure.connection.subscriptionId === ""
      ? notChecked("no subscription specified: pass --subscription, set AZURE_SUBSCRIPTION_ID, or pass --azure-creds")
      : checkSubscription(azure, await readAccount(azure, machine, who)),
  );
  const payment = checkInstance(doctorChecks.payment, subject, { account }, ({ account: read }) => checkPayment(read));
  return { instances: [caller, account, payment], caller, account };
}

export async function readAccount(azure: Azure, machine: Machine, caller: SignedIn): Promise<Account> {
  const manager = await azure.manager();
  const asked = machine.now().getTime();
  const { body, date } = await manager.get(`/subscriptions/${azure.connection.subscriptionId}`, "2022-12-01", subscriptionAnswer);
  const answered = machine.now().getTime();
  return { caller, subscription: body, skewMs: skewOf(asked, answered, date) };
}

/** Azure's date is cut to whole seconds, and was written somewhen between question and answer: within that, no clock is wrong. */
function skewOf(asked: number, answered: number, date: Date | undefined): number | undefined {
  if (date === undefined) return undefined;
  const earliest = date.getTime();
  const latest = earliest + 999;
  if (asked > latest) return asked - latest;
  return answered < earliest ? answered - earliest : 0;
}

export function checkSubscription({ connection }: Azure, account: Account): Finding<Account> {
  const { caller, subscription } = account;
  const { displayName, state, tenantId } = subscription;
  const told = `subscription "${displayName}" (${connection.subscriptionId})`;
  const handedOn = { value: account };
  if (tenantId !== undefined && tenantId.toLowerCase() !== caller.tenantId.toLowerCase()) {
    const evidence = `${told} is of tenant ${tenantId}, and the sign-in of ${caller.tenantId}`;
    return broken(evidence, "sign in to the subscription's tenant", handedOn);
  }
  if (state === "Enabled" || payableStates.includes(state)) return holds(`${told} is ${state}`, account);
  const next = `nothing can be made in it before its owner enables it again: ${billing}; or name another with --subscription`;
  return broken(`${told} is ${state}`, next, handedOn);
}

export function checkPayment({ subscription: { displayName, state } }: Account): Finding<undefined> {
  return payableStates.includes(state)
    ? broken(`subscription "${displayName}" is ${state}`, `pay what is due before it is disabled: ${billing}`)
    : holds("none is asked for");
}
