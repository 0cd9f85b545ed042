/** One identity set as a graph of steps, in the order in which `create identities` creates it. */
import { oncePerKey } from "../../azure/concurrency.js";
import type { Azure } from "../../azure/azure.js";
import type { SignedIn } from "../../azure/signed-in.js";
import type { Step } from "../../engine/step.js";
import { dataPlaneComponents, type ControlPlaneComponent, type DataPlaneComponent } from "../../domain/components.js";
import { purposeOnVault } from "../../domain/given-vault-roles.js";
import {
  applicationUniqueName,
  federatedCredentialName,
  furtherFederatedCredentialName,
  managedIdentityName,
} from "../../domain/identity-names.js";
import type { IdentitySpec } from "../../domain/identity-spec.js";
import { applicationKey } from "./application-keys.js";
import type { EarlierFiles } from "../../azure/application-ownership.js";
import { application, servicePrincipal, type ApplicationOutput, type DeletedOfSet } from "../../steps/applications.js";
import { certificate } from "./certificates.js";
import { credential, type CredentialOutput } from "./credential-secrets.js";
import type { VaultOutput } from "../../steps/key-vault.js";
import { identityWrites, type ManagedIdentityOutput, managedIdentity, type RateLimit } from "../../steps/managed-identity.js";
import { ownGroup, type GroupOutput } from "../../steps/resource-groups.js";
import { vaultAccess } from "../../steps/vault-access.js";
import { vaultOfSet } from "../../steps/vault-of-set.js";
import { vaultEvidence } from "../../azure/vault-evidence.js";
import { openShiftAudience } from "../../domain/service-account-tokens.js";
import { federatedCredentials } from "../../steps/federated-credentials.js";

/** The steps whose outputs the identity files contain. */
export interface DocumentedIdentities {
  readonly controlPlane: readonly {
    readonly component: ControlPlaneComponent;
    readonly step: Step<CredentialOutput>;
    readonly application: Step<ApplicationOutput>;
    /** Its output is the object ID of its service principal. */
    readonly principal: Step<string>;
    /** They make its certificate, the key on its application, and its secret. */
    readonly secretSteps: readonly Step<unknown>[];
    readonly principalSteps: readonly Step<unknown>[];
  }[];
  readonly dataPlane: readonly {
    readonly component: DataPlaneComponent;
    readonly step: Step<ManagedIdentityOutput>;
    readonly principalSteps: readonly Step<unknown>[];
  }[];
}

export interface IdentityGraph {
  readonly steps: readonly Step<unknown>[];
  readonly documented: DocumentedIdentities;
  readonly vault: Step<VaultOutput>;
}

export interface IdentityContext {
  /** The step of the group, if another graph already creates it. */
  readonly group?: Step<GroupOutput> | undefined;
  readonly files?: EarlierFiles | undefined;
  /** Whether the roles on the vault that the run assigns to the signed-in principal stay. */
  readonly keepsRoles?: boolean;
}

export function identityGraph(
  azure: Azure,
  spec: IdentitySpec,
  caller: SignedIn,
  { group = persistentGroup(azure, spec), files, keepsRoles = true }: IdentityContext = {},
): IdentityGraph {
  const { key } = spec;
  const vault = vaultOfSet(azure, spec, group);
  const options = { readerObjectId: spec.readerObjectId, keepsRoles, purpose: purposeOnVault(key) };
  const { access, reader, grants, takeBack } = vaultAccess(azure, vault, caller, options);
  const rateLimited = identityWrites(azure);

  const deletedOfSet = deletedApplicationsOf(azure, spec);

  const evidence = vaultEvidence(azure, key);
  const controlPlane = spec.components.map((component) => {
    const owner = application(azure, key, component, deletedOfSet, { caller, files, vault: evidence(component) });
    const principal = servicePrincipal(azure, component, owner);
    const pair = certificate(azure, key, spec.certificates, component, { vault, access });
    const keyStep = applicationKey(azure, component, { owner, certificate: pair });
    const step = credential(azure, spec, component, { vault, access, certificate: pair, key: keyStep });
    const steps = [owner, principal, pair, keyStep, step];
    return {
      component,
      step,
      principal,
      steps,
      application: owner,
      secretSteps: [pair, keyStep, step],
      principalSteps: [owner, principal],
    };
  });
  const dataPlane = dataPlaneComponents.map((component) => {
    const step = dataPlaneIdentity(azure, spec, component, group, rateLimited);
    return { component, step, principalSteps: [step, federatedCredential(azure, spec, component, group, step, rateLimited)] };
  });
  const ofControlPlane = controlPlane.flatMap(({ steps }) => steps);
  return {
    steps: [
      group,
      vault,
      ...grants,
      access,
      ...reader,
      ...ofControlPlane,
      ...takeBack([access, ...ofControlPlane]),
      ...dataPlane.flatMap(({ principalSteps }) => principalSteps),
    ],
    documented: { controlPlane, dataPlane },
    vault,
  };
}

/** Listed on first use: only if one is missing. */
function deletedApplicationsOf(azure: Azure, { key, components }: Pick<IdentitySpec, "key" | "components">): DeletedOfSet {
  const lists = oncePerKey<Awaited<ReturnType<DeletedOfSet>>>();
  return () =>
    lists.get("deleted", async () =>
      (await azure.directory()).deletedApplications(components.map((component) => applicationUniqueName(key, component))),
    );
}

/** The group that outlives clusters: created if absent, used unchanged if others created it. */
function persistentGroup(azure: Azure, { key, location }: Pick<IdentitySpec, "key" | "location">): Step<GroupOutput> {
  const options = { subscriptionId: key.subscriptionId, location, owner: { identitySet: key.name }, tags: {} } as const;
  return ownGroup(azure, options, "persistent-group", key.groupName);
}

/** The managed identities of the data plane, and the federated identity credentials with which the guest cluster's pods sign in as them. */
function dataPlaneIdentity(
  azure: Azure,
  { key, location }: IdentitySpec,
  component: DataPlaneComponent,
  group: Step<GroupOutput>,
  rateLimit: RateLimit,
): Step<ManagedIdentityOutput> {
  const spec = { name: managedIdentityName(key, component), owner: { identitySet: key.name }, location, purpose: component.key };
  return managedIdentity(azure, spec, group, rateLimit);
}

/** Trusts the tokens of one issuer for one subject. Credentials of other issuers stay, because the identity may serve other clusters. */
function federatedCredential(
  azure: Azure,
  { key, issuerUrl }: IdentitySpec,
  component: DataPlaneComponent,
  group: Step<GroupOutput>,
  identity: Step<ManagedIdentityOutput>,
  rateLimit: RateLimit,
): Step<unknown> {
  const identityName = managedIdentityName(key, component);
  const subject = {
    subject: component.subject,
    name: federatedCredentialName(identityName),
    nameBeside: furtherFederatedCredentialName(identityName, issuerUrl),
  };
  const federation = { identityName, issuerUrl, subjects: [subject], audience: openShiftAudience, purpose: component.key } as const;
  return federatedCredentials(azure, federation, group, identity, rateLimit);
}
