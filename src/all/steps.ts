/** Everything that a hosted cluster needs as one graph, in which independent steps run concurrently. */
import { encryptionKey, type EncryptionKeyOutput, hsmKey } from "../encryption-key/index.js";
import { identityGraph, type DocumentedIdentities, type IdentityContext, type IdentityGraph } from "../identities/index.js";
import { infraGraph, type DocumentedSteps, roleHolder, type CreatedIdentities, type RoleHolder } from "../infra/index.js";
import { type IssuerOutput, keyPair, issuerGraph } from "../issuer/index.js";
import type { Azure } from "../azure/azure.js";
import type { SignedIn } from "../azure/signed-in.js";
import type { Step } from "../engine/step.js";
import type { IdentitySpec } from "../domain/identity-spec.js";
import type { IssuerSpec } from "../domain/issuer.js";
import type { ComponentKey } from "../domain/components.js";
import type { InfraSpec } from "../domain/infra-spec.js";
import { sameText } from "../text/same-text.js";

export interface CreateAllSpec {
  /** Directory of the signing key. */
  readonly keyDirectory: string;
  readonly issuer: IssuerSpec;
  readonly identities: IdentitySpec;
  /** The managed HSM of the key that encrypts etcd; undefined for the vault of the set. */
  readonly hsmName: string | undefined;
  readonly infra: InfraSpec;
}

export interface CreateAllGraph {
  readonly steps: readonly Step<unknown>[];
  readonly issuer: Step<IssuerOutput>;
  readonly identities: DocumentedIdentities;
  readonly infra: DocumentedSteps;
  /** Undefined without a KMS identity. */
  readonly encryptionKey: Step<EncryptionKeyOutput> | undefined;
}

export function createAllGraph(
  azure: Azure,
  spec: CreateAllSpec,
  caller: SignedIn,
  context: Pick<IdentityContext, "files" | "keepsRoles"> = {},
): CreateAllGraph {
  const issuer = issuerGraph(azure, spec.issuer, keyPair(spec.keyDirectory, azure.connection.clock), caller, context);
  const oneGroup = sameText(spec.issuer.group, spec.identities.key.groupName);
  const identities = identityGraph(azure, spec.identities, caller, { ...context, group: oneGroup ? issuer.group : undefined });
  const infra = infraGraph(azure, spec.infra, { createdIdentities: assigneesOf(identities.documented) });
  const encryption = keyGraph(azure, spec, identities);
  return {
    steps: [...new Set([...issuer.steps, ...identities.steps, ...infra.steps, ...(encryption?.steps ?? [])])],
    issuer: issuer.documents,
    identities: identities.documented,
    infra: infra.documented,
    encryptionKey: encryption?.key,
  };
}

/** Undefined without a KMS identity. */
function keyGraph(azure: Azure, { identities: { key: set }, hsmName }: CreateAllSpec, { documented, vault }: IdentityGraph) {
  const kms = documented.controlPlane.filter(({ component }) => component.field === "kms");
  if (kms.length === 0) return undefined;
  return hsmName === undefined ? encryptionKey(azure, set, vault, kms) : hsmKey(azure, set, hsmName, { vault, principals: kms });
}

/** The identity of each component, which gets its roles. */
function assigneesOf({ controlPlane, dataPlane }: DocumentedIdentities): CreatedIdentities {
  return new Map<ComponentKey, RoleHolder>([
    ...controlPlane.map(({ component, principal }) => [component.key, roleHolder(principal, (objectId) => objectId)] as const),
    ...dataPlane.map(({ component, step }) => [component.key, roleHolder(step, ({ principalId }) => principalId)] as const),
  ]);
}
