/** The documents of `create identities`, updated while the steps run. */
import type { Step } from "../../engine/step.js";
import { controlPlaneOutput, dataPlaneOutput, identitiesOutput, type KnownIdentities } from "../../files/identities-output.js";
import { writeDocument } from "../../files/write.js";
import type { CredentialOutput } from "../../steps/credential-secrets.js";
import type { DocumentedIdentities } from "../../steps/identities.js";
import type { ManagedIdentityOutput } from "../../steps/managed-identity.js";

/** The path of each document; undefined: not written. */
export interface IdentityFilePaths {
  readonly outputFile: string | undefined;
  readonly managedIdentitiesOutputFile: string | undefined;
  readonly dataPlaneIdentitiesOutputFile: string | undefined;
}

export interface IdentityDocument {
  /** Adds the outputs of a step, writes the changed files, and returns whether there were any. */
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
