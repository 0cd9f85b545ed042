/** The documents of `create identities`, kept current while the steps run. */
import type { Step } from "../../engine/step.js";
import { controlPlaneOutput, dataPlaneOutput, identitiesOutput, type KnownIdentities } from "../../files/identities-output.js";
import { writeDocument } from "../../files/write.js";
import type { CredentialOutput } from "../../steps/credential-secrets.js";
import type { DocumentedIdentities } from "../../steps/identities.js";
import type { ManagedIdentityOutput } from "../../steps/managed-identities.js";

/** Where each document goes; undefined: nowhere. */
export interface IdentityFilePaths {
  readonly outputFile: string | undefined;
  readonly managedIdentitiesOutputFile: string | undefined;
  readonly dataPlaneIdentitiesOutputFile: string | undefined;
}

export interface IdentityDocument {
  /** Adds what a step handed on; writes the files where that changed them, and tells whether it did. */
  add(step: Step<unknown>, output: unknown): Promise<boolean>;
  known(): KnownIdentities;
}

export function identityDocument(
  { vaultName, tenantId }: Pick<KnownIdentities, "vaultName" | "tenantId">,
  documented: DocumentedIdentities,
  paths: IdentityFilePaths,
): IdentityDocument {
  let known: KnownIdentities = { vaultName, tenantId, controlPlane: {}, dataPlane: {} };
  const write = async (path: string | undefined, value: unknown) => {
    if (path !== undefined) await writeDocument(path, value);
  };
  return {
    async add(step, output) {
      const control = documented.controlPlane.find((entry) => entry.step === step);
      const data = documented.dataPlane.find((entry) => entry.step === step);
      if (control) {
        const { clientId, secretName } = output as CredentialOutput;
        const entry = { clientID: clientId, credentialsSecretName: secretName, objectEncoding: "utf-8" } as const;
        known = { ...known, controlPlane: { ...known.controlPlane, [control.component.field]: entry } };
        await write(paths.managedIdentitiesOutputFile, controlPlaneOutput(known));
      }
      if (data) {
        const { clientId } = output as ManagedIdentityOutput;
        known = { ...known, dataPlane: { ...known.dataPlane, [data.component.field]: clientId } };
        await write(paths.dataPlaneIdentitiesOutputFile, dataPlaneOutput(known));
      }
      const changed = (control ?? data) !== undefined;
      if (changed) await write(paths.outputFile, identitiesOutput(known));
      return changed;
    },
    known: () => known,
  };
}
