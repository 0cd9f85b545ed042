/** Whether a name is free: the POST that clients send before they create a vault or a storage account. */
import { z } from "zod";
import type { AzureState } from "../state/state.js";
import { inSubscription, type Endpoint } from "./endpoint.js";
import { invalidRequestContent } from "./errors.js";

/** Why a name cannot be taken. */
export interface Unavailable {
  readonly reason: "AccountNameInvalid" | "AlreadyExists";
  readonly message: string;
}

export function nameAvailability(
  type: string,
  versions: readonly string[],
  problemOf: (state: AzureState, name: string) => Unavailable | undefined,
): Endpoint {
  const body = z.strictObject({ name: z.string(), type: z.literal(type) });
  const path = `${type.slice(0, type.indexOf("/"))}/checkNameAvailability`;
  return inSubscription({
    method: "POST",
    path,
    versions,
    body({ state, request }) {
      const read = body.safeParse(request.body);
      if (!read.success) throw invalidRequestContent(read.error.issues[0]?.message ?? "not a name and a type");
      const problem = problemOf(state, read.data.name);
      return problem === undefined ? { nameAvailable: true } : { nameAvailable: false, ...problem };
    },
  });
}
