/** The write rate that Microsoft.ManagedIdentity grants a subscription: two a second for each type. */
import type { ArmCall } from "../../resource-type.js";
import { ApiError } from "../../../core/service.js";
import { indexOf } from "../../../state/index-of.js";
import type { StoredResource } from "../../../state/state.js";
import { keyOf, segmentsOf } from "../../resource-id.js";

const writesASecond = 2;
const retryAfter = 2;

const secondOf = (time: number): number => Math.floor(time / 1000);

const writesBySecond = indexOf<StoredResource>(({ type, changedAt }, id) =>
  changedAt !== undefined && keyOf(type).startsWith("microsoft.managedidentity/")
    ? [keyOf(`${segmentsOf(id)[1] ?? ""} ${type} ${String(secondOf(changedAt))}`)]
    : [],
);

/** By the emulator's clock: without latency no time passes, and no rate exists. @throws ApiError 429, with the code "429" */
export function checkWriteRate({ state, now, milliseconds, sample }: ArmCall, type: string, id: string): void {
  if (sample("read") === 0) return;
  const subscriptionId = segmentsOf(id)[1] ?? "";
  const since = now - milliseconds(1);
  const seconds = Array.from({ length: secondOf(now) - secondOf(since) + 1 }, (_, index) => secondOf(since) + index);
  const recent = seconds
    .flatMap((second) => writesBySecond.find(state.resources, keyOf(`${subscriptionId} ${type} ${String(second)}`)))
    .filter(({ changedAt = 0 }) => changedAt > since);
  if (recent.length < writesASecond) return;
  throw new ApiError(
    429,
    "429",
    `Request is temporarily throttled because subscription ${subscriptionId} has issued too many requests. Retry after ${String(retryAfter)} seconds.`,
    { headers: { "Retry-After": String(retryAfter) } },
  );
}
