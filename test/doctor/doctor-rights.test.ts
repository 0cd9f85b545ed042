/** Permissions: missing actions are listed with a command that grants them, and the list of needed actions is exact. */
import { defaultEgress } from "../../src/domain/egress.js";
import { expect, test } from "vitest";
import { aksClusterGraph } from "../../src/aks/steps/graph.js";
import { aksSpec } from "../steps/every-graph.js";
import { doctorState, type DoctorState } from "./doctor-state.js";
import { findings, rowOf } from "../verify/healthy-state.js";
import { aksActions, allActions, application, client, customRole, given, roleIds, subscription } from "../verify/other-client.js";

const zoneGroup = "dns";

const network = `${subscription}/resourceGroups/net/providers/Microsoft.Network`;
/** A create with a NAT gateway and an existing prefix needs all actions, except for those on a route table. */
const everything = { egress: { ...defaultEgress, type: "nat-gateway", prefixIds: [`${network}/publicIPPrefixes/a`] } } as const;
const routed = { egress: { ...defaultEgress, type: "user-defined-routing", routeTableId: `${network}/routeTables/a` } } as const;

async function asOther(...seeds: readonly object[]): Promise<DoctorState> {
  const state = await doctorState();
  for (const document of [application(), ...seeds]) await state.seed(document);
  return state.signedIn(client);
}

test("a Contributor lacks only the permission to assign roles, and the advised command grants it", async () => {
  const state = await asOther(given(roleIds.contributor));
  // The permission is missing for six groups, and reported once. Only one of them exists.
  const results = await state.examine();
  expect(findings(results)).toEqual(["rights/subscription failed"]);
  expect(rowOf(results, "rights", `group ${zoneGroup}`).state).toBe("skipped");
  expect(rowOf(results, "rights", "subscription")).toMatchObject({
    evidence: "not allowed: Microsoft.Authorization/roleAssignments/write",
    next: expect.stringContaining(
      `\`az role assignment create --role 'User Access Administrator' --assignee-object-id c11e0000-0000-4000-8000-0000000000ac ` +
        `--assignee-principal-type ServicePrincipal --scope ${subscription}\``,
    ) as string,
  });
  // Without identities there are no roles to assign.
  expect(findings(await state.examine({ parts: new Set(["infra"]) }))).toEqual([]);
  await state.seed(given(roleIds.userAccessAdministrator));
  expect(findings(await state.examine())).toEqual([]);
});

test("a role with exactly the needed actions passes, except for what only a reader of the subscription sees", async () => {
  const state = await asOther(given(roleIds.custom), customRole(allActions));
  const results = await state.examine(everything);
  expect(findings(results)).toEqual(["providers/providers warning"]);
  for (const check of ["deny-assignments", "locks"]) expect(rowOf(results, check, "subscription").state).toBe("skipped");
});

test.each(allActions)("a role without %s fails with exactly this action", async (action) => {
  const state = await asOther(given(roleIds.custom), customRole(allActions.filter((other) => other !== action)));
  const failed = (await state.examine(action.includes("/routeTables/") ? routed : everything)).filter(({ state }) => state === "failed");
  expect(new Set(failed.map(({ evidence }) => evidence))).toEqual(new Set([`not allowed: ${action}`]));
});

/** Of a service cluster with every part, beside which nothing exists. */
function examineCluster(state: DoctorState) {
  const groups = { aks: "svc", dns: "dns" };
  const cluster = { kind: "service-cluster", name: "svc" } as const;
  const { steps } = aksClusterGraph(state.azure, { ...aksSpec(cluster.kind, "production", false), cluster });
  const planned = () => [{ part: "aks", steps: [], missing: [] } as const];
  return state.examine({ parts: new Set(["aks"]), groups, wanted: { aksCluster: cluster }, aksSteps: steps, planned });
}

test("a role with exactly the actions of an AKS cluster passes", async () => {
  const state = await asOther(given(roleIds.custom), customRole(aksActions));
  expect(findings(await examineCluster(state))).toEqual(["providers/providers warning"]);
});

test.each(aksActions)("for an AKS cluster, a role without %s fails with exactly this action", async (action) => {
  const state = await asOther(given(roleIds.custom), customRole(aksActions.filter((other) => other !== action)));
  const failed = (await examineCluster(state)).filter(({ state }) => state === "failed");
  expect(new Set(failed.map(({ evidence }) => evidence))).toEqual(new Set([`not allowed: ${action}`]));
});

test("an unregistered provider needs the permission to register it", async () => {
  const state = await asOther(given(roleIds.custom), customRole([...allActions, "Microsoft.Resources/subscriptions/*/read"]), {
    providers: { "Microsoft.Storage": "NotRegistered" },
  });
  const results = await state.examine();
  expect(findings(results)).toEqual(["providers/providers warning", "rights/subscription failed"]);
  expect(rowOf(results, "rights", "subscription").evidence).toBe("not allowed: Microsoft.Storage/register/action");
});

