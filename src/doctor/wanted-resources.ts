/** Counts what the steps of a create make, by resource type, without requests to Azure. */
import { createAllGraph } from "../all/index.js";
import { identityGraph } from "../identities/index.js";
import { infraGraph } from "../infra/index.js";
import { givenKeys, issuerGraph } from "../issuer/index.js";
import type { Azure } from "../azure/azure.js";
import type { SignedIn } from "../azure/signed-in.js";
import { assignedComponents, controlPlaneComponents } from "../domain/components.js";
import { defaultCertificates, type IdentitySpec } from "../domain/identity-spec.js";
import type { IssuerSpec } from "../domain/issuer.js";
import { formatResourceId, resourceGroupId } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import type { InfraSpec } from "../domain/infra-spec.js";
import type { Step } from "../engine/step.js";
import type { DoctorRequest, WantedResources } from "../preflight/request.js";

type Wanted = Pick<DoctorRequest, "parts" | "existing" | "location" | "egress" | "aksSteps">;

/** Placeholders for names and settings, which do not affect the counts and may not be specified yet. */
const any = { name: "any", infraId: "any", group: "any", id: "00000000-0000-0000-0000-000000000000" } as const;
const caller: SignedIn = { objectId: any.id, tenantId: any.id, principalType: "ServicePrincipal" };

export function wantedResources(azure: Azure, request: Wanted): WantedResources {
  const steps = stepsOf(azure, request);
  const made = new Map<string, number>();
  for (const { subject } of steps) {
    if (subject?.kind !== "resource") continue;
    const type = subject.type.toLowerCase();
    made.set(type, (made.get(type) ?? 0) + (subject.existing ? 0 : 1));
  }
  return {
    uses: (type) => made.has(type.toLowerCase()),
    made: (type) => made.get(type.toLowerCase()) ?? 0,
    roleAssignments: steps.filter(({ subject }) => subject?.kind === "role-assignment").length,
  };
}

function stepsOf(azure: Azure, request: Wanted): readonly Step<unknown>[] {
  const { parts, location, aksSteps } = request;
  if (aksSteps !== undefined) return aksSteps;
  const infra = infraSpec(request);
  const identities = identitySpec(location);
  const issuer = issuerSpec(location);
  if (parts.has("infra") && parts.has("identities") && parts.has("issuer")) {
    return createAllGraph(azure, { keyDirectory: any.name, issuer, identities, hsmName: undefined, infra }, caller).steps;
  }
  return [
    ...(parts.has("infra") ? infraGraph(azure, { ...infra, roles: undefined }).steps : []),
    ...(parts.has("identities") ? identityGraph(azure, identities, caller).steps : []),
    ...(parts.has("issuer") ? issuerGraph(azure, issuer, givenKeys([]), caller).steps : []),
  ];
}

function infraSpec({ parts, existing, location, egress }: Wanted): InfraSpec {
  const isPassed = (kind: "vnet" | "nsg", { type }: { readonly type: string }) =>
    existing.has(kind) ? formatResourceId(resourceGroupId(any.id, any.group), type, any.name) : undefined;
  return {
    cluster: any,
    subscriptionId: any.id,
    location,
    baseDomain: any.name,
    naming: "documented",
    vnetCidr: "",
    subnetCidr: "",
    egress,
    groupTags: {},
    existingGroup: existing.has("managed") ? any.group : undefined,
    singleResourceGroup: false,
    existing: {
      vnetId: isPassed("vnet", resourceTypes.virtualNetwork),
      subnetId: undefined,
      networkSecurityGroupId: isPassed("nsg", resourceTypes.networkSecurityGroup),
    },
    dnsZoneGroup: "dns",
    roles: parts.has("identities")
      ? {
          assignees: assignedComponents.map((component) => ({ component, clientId: undefined })),
          customHcpRoles: false,
          assigns: false,
          identities: { title: "new identities", replace: true },
        }
      : undefined,
  };
}

function identitySpec(location: string): IdentitySpec {
  return {
    key: { name: any.name, subscriptionId: any.id, groupName: "identities", vaultName: any.name },
    tenantId: any.id,
    location,
    // Without the one of --enable-kms.
    components: controlPlaneComponents.filter(({ field }) => field !== "kms"),
    certificates: defaultCertificates,
    purgeProtection: "none",
    objectEncoding: undefined,
    readerObjectId: undefined,
    issuerUrl: "https://any",
  };
}

function issuerSpec(location: string): IssuerSpec {
  const names = { group: "issuer", account: any.name, container: any.name };
  return { ...names, owner: { identitySet: any.name }, subscriptionId: any.id, location, url: "https://any", tags: {}, retiredKeys: [] };
}
