/** Rows of the checks of role assignments. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { wellKnown } from "../../../src/emulator/index.js";
import type { RenderedResult as Result } from "../../../src/run/verification.js";
import { groupId, groups } from "../../cli/demo-cluster.js";
import { everyLine, firstLine } from "../../verify/advice.js";
import type { HealthyState } from "../../verify/healthy-state.js";
import { assign, assignmentsOf, crossed } from "./identity-edits.js";
import { ofState } from "./identity-entra-rows.js";
import { deleteResources } from "../../harness/state-changes.js";
import type { Row } from "./identity-rows.js";
import { writeDenial } from "../../infra/verify/infra-role-rows.js";

const unknownPrincipal = "00000000-dead-4000-8000-000000000000";
const reader = "acdd72a7-3385-48ef-bd42-f606fba81ae7";
const registryRole = "8b32b316-c2f5-4ddf-b05b-83dacd2d08b5";
const hcpRoles = { cpo: "fc0c873f-45e9-4d0d-a7d1-585aab30c6ed", capz: "88366f10-ed47-4cc0-9fab-c8a06148393e" } as const;

/** No `az` command can fix assignments under each other's names. */
async function rerunCreate(state: HealthyState, { next }: Result): Promise<void> {
  expect(next).not.toMatch(/`az /);
  await state.createAgain();
}

const customHcpRoles = { given: () => Promise.resolve({ customHcpRoles: true }) } as const;

export const roleRows: readonly Row[] = [
  ofState(
    "role-assigned/ingress",
    "missing role assignments",
    /no role assignment Azure Red Hat OpenShift Cluster Ingress Operator for ingress on resource group/,
    (state) => {
      for (const [key] of assignmentsOf(state, "ingress").slice(0, 2)) Reflect.deleteProperty(state.roleAssignments, key);
    },
    everyLine,
  ),
  ofState(
    "role-assigned/disk",
    "role assignments under each other's names",
    /belongs to file of set demo$/,
    (state) => crossed(state, "disk", "file"),
    rerunCreate,
    { also: [{ row: "role-assigned/file", evidence: /belongs to disk of set demo$/ }] },
  ),
  {
    row: "role-assigned/nodepool-mgmt",
    fault: "roles without --assign-custom-hcp-roles",
    ...customHcpRoles,
    evidence: new RegExp(`${hcpRoles.capz}.*it has Contributor there, the role without --assign-custom-hcp-roles`),
    follow: everyLine,
    also: [{ row: "role-assigned/cpo", evidence: new RegExp(hcpRoles.cpo), follow: everyLine }],
  },
  ofState(
    "role-defined/cpo",
    "a role that this cloud does not have",
    /RoleDefinitionDoesNotExist/,
    (state) => (state.knobs = { ...state.knobs, missingRoles: [hcpRoles.cpo] }),
    // "omit --assign-custom-hcp-roles here and in create infra"
    async (state) => {
      await state.createAgain();
      return { customHcpRoles: false };
    },
    { ...customHcpRoles, also: [{ row: "role-assigned/nodepool-mgmt", evidence: new RegExp(hcpRoles.capz) }] },
  ),
  ofState(
    "role-name-free/image-registry",
    "another principal's assignment under the name, which create would delete",
    /so create infra would delete it/,
    (state) => {
      const [key = "", own] = assignmentsOf(state, "image-registry")[0] ?? [];
      assign(state, groupId(groups.managed), registryRole, own?.principalId ?? "", "00000000-0000-4000-8000-00000000aaaa");
      const existing = state.roleAssignments[key];
      if (existing) state.roleAssignments[key] = { ...existing, principalId: wellKnown.clientPrincipalId };
    },
    firstLine,
  ),
  ofState(
    "role-name-free/cpo",
    "role assignments under each other's names",
    /belongs to nodepool-mgmt of set demo$/,
    (state) => crossed(state, "cpo", "nodepool-mgmt"),
    rerunCreate,
    { also: [{ row: "role-name-free/nodepool-mgmt", evidence: /belongs to cpo of set demo$/ }] },
  ),
  {
    row: "role-allowed/ingress",
    fault: "a deny assignment on writes for everyone else",
    evidence: /^"stack" on .*\/dns denies ingress: Microsoft\.Network\/dnsZones\/.* and \d+ more$/,
    async breaks(state) {
      const file = join(state.root, "denial.json");
      await writeFile(file, JSON.stringify({ resources: writeDenial(groupId("dns")) }));
      await state.aroHcp(["local", "seed", file]);
    },
    follow: (state) => deleteResources(state, ...Object.keys(writeDenial(groupId("dns")))),
  },
  ofState(
    `role-dangling/${groups.nsg}`,
    "a role assignment of a deleted principal",
    new RegExp(unknownPrincipal),
    (state) => assign(state, groupId(groups.nsg), reader, unknownPrincipal, "00000000-0000-4000-8000-00000000bbbb"),
    firstLine,
    { warning: true },
  ),
];
