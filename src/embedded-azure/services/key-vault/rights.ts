/** Role-based access to what is in a vault. */
import { mayOnData } from "../../arm/authorization-check.js";
import type { Caller } from "../../service.js";
import { forbidden } from "./errors.js";
import type { VaultCall } from "./vault-call.js";

const provider = "Microsoft.KeyVault/vaults";

/** `action` is "secrets/getSecret/action". @throws ApiError 403 ForbiddenByRbac. */
export function authorize({ call, vault, name }: VaultCall, caller: Caller, action: string): void {
  const dataAction = `${provider}/${action}`;
  const [collection = ""] = action.split("/");
  const scope = name === "" ? vault.id : `${vault.id}/${collection}/${name}`;
  if (mayOnData(call, caller.objectId, dataAction, scope)) return;
  throw forbidden(
    [
      "Caller is not authorized to perform action on resource.",
      "If role assignments, deny assignments or role definitions were changed recently, please observe propagation time.",
      `Caller: appid=${caller.appId};oid=${caller.objectId};iss=https://sts.windows.net/${call.world.tenantId}/`,
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
