/** The managed HSM with the key of a set, recorded as a tag of the set's vault: a destroy of the set finds the key there. */
import type { Azure } from "../../azure/azure.js";
import { patchTags } from "../../azure/patch-tags.js";
import type { IdentitySetKey } from "../../domain/identity-spec.js";
import { managedHsmIn, managedHsmTag, type KeyPlace } from "../../domain/key-place.js";
import { defineStep, type Step } from "../../engine/step.js";
import { advise } from "../../errors/advice.js";
import { sameText } from "../../text/same-text.js";
import type { VaultOutput } from "../../steps/key-vault.js";
import { keyCommand } from "./key-command.js";
import { refuse } from "../../steps/ownership-decision.js";

interface Recorded {
  readonly hsmName: string;
}

/** Written before the key is created. */
export function hsmOfSet(azure: Azure, set: IdentitySetKey, { name }: KeyPlace, vault: Step<VaultOutput>): Step<true> {
  return defineStep({
    id: "managed-hsm-of-set",
    title: `tag ${managedHsmTag} of ${vault.title}`,
    subject: { kind: "vault-object" },
    needs: { vault },
    within: "vault",
    async read({ vault: { id, exists } }): Promise<Recorded | undefined> {
      if (!exists) return undefined;
      const { tagsOperations } = await azure.resources();
      const hsmName = managedHsmIn((await tagsOperations.getAtScope(id)).properties.tags);
      return hsmName === undefined ? undefined : { hsmName };
    },
    decide(live) {
      if (live === undefined) return { act: "create" };
      if (sameText(live.hsmName, name)) return { act: "keep" };
      return refuse("ARO-OWN-002", `the key of this identity set is in managed HSM "${live.hsmName}", not in "${name}"`, {
        because: "hosted clusters that use it cannot read etcd with another key",
        next: [
          `pass --managed-hsm-name ${live.hsmName}`,
          advise`or destroy the clusters and then the key: ${keyCommand("destroy encryption-key", set, live.hsmName)}`,
        ],
      });
    },
    async apply(_live, { vault: { id } }): Promise<Recorded> {
      await patchTags(azure, id, "Merge", { [managedHsmTag]: name });
      return { hsmName: name };
    },
    predict: (): true => true,
    output: (): true => true,
  });
}
