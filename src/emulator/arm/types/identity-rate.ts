/** The write rate that Microsoft.ManagedIdentity grants a subscription: two a second for each type. */
import type { ArmCall } from "../resource-type.js";
import { ApiError } from "../../service.js";
import { isWithin, segmentsOf } from "../resource-id.js";

const writesASecond = 2;
const retryAfter = 2;

/** By the emulator's clock: without latency no time passes, and no rate exists. @throws ApiError 429, with the code "429" */
export function checkWriteRate({ state, now, milliseconds, sample }: ArmCall, type: string, id: string): void {
  if (sample("read") === 0) return;
  const subscriptionId = segmentsOf(id)[1] ?? "";
  const recent = Object.values(state.resources).filter(
    (one) => one.type === type && isWithin(one.id, `/subscriptions/${subscriptionId}`) && (one.changedAt ?? 0) > now - milliseconds(1),
  );
  if (recent.length < writesASecond) return;
  throw new ApiError(
    429,
    "429",
    `Request is temporarily throttled because subscription ${subscriptionId} has issued too many requests. Retry after ${String(retryAfter)} seconds.`,
    { headers: { "Retry-After": String(retryAfter) } },
  );
}