test("existing resources that are passed, and existing groups, need no write permission", async () => {
  const written = ["Microsoft.Network/virtualNetworks/write", "Microsoft.Network/networkSecurityGroups/write"];
  const state = await asOther(given(roleIds.custom), customRole(allActions.filter((action) => !written.includes(action))));
  expect(findings(await state.examine())).toContain("rights/subscription failed");
  expect(findings(await state.examine({ existing: new Set(["vnet", "nsg"]) }))).toEqual(["providers/providers warning"]);
  // A create makes only the groups that do not exist.
  await state.seed(customRole(allActions.filter((action) => action !== "Microsoft.Resources/subscriptions/resourceGroups/write")));
  const parts = new Set(["infra"] as const);
  const existing = new Set(["vnet", "nsg"] as const);
  expect(findings(await state.examine({ parts, existing }))).toContain("rights/subscription failed");
  await state.seed({ resources: { [`${subscription}/resourceGroups/demo-demo-x7k2`]: { location: "eastus" } } });
  expect(findings(await state.examine({ parts, existing }))).toEqual(["providers/providers warning"]);
  expect(findings(await state.examine({ parts, existing: new Set(["managed", ...existing]) }))).toEqual(["providers/providers warning"]);
});

test("a deny assignment fails if it applies to the signed-in principal or everyone, and to a needed action", async () => {
  const state = await doctorState();
  const id = `${subscription}/providers/Microsoft.Authorization/denyAssignments/d0000000-0000-4000-8000-000000000001`;
  const everyone = { id: "00000000-0000-0000-0000-000000000000", type: "SystemDefined" };
  const us = { id: "c11e0000-0000-4000-8000-000000000003", type: "ServicePrincipal" };
  const deny = (actions: readonly string[], excludePrincipals: readonly object[] = [], principals: readonly object[] = [everyone]) => ({
    resources: { [id]: { properties: { denyAssignmentName: "stack", permissions: [{ actions }], principals, excludePrincipals } } },
  });
  await state.seed(deny(["Microsoft.Network/*/write"]));
  const results = await state.examine();
  expect(findings(results)).toEqual(["deny-assignments/subscription failed"]);
  expect(rowOf(results, "deny-assignments", "subscription").evidence).toMatch(
    /^"stack" on \/subscriptions\/[^ ]+ denies Microsoft\.Network\/publicIPAddresses\/write, Microsoft\.Network\/loadBalancers\/write, /,
  );
  await expect(
    (await state.azure.network()).networkSecurityGroups.beginCreateOrUpdateAndWait("dns", "any", { location: "eastus" }),
  ).rejects.toMatchObject({ code: "AuthorizationFailed" });
  await state.seed(deny(["Microsoft.Network/*/write"], [us]));
  expect(findings(await state.examine())).toEqual([]);
  await state.seed(deny(["Microsoft.Compute/*"], []));
  expect(findings(await state.examine())).toEqual([]);
  await state.seed(deny(["*"], [], [{ id: "90000000-0000-4000-8000-000000000001", type: "Group" }]));
  expect(rowOf(await state.examine(), "deny-assignments", "subscription")).toMatchObject({
    state: "passed",
    evidence: "none for the signed-in principal; 1 deny assignment for groups, whose members are not looked up",
  });
});

test("a read-only lock fails, a lock against deletion is mentioned, and a lock elsewhere is ignored", async () => {
  const state = await doctorState();
  const lock = (group: string, level: string) => ({
    resources: {
      [`${subscription}/resourceGroups/${group}`]: { location: "eastus" },
      [`${subscription}/resourceGroups/${group}/providers/Microsoft.Authorization/locks/frozen`]: { properties: { level } },
    },
  });
  await state.seed(lock("elsewhere", "ReadOnly"));
  expect(findings(await state.examine())).toEqual([]);
  await state.seed(lock("demo-common", "ReadOnly"));
  const results = await state.examine();
  expect(findings(results)).toEqual(["locks/subscription failed"]);
  expect(rowOf(results, "locks", "subscription")).toMatchObject({
    evidence: `the lock "frozen" makes ${subscription}/resourceGroups/demo-common read-only`,
    next: `ask the owner of the lock to delete it: \`az lock delete --ids ${subscription}/resourceGroups/demo-common/providers/Microsoft.Authorization/locks/frozen\``,
  });
  const [, frozen = ""] = Object.keys(lock("demo-common", "").resources);
  await state.seed({ resources: { [frozen]: { properties: { level: "CanNotDelete" } } } });
  expect(rowOf(await state.examine(), "locks", "subscription")).toMatchObject({
    state: "passed",
    evidence: expect.stringMatching(/^"frozen" on .*demo-common; these locks would block a destroy$/) as string,
  });
});

test("a missing Graph permission to create applications fails with the commands that grant it", async () => {
  const state = await asOther(given(roleIds.contributor), given(roleIds.userAccessAdministrator), application(["Application.Read.All"]));
  const results = await state.examine();
  expect(findings(results)).toEqual(["applications/directory failed"]);
  expect(rowOf(results, "applications", "directory")).toMatchObject({
    evidence: "the token has only the Microsoft Graph permissions Application.Read.All",
    next: expect.stringContaining("az ad app permission admin-consent") as string,
  });
  expect(findings(await state.examine({ parts: new Set(["infra", "issuer"]) }))).toEqual([]);
  await state.seed(application());
  expect(findings(await (await state.signedIn(client)).examine())).toEqual([]);
});
