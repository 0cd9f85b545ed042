/** The rotation policies of keys: read and written. Nothing rotates a key by itself here. */
import { rotationOf, rotationPolicyBody } from "../../arm/types/key-vaults/rotation-policy.js";
import type { Answer } from "../../core/service.js";
import type { KeyRotation, VaultKey } from "../../state/vault-content.js";
import { requireOwn } from "./keys.js";
import { showInResourceManager } from "./key-store.js";
import { epochSeconds, found, readBody, urlOf, written, type VaultCall } from "./vault-call.js";

export function getRotationPolicy(vaultCall: VaultCall): Answer {
  return found(vaultCall, present(vaultCall, requireOwn(vaultCall, "getrotationpolicy")));
}

export function setRotationPolicy(vaultCall: VaultCall): Answer {
  const key = requireOwn(vaultCall, "setrotationpolicy");
  key.rotation = rotationOf(readBody(vaultCall, rotationPolicyBody), epochSeconds(vaultCall.call.now), key.rotation);
  showInResourceManager(vaultCall, key);
  return written(vaultCall, 200, present(vaultCall, key), "secret.put");
}

/** Every key has this one until it gets another. */
const byDefault: Pick<KeyRotation, "lifetimeActions"> = {
  lifetimeActions: [{ trigger: { timeBeforeExpiry: "P30D" }, action: { type: "notify" } }],
};
const spelled = { rotate: "Rotate", notify: "Notify" } as const;

function present(vaultCall: VaultCall, { name, rotation }: VaultKey): Record<string, unknown> {
  const { lifetimeActions } = rotation ?? byDefault;
  return {
    id: urlOf(vaultCall, "keys", name, "rotationpolicy"),
    lifetimeActions: lifetimeActions.map(({ trigger, action }) => ({ trigger, action: { type: spelled[action.type] } })),
    attributes: rotation?.attributes ?? {},
  };
}
