/** Whether a vault may take a name: the POST that clients send before they create one. */
import type { ArmCall } from "../../resource-type.js";
import { z } from "zod";
import type { Answer } from "../../../core/service.js";
import { requireRight } from "../../authorization-check.js";
import { findSubscription } from "../../scopes.js";
import type { Endpoint } from "../../endpoint.js";
import { invalidRequestContent } from "../../errors.js";
import { deletedVaultNamed } from "./deleted-vaults.js";
import { vaultVersions } from "./provider.js";
import { nameTaken, vaultName, vaultNamed, vaultType } from "./vaults.js";

const body = z.strictObject({ name: z.string(), type: z.literal(vaultType) });

export const nameAvailabilityEndpoint: Endpoint = {
  method: "POST",
  path: "/subscriptions/{subscriptionId}/providers/Microsoft.KeyVault/checkNameAvailability",
  versions: vaultVersions,
  handle: check,
};

function check(call: ArmCall, { subscriptionId = "" }: Readonly<Record<string, string>>): Answer {
  findSubscription(call, subscriptionId);
  requireRight(call, "Microsoft.KeyVault/checkNameAvailability/read", `/subscriptions/${subscriptionId}`);
  const read = body.safeParse(call.request.body);
  if (!read.success) throw invalidRequestContent(read.error.issues[0]?.message ?? "not a name and a type");
  return { status: 200, body: availability(call, read.data.name), takes: call.sample("read") };
}

function availability({ state }: ArmCall, name: string): Record<string, unknown> {
  if (!vaultName.test(name)) {
    return { nameAvailable: false, reason: "AccountNameInvalid", message: `The vault name '${name}' is invalid.` };
  }
  if (vaultNamed(state, name) === undefined && deletedVaultNamed(state, name) === undefined) return { nameAvailable: true };
  return { nameAvailable: false, reason: "AlreadyExists", message: nameTaken(name) };
}
