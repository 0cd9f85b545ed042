/** A service cluster with every part of its ingress, and what it must find in Azure before it is created. */
import { certificatesOfficer, secretsOfficer } from "../../../src/domain/roles.js";
import { wellKnown } from "../../../src/emulator/index.js";
import { resource, type SnapshotResource } from "../../harness/state-changes.js";
import type { CliOptions, CliResult, TestEmulator } from "../../harness/test-emulator.js";
import { groupId, inGroup } from "../../cli/demo-cluster.js";

export const zone = "eastus.hcp.example.com";
const zoneId = inGroup("dns", `dnszones/${zone}`);

/** IDs, written by hand: resources are compared with these, not with computed values. */
export const ids = {
  zone: zoneId,
  rp: `${zoneId}/A/rp`,
  admin: `${zoneId}/A/admin`,
  delegation: inGroup("dns", "dnszones/hcp.example.com/NS/eastus"),
  vault: `${groupId("shared")}/providers/Microsoft.KeyVault/vaults/kv-svc`,
  group: groupId("svc"),
  nsg: inGroup("svc", "networkSecurityGroups/svc-node-nsg"),
  ingress: inGroup("svc", "publicIPAddresses/svc-ingress-ip"),
  ops: inGroup("svc", "publicIPAddresses/svc-ops-ingress-ip"),
  cluster: `${groupId("svc")}/providers/Microsoft.ContainerService/managedClusters/svc`,
} as const;

export const rule = (name: string) => `${ids.nsg}/securityRules/${name}`;

/** The zone of the region, and a vault on which the signed-in principal has these roles. */
export async function seedSurroundings(azure: TestEmulator, roles = [certificatesOfficer, secretsOfficer]): Promise<void> {
  await azure.seed({
    resources: {
      [ids.zone]: { location: "global", tags: { owner: "network team" } },
      [groupId("shared")]: { location: "eastus" },
      [ids.vault]: {
        location: "eastus",
        properties: { sku: { family: "A", name: "standard" }, tenantId: wellKnown.tenantId, enableRbacAuthorization: true },
      },
    },
    roleAssignments: roles.map(({ id: role }) => ({
      scope: ids.vault,
      role,
      principalId: wellKnown.clientPrincipalId,
    })),
  });
}

export const svc = ["--cloud", "local", "--name", "svc"];
export const withIngress = ["--regional-zone", zone, "--ops-host", "admin", "--delegate-zone", "--certificate-vault-id", ids.vault];
/** In Azure, operations on an AKS cluster take minutes. */
export const faster: CliOptions = { env: { ARO_HCP_LOCAL_TIME_SCALE: "1000" } };

/** With its output file, which also has what no resource of the cluster shows: its zone and its certificate. */
export function create(azure: TestEmulator, flags: readonly string[] = withIngress): Promise<CliResult> {
  const output = flags.includes("--output-file") ? [] : ["--output-file", fileOf(azure)];
  return azure.cli(["create", "service-cluster", ...svc, "--yes", ...output, ...flags], faster);
}

export const fileOf = (azure: TestEmulator) => azure.path("svc.json");

export function show(azure: TestEmulator, flags: readonly string[] = []): Promise<CliResult> {
  return azure.cli(["show", "service-cluster", ...svc, "--service-cluster-file", fileOf(azure), ...flags], faster);
}

export async function live(azure: TestEmulator, id: string): Promise<SnapshotResource> {
  const found = await resource(azure, id);
  if (found === undefined) throw new Error(`${id} not found`);
  return found;
}

export async function ipAddress(azure: TestEmulator, id: string): Promise<string> {
  return String((await live(azure, id)).properties["ipAddress"]);
}

/** Source, port and destination of a rule. */
export async function ruleText(azure: TestEmulator, name: string): Promise<string> {
  const { priority, sourceAddressPrefix, destinationPortRange, destinationAddressPrefix } = (await live(azure, rule(name))).properties;
  return [priority, sourceAddressPrefix, destinationPortRange, destinationAddressPrefix].map(String).join(" ");
}
