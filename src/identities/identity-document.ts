/** The documents of `create identities`, updated while the steps run. */
import type { Step } from "../engine/step.js";
import type { ClientIds } from "../files/client-id-files.js";
import {
  controlPlaneFile,
  controlPlaneOutput,
  dataPlaneFile,
  dataPlaneOutput,
  earlierDataPlaneIds,
  identitiesOutputFile,
  identitiesOutput,
  type KnownIdentities,
} from "./files/identities-output.js";
import type { OutputFile } from "../files/output-file.js";
import { checkOutputs, writeDocument } from "../files/write.js";
import type { CredentialOutput } from "./steps/credential-secrets.js";
import type { DocumentedIdentities } from "./steps/identities.js";
import type { ManagedIdentityOutput } from "../steps/managed-identity.js";
import type { LiveOutputs } from "../run/apply.js";

/** The path of each document; undefined: not written. */
export interface IdentityFilePaths {
  readonly outputFile: string | undefined;
  readonly outputManagedIdentities: string | undefined;
  readonly outputDataPlaneIdentities: string | undefined;
}

export interface IdentityDocument {
  /** Adds the outputs of a step, writes the changed files, and returns whether there were any. */
  add(step: Step<unknown>, output: unknown): Promise<boolean>;
  known(): KnownIdentities;
  /** Before the plan is shown. @throws ARO-FILE-004 for the files of another set, or of another program */
  requireOwn(live: LiveOutputs): Promise<void>;
}

export function identityDocument(
  { vaultName, tenantId }: Pick<KnownIdentities, "vaultName" | "tenantId">,
  documented: DocumentedIdentities,
  paths: IdentityFilePaths,
): IdentityDocument {
  let known: KnownIdentities = { vaultName, tenantId, controlPlane: {}, dataPlane: {} };
  /** The client IDs that exist, or existed when the files were written. */
  let earlierIds: ClientIds = {};
  const { outputFile: path, outputManagedIdentities: controlPath, outputDataPlaneIdentities: dataPath } = paths;
  const combined = path === undefined ? undefined : identitiesOutputFile(path, vaultName);
  const controlPlane = controlPath === undefined ? undefined : controlPlaneFile(controlPath, vaultName);
  const dataPlane = (isRunning: boolean) =>
    dataPath === undefined ? undefined : dataPlaneFile(dataPath, { known: { ...earlierIds, ...known.dataPlane }, isRunning });
  const write = async (file: OutputFile | undefined, value: unknown) => {
    if (file !== undefined) await writeDocument(file, value);
  };
  return {
    async requireOwn(live) {
      await checkOutputs([combined, controlPlane]);
      const current = documented.dataPlane.map(({ component, step }) => [component.field, live.get(step)?.clientId] as const);
      const inCombined = path === undefined ? {} : await earlierDataPlaneIds(path);
      earlierIds = { ...Object.fromEntries(current.filter(([, id]) => id !== undefined)), ...inCombined };
      await checkOutputs([dataPlane(false)]);
    },
    async add(step, output) {
      const control = documented.controlPlane.find((entry) => entry.step === step);
      const data = documented.dataPlane.find((entry) => entry.step === step);
      if (control) {
        const { clientId, secretName, encoding } = output as CredentialOutput;
        const entry = { clientID: clientId, credentialsSecretName: secretName, objectEncoding: encoding };
        known = { ...known, controlPlane: { ...known.controlPlane, [control.component.field]: entry } };
      }
      if (data) {
        const { clientId } = output as ManagedIdentityOutput;
        known = { ...known, dataPlane: { ...known.dataPlane, [data.component.field]: clientId } };
      }
      const changed = (control ?? data) !== undefined;
      // Another run may have written the files meanwhile: the combined one names the set.
      if (changed) await write(combined, identitiesOutput(known));
      if (control) await write(controlPlane, controlPlaneOutput(known));
      if (data) await write(dataPlane(true), dataPlaneOutput(known));
      return changed;
    },
    known: () => known,
  };
}
