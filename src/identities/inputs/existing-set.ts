/** Whether an identity set has an identity for KMS. */
import type { Azure } from "../../azure/azure.js";
import { kmsComponents } from "../../domain/components.js";
import { applicationUniqueName } from "../../domain/identity-names.js";
import type { IdentitySetKey } from "../../domain/identity-spec.js";
import type { Existing } from "../../run/kept-kms.js";

export function existingSet(azure: Azure, set: IdentitySetKey): Existing {
  return {
    title: `identity set ${set.name}`,
    async hasKms() {
      const directory = await azure.directory();
      const applications = await Promise.all(
        kmsComponents.map((component) => directory.application(applicationUniqueName(set, component))),
      );
      return applications.some((application) => application !== undefined);
    },
  };
}
