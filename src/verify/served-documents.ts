/** Reads the documents of an issuer as Microsoft Entra ID does: without signing in. */
import type { Advice } from "../errors/advice.js";
import { Failure } from "../errors/failure.js";
import type { Azure } from "../azure/azure.js";
import { toFailure } from "../azure/to-failure.js";
import { discoveryPath, keysIn } from "../oidc/documents.js";
import { parseJsonObject } from "../text/json.js";
import { plural } from "../text/plural.js";
import { failed, passed, type Finding } from "./check.js";

/** `url` is the issuer of the tokens, to the letter; `next` the advice if they cannot be read. */
export async function documentsServed(azure: Azure, url: string, next: Advice): Promise<Finding<undefined>> {
  const read = async (address: string): Promise<string | Finding<never>> => {
    try {
      const { status, body } = await azure.published(address, { brief: true });
      return status === 200 ? body : failed(`${address} returned ${String(status)}; sign-in with a service account fails`, next);
    } catch (error) {
      if (error instanceof Failure) throw error;
      const { code, because = "" } = toFailure(error, address);
      return failed(`${address} cannot be read: ${code} ${because}`, next);
    }
  };
  const at = `${url.replace(/\/$/, "")}/${discoveryPath}`;
  const discovery = await read(at);
  if (typeof discovery !== "string") return discovery;
  const { issuer, jwks_uri: keysAt } = parseJsonObject(discovery) ?? {};
  if (issuer !== url)
    return failed(`the issuer in ${at} is ${JSON.stringify(issuer) ?? "missing"}, but tokens have the issuer "${url}"`, next);
  if (typeof keysAt !== "string") return failed(`${at} names no key set`, next);
  const set = await read(keysAt);
  if (typeof set !== "string") return set;
  const keys = keysIn(set) ?? [];
  return keys.length > 0 ? passed(`${at}, ${plural(keys.length, "key")}`) : failed(`${keysAt} has no key`, next);
}
