/** The rotation of credentials as a graph of steps, from the new certificate to the removal of the old key. */
import type { Azure } from "../../azure/azure.js";
import type { EarlierFiles } from "../../azure/application-ownership.js";
import type { SignedIn } from "../../azure/signed-in.js";
import type { Step } from "../../engine/step.js";
import { controlPlaneComponents, kmsComponents, type ControlPlaneComponent } from "../../domain/components.js";
import { purposeOnVault } from "../../domain/given-vault-roles.js";
import { applicationUniqueName } from "../../domain/identity-names.js";
import type { IdentitySetKey } from "../../domain/identity-spec.js";
import type { RotationOptions } from "../../domain/rotation.js";
import { applicationKey } from "./application-keys.js";
import { existingApplication } from "../../steps/applications.js";
import { proof } from "./credential-proof.js";
import { credential } from "./credential-secrets.js";
import { retirement, type Retirement } from "./retirement.js";
import { rotatedCertificate } from "./rotated-certificate.js";
import { vaultAccess } from "../../steps/vault-access.js";
import { existingVault, type ExplainMissing } from "../../steps/vault-of-set.js";
import { vaultEvidence } from "../../azure/vault-evidence.js";

export interface RotationGraph {
  readonly steps: readonly Step<unknown>[];
  readonly retirements: readonly Step<Retirement>[];
}

/** `files` name applications of earlier runs. */
export function rotationGraph(
  azure: Azure,
  options: RotationOptions,
  caller: SignedIn,
  files?: EarlierFiles,
  explain?: ExplainMissing,
): RotationGraph {
  const { key, tenantId } = options;
  const vault = existingVault(azure, key, explain);
  const { access, grants, takeBack } = vaultAccess(azure, vault, caller, {
    keepsRoles: options.keepsRoles,
    purpose: purposeOnVault(key),
  });
  const evidence = vaultEvidence(azure, key);
  const rotated = options.components.map((component) => {
    const owner = existingApplication(azure, key, component, { caller, files, vault: evidence(component) }, vault);
    const { step: pair, older } = rotatedCertificate(azure, options, component, { vault, access });
    const keyStep = applicationKey(azure, component, { owner, certificate: pair });
    const secret = credential(azure, { key, tenantId, objectEncoding: undefined }, component, {
      vault,
      access,
      certificate: pair,
      key: keyStep,
    });
    const proved = proof(azure, options, component, { key: keyStep, certificate: pair, credential: secret });
    const retired = retirement(azure, options, component, older, { owner, key: keyStep, certificate: pair, credential: secret, proved });
    return { steps: [owner, pair, keyStep, secret, proved, retired], retired };
  });
  const steps = [access, ...rotated.flatMap((one) => one.steps)];
  return {
    steps: [vault, ...grants, ...steps, ...takeBack(steps)],
    retirements: rotated.map(({ retired }) => retired),
  };
}

/** The named components. "all" includes the KMS identity only if it exists, because it is created only on request. */
export async function componentsToRotate(azure: Azure, key: IdentitySetKey, named: readonly string[]): Promise<ControlPlaneComponent[]> {
  if (!named.includes("all")) return controlPlaneComponents.filter(({ key }) => named.includes(key));
  const directory = await azure.directory();
  const [kms] = kmsComponents;
  const hasKms = kms !== undefined && (await directory.application(applicationUniqueName(key, kms))) !== undefined;
  return controlPlaneComponents.filter(({ field }) => field !== "kms" || hasKms);
}
