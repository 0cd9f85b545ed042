/** The expected role assignments, computed independently of the program: HyperShift's table and its naming of assignments. */
import { createHash } from "node:crypto";
import type { TestEmulator } from "../harness/test-emulator.js";
import { groups, subscription } from "../cli/demo-cluster.js";
import { principalIdOf } from "../identities/cli/identities.js";

type Field = Parameters<typeof principalIdOf>[0];
/** M, N, V, D: the managed, security group's, network's and DNS zone's group. */
type Scope = "M" | "N" | "V" | "D";

/** Component, owner of the identity, role, scopes, and the role with `--assign-custom-hcp-roles`. */
export const table: readonly (readonly [string, Field, string, readonly Scope[], string?])[] = [
  ["cpo", "controlPlaneOperator", "b24988ac-6180-42a0-ab88-20f7382dd24c", ["M", "N", "V"], "fc0c873f-45e9-4d0d-a7d1-585aab30c6ed"],
  ["capz", "nodePoolManagement", "b24988ac-6180-42a0-ab88-20f7382dd24c", ["M", "V"], "88366f10-ed47-4cc0-9fab-c8a06148393e"],
  ["cloud-provider", "cloudProvider", "a1f96423-95ce-4224-ab27-4e3dc72facd4", ["M", "N", "V"]],
  ["azure-file", "file", "0d7aedc0-15fd-4a67-a412-efad370c947e", ["M", "N", "V"]],
  ["azure-disk", "disk", "5b7237c5-45e1-49d6-bc18-a1f62f400748", ["M"]],
  ["ingress", "ingress", "0336e1d3-7a87-462b-b6db-342b63f7802c", ["M", "V", "D"]],
  ["cncc", "network", "be7a6435-15ae-4171-8f30-4a343eff9e8f", ["M", "V"]],
  ["ciro", "imageRegistry", "8b32b316-c2f5-4ddf-b05b-83dacd2d08b5", ["M"]],
  ["ciroWI", "imageRegistryMSIClientID", "8b32b316-c2f5-4ddf-b05b-83dacd2d08b5", ["M"]],
  ["azure-diskWI", "diskMSIClientID", "5b7237c5-45e1-49d6-bc18-a1f62f400748", ["M"]],
  ["azure-fileWI", "fileMSIClientID", "0d7aedc0-15fd-4a67-a412-efad370c947e", ["M"]],
];

/** RFC 4122's DNS namespace. */
const namespace = Buffer.from("6ba7b8109dad11d180b400c04fd430c8", "hex");

/** UUIDv5 of `<infra id>-<component>-<scope>`. */
export function assignmentName(infraId: string, component: string, scope: string): string {
  const hash = createHash("sha1").update(namespace).update(`${infraId}-${component}-${scope}`).digest().subarray(0, 16);
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  return hash.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

export interface Choice {
  readonly groups: Readonly<Record<Scope, string>>;
  readonly without?: readonly string[];
  readonly hcp?: boolean;
}

/** The resource groups of a cluster without existing resources. */
export const separate = { M: groups.managed, N: groups.nsg, V: groups.vnet, D: "dns" } as const;

/** Those of the cluster's identities, without the client's own two roles. */
export async function assignments(azure: TestEmulator): Promise<Record<string, unknown>> {
  const all = Object.entries((await azure.snapshot()).roleAssignments).filter(([key]) => key.includes("/resourcegroups/"));
  return Object.fromEntries(
    all.map(([key, value]) => {
      // Other tools give none.
      const { createdBy, description, ...rest } = value as Record<string, unknown>;
      return [key, rest];
    }),
  );
}

/** The expected assignments, by lowercase ID as in a snapshot of the state. */
export function wantedAssignments({ groups, without = [], hcp = false }: Choice): Record<string, unknown> {
  const entries = table
    .filter(([component]) => !without.includes(component))
    .flatMap(([component, field, role, scopes, hcpRole]) =>
      scopes.map((letter) => {
        const scope = `${subscription}/resourceGroups/${groups[letter]}`;
        const name = assignmentName("demo-x7k2", component, scope);
        const id = `${scope}/providers/Microsoft.Authorization/roleAssignments/${name}`;
        return [
          id.toLowerCase(),
          {
            id,
            name,
            scope,
            roleDefinitionId: `${subscription}/providers/Microsoft.Authorization/roleDefinitions/${(hcp ? hcpRole : undefined) ?? role}`,
            principalId: principalIdOf(field),
            principalType: "ServicePrincipal",
          },
        ] as const;
      }),
    );
  return Object.fromEntries(entries);
}
