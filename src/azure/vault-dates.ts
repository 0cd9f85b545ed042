/** Corrects the dates in requests to a vault, which the SDK cuts to 32 bits of seconds. */
import type { PipelinePolicy } from "@azure/core-rest-pipeline";
import { parseJsonObject } from "../text/json.js";

const wrap = 2 ** 32;

/** In February 2106. A later date has the same 32 bits as one after 1970. */
export const latestVaultDate = new Date((wrap - 1) * 1000);

/**
 * No date of ours is before 1970: one that is has lost a bit, which is put back. Without this policy, a date after 19 January 2038 becomes
 * one before 1970.
 */
export const vaultDatesPolicy: PipelinePolicy = {
  name: "aroHcpVaultDatesPolicy",
  sendRequest(request, next) {
    const { body } = request;
    if (typeof body === "string") request.body = withWholeDates(body);
    return next(request);
  },
};

function withWholeDates(body: string): string {
  const document = parseJsonObject(body);
  const attributes = document?.["attributes"];
  if (typeof attributes !== "object" || attributes === null) return body;
  const whole = Object.entries(attributes).map(([key, value]: [string, unknown]) => {
    const isLost = (key === "exp" || key === "nbf") && typeof value === "number" && value < 0;
    return [key, isLost ? value + wrap : value] as const;
  });
  return JSON.stringify({ ...document, attributes: Object.fromEntries(whole) });
}
