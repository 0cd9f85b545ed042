/** Access to the content of a vault: by roles, or by access policies, which are always empty here. */
import { mayOnData } from "../../arm/authorization-check.js";
import type { Caller } from "../../core/service.js";
import { forbidden } from "./errors.js";
import type { VaultCall } from "./vault-call.js";

const provider = "Microsoft.KeyVault/vaults";

/** The names that access policies give data actions, if different. */
const permissions: Readonly<Record<string, string>> = { readMetadata: "list", getSecret: "get", setSecret: "set", read: "get" };

/** `action` is "secrets/getSecret/action". @throws ApiError 403 ForbiddenByRbac or ForbiddenByPolicy. */
export function authorize({ call, vault, name }: VaultCall, caller: Caller, action: string): void {
  const dataAction = `${provider}/${action}`;
  const [collection = "", verb = ""] = action.split("/");
  const description = `appid=${caller.appId};oid=${caller.objectId};iss=https://sts.windows.net/${call.state.tenantId}/`;
  if (vault.properties["enableRbacAuthorization"] !== true) {
    throw forbidden(
      `The user, group or application '${description}' does not have ${collection} ${permissions[verb] ?? verb} permission on key vault ` +
        `'${vault.name};location=${vault.location ?? ""}'. For help resolving this issue, please see https://go.microsoft.com/fwlink/?linkid=2125287`,
      "ForbiddenByPolicy",
    );
  }
  const scope = name === "" ? vault.id : `${vault.id}/${collection}/${name}`;
  if (mayOnData(call, caller.objectId, dataAction, scope)) return;
  throw forbidden(
    [
      "Caller is not authorized to perform action on resource.",
      "If role assignments, deny assignments or role definitions were changed recently, please observe propagation time.",
      `Caller: ${description}`,
      `Action: '${dataAction}'`,
      `Resource: '${scope.toLowerCase()}'`,
      "Assignment: (not found)",
      "DenyAssignmentId: null",
      "DecisionReason: null ",
      `Vault: ${vault.name};location=${vault.location ?? ""}`,
      "",
    ].join("\r\n"),
    "ForbiddenByRbac",
  );
}
