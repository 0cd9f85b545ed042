/** The command line of `create infra` that makes what a spec wants: the advice that mends most. Pure. */
import { shellWord } from "../../errors/shell-word.js";
import type { InfraSpec } from "../../domain/spec.js";

/** Where the identities were read from. */
export interface IdentityPaths {
  readonly managedIdentitiesFile?: string | undefined;
  readonly dataPlaneIdentitiesFile?: string | undefined;
  readonly workloadIdentitiesFile?: string | undefined;
}

/** Without what chooses the Azure: who tells of it adds that (`cli/where-it-works.ts`). `dnsGroup`: the group of the public zone, where it is known. */
export function createCommand(spec: InfraSpec, paths: IdentityPaths, dnsGroup: string | undefined): string {
  const { cluster, existing, roles } = spec;
  const hasExistingNetwork = existing.vnetId !== undefined || existing.subnetId !== undefined;
  const flags: readonly (readonly [flag: string, value: string | true | undefined])[] = [
    ["--name", cluster.name],
    ["--infra-id", cluster.infraId],
    ["--base-domain", spec.baseDomain],
    ["--location", spec.location],
    ["--naming", spec.naming === "documented" ? undefined : spec.naming],
    ["--resource-group-name", spec.existingGroup],
    ["--single-resource-group", spec.singleResourceGroup ? true : undefined],
    ...Object.entries(spec.groupTags).map(([tag, value]) => ["--resource-group-tags", `${tag}=${value}`] as const),
    ["--vnet-cidr", hasExistingNetwork || spec.vnetCidr === "10.0.0.0/16" ? undefined : spec.vnetCidr],
    ["--subnet-cidr", hasExistingNetwork || spec.subnetCidr === "10.0.0.0/24" ? undefined : spec.subnetCidr],
    ["--egress", spec.egress === "load-balancer" ? undefined : spec.egress],
    ["--vnet-id", existing.vnetId],
    ["--subnet-id", existing.subnetId],
    ["--network-security-group-id", existing.networkSecurityGroupId],
    ["--dns-zone-rg-name", spec.dnsZoneGroup ?? (roles === undefined ? undefined : dnsGroup)],
    ...(roles === undefined
      ? []
      : ([
          ["--managed-identities-file", paths.managedIdentitiesFile],
          ["--data-plane-identities-file", paths.dataPlaneIdentitiesFile],
          ["--workload-identities-file", paths.workloadIdentitiesFile],
          [roles.customHcpRoles ? "--assign-custom-hcp-roles" : "--assign-identity-roles", true],
        ] as const)),
  ];
  const words = flags.flatMap(([flag, value]) => (value === undefined ? [] : value === true ? [flag] : [flag, shellWord(value)]));
  return ["aro-hcp create infra", ...words].join(" ");
}
