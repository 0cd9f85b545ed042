/** The secret that pods of a connected cluster mount. */
import type { Azure } from "../../azure/azure.js";
import { readSecret } from "../../azure/vault-secrets.js";
import { azureCodeOf } from "../../azure/azure-error.js";
import type { ArcSecretsSpec } from "../domain/secrets.js";
import { ownedBy, ownershipTags } from "../../domain/ownership.js";
import { defineStep, type Step } from "../../engine/step.js";
import { advise, shell } from "../../errors/advice.js";
import { Stale } from "../../errors/stale.js";
import { recoverSecret } from "../../steps/recovery.js";
import type { VaultOutput } from "../../steps/key-vault.js";
import { refuse } from "../../steps/ownership-decision.js";
import { unreadWithoutAccess } from "../../steps/unread-contents.js";
import type { Admission } from "../../steps/vault-access.js";

export interface VaultSecretOutput {
  /** The scope of a role on this secret alone. */
  readonly id: string;
}

type Live = NonNullable<Awaited<ReturnType<typeof readSecret>>>;

/** Without a value, a new secret gets a random one, and an existing one is used as it is. */
export function vaultSecret(
  azure: Azure,
  { name: cluster, vaultName, secretName, secretValue }: ArcSecretsSpec,
  needs: { readonly vault: Step<VaultOutput>; readonly access: Step<Admission> },
): Step<VaultSecretOutput> {
  const owner = { arc: cluster };
  const what = `secret "${secretName}"`;
  const idIn = ({ id }: VaultOutput) => `${id}/secrets/${secretName}`;
  return defineStep({
    id: "vault-secret",
    title: `secret ${secretName}`,
    subject: { kind: "vault-object" },
    needs: { ...needs },
    within: "vault",
    addsVersion: true,
    unread: unreadWithoutAccess,
    preview: () => ({ act: "create" }),
    read: () => readSecret(azure, vaultName, secretName),
    decide(live) {
      if (live === undefined) return { act: "create" };
      const isOurs = ownedBy((live.secret ?? live.deleted)?.properties.tags, owner) === "ours";
      if (live.deleted !== undefined) {
        if (isOurs) return { act: "create", why: "it was deleted and is recovered" };
        return refuse("ARO-VAULT-001", `${what} is soft-deleted, was not created for this cluster, and still has the name`, {
          next: [
            "choose another --secret-name",
            advise`or, if its owner agrees, purge it: ${shell`az keyvault secret purge --name ${secretName} --vault-name ${vaultName}`}`,
          ],
        });
      }
      if (secretValue === undefined || live.secret?.value === secretValue) return { act: isOurs ? "keep" : "use" };
      if (isOurs) return { act: "update", why: "its value differs", changes: [{ path: "value", from: "***", to: "***" }] };
      return refuse("ARO-OWN-001", `${what} exists with another value, and was not created for this cluster`, {
        next: ["choose another --secret-name", "or omit --secret-file to use the secret as it is"],
      });
    },
    async apply(live): Promise<Live> {
      if (live?.deleted !== undefined) return recoverSecret(azure, vaultName, secretName);
      const { secrets } = await azure.vaultContent(vaultName);
      try {
        const tags = ownershipTags(owner);
        return {
          secret: await secrets.setSecret(secretName, secretValue ?? azure.connection.random.bytes(24).toString("base64url"), { tags }),
        };
      } catch (error) {
        if (azureCodeOf(error) !== "ObjectIsDeletedButRecoverable") throw error;
        throw new Stale("a soft-deleted one still has the name", { cause: error });
      }
    },
    predict: ({ vault }) => ({ id: idIn(vault) }),
    output: (_live, { vault }) => ({ id: idIn(vault) }),
  });
}
