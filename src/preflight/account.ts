/** Checks of the account: the signed-in principal, and whether the subscription can be written to. */
import type { Azure } from "../azure/azure.js";
import { signedIn, type SignedIn } from "../azure/signed-in.js";
import type { SubscriptionResponse } from "../azure/arm-responses.js";
import { failed, passed, notChecked, type Finding } from "../verify/check.js";
import { checkInstance, type CheckInstance } from "../verify/check-instance.js";
import { doctorChecks } from "./checks.js";
import type { Machine } from "./request.js";
import { sameText } from "../text/same-text.js";

export interface Account {
  readonly caller: SignedIn;
  readonly subscription: SubscriptionResponse;
  /** How far the clock is ahead of Azure's, in milliseconds; undefined if Azure's response has no date. */
  readonly skewMs: number | undefined;
}

export interface AccountLinks {
  readonly caller: CheckInstance<SignedIn>;
  readonly instances: readonly CheckInstance[];
  /** Available if the subscription can be read. */
  readonly account: CheckInstance<Account>;
}

const subject = "account";
const billing = "https://portal.azure.com/#view/Microsoft_Azure_Billing";

/** https://learn.microsoft.com/azure/cost-management-billing/manage/subscription-states: resources can still be created in these states. */
const payableStates = ["PastDue", "Warned"];

export function accountCheckInstances(azure: Azure, machine: Machine): AccountLinks {
  const caller = checkInstance(doctorChecks["sign-in"], subject, {}, async () => {
    const signedInAs = await signedIn(azure.connection);
    return passed(`${signedInAs.principalType} ${signedInAs.objectId} in tenant ${signedInAs.tenantId}`, signedInAs);
  });
  const account = checkInstance(doctorChecks.subscription, subject, { caller }, async ({ caller: principal }) =>
    azure.connection.subscriptionId === ""
      ? notChecked("no subscription is specified: pass --subscription, or set it in AZURE_SUBSCRIPTION_ID or the --azure-creds file")
      : checkSubscription(azure, await readAccount(azure, machine, principal)),
  );
  const payment = checkInstance(doctorChecks.payment, subject, { account }, ({ account: read }) => checkPayment(read));
  return { instances: [caller, account, payment], caller, account };
}

export async function readAccount(azure: Azure, machine: Machine, caller: SignedIn): Promise<Account> {
  const { body, date, sentMs, receivedMs } = await azure.subscription();
  const startMs = machine.now().getTime() - azure.connection.clock.elapsedMs();
  return { caller, subscription: body, skewMs: skewOf(startMs + sentMs, startMs + receivedMs, date) };
}

/** Milliseconds of the machine's clock. Azure's date is truncated to seconds, and lies between request and response; a clock within that interval is correct. */
function skewOf(sent: number, received: number, date: Date | undefined): number | undefined {
  if (date === undefined) return undefined;
  const earliest = date.getTime();
  const latest = earliest + 999;
  if (sent > latest) return sent - latest;
  return received < earliest ? received - earliest : 0;
}

export function checkSubscription({ connection }: Azure, account: Account): Finding<Account> {
  const { caller, subscription } = account;
  const { displayName, state, tenantId } = subscription;
  const name = `subscription "${displayName}" (${connection.subscriptionId})`;
  const output = { value: account };
  if (tenantId !== undefined && !sameText(tenantId, caller.tenantId)) {
    const evidence = `${name} belongs to tenant ${tenantId}, but you are signed in to ${caller.tenantId}`;
    return failed(evidence, "sign in to the subscription's tenant", output);
  }
  if (state === "Enabled" || payableStates.includes(state)) return passed(`${name} is ${state}`, account);
  const next = `ask its owner to enable it again: ${billing}; or use another --subscription`;
  return failed(`${name} is ${state}`, next, output);
}

export function checkPayment({ subscription: { displayName, state } }: Account): Finding<undefined> {
  return payableStates.includes(state)
    ? failed(`subscription "${displayName}" is ${state}`, `pay the amount due before Azure disables the subscription: ${billing}`)
    : passed("no payment is due");
}
