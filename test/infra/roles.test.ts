/** `--assign-identity-roles`: the created assignments, their names, and the handling of existing ones. */
import { describe, expect, test } from "vitest";
import { testEmulator } from "../harness/test-emulator.js";
import { existing, seedNetworks } from "./existing-networks.js";
import { groupId, groups, subscription } from "../cli/demo-cluster.js";
import { create, destroy, exits, refuses, titled } from "../cli/expectations.js";
import { controlPlane, fileOf, principalIdOf, roleFlags } from "../identities/cli/identities.js";
import { assignmentName, assignments, separate, wantedAssignments } from "./role-names.js";

test("21 assignments in four groups; a second run writes nothing; destroy also deletes them on the zone's group", async () => {
  const azure = await testEmulator();
  const flags = await roleFlags(azure);
  const before = await azure.snapshot();
  exits(await create(azure, flags), 0);
  const wanted = wantedAssignments({ groups: separate });
  expect(Object.keys(wanted)).toHaveLength(21);
  expect(await assignments(azure)).toEqual(wanted);
  // Azure can determine the type, except of an identity that was just created.
  const bodies = (await azure.traffic()).filter(({ method, url }) => method === "PUT" && url.includes("/roleAssignments/"));
  expect(bodies).toHaveLength(21);
  for (const { requestBody } of bodies)
    expect(requestBody).toMatchObject({
      properties: { principalType: "ServicePrincipal", description: "aro-hcp: cluster demo/demo-x7k2" },
    });

  exits(await create(azure, flags), 0);
  const again = await azure.traffic();
  expect(again.filter(({ method }) => method !== "GET" && method !== "POST")).toEqual([]);
  const lists = again.map(({ url }) => new URL(url)).filter(({ pathname }) => pathname.endsWith("/roleAssignments"));
  expect(new Set(lists.map(({ pathname }) => pathname)).size).toBe(lists.length);

  exits(await destroy(azure), 0);
  expect(await azure.snapshot()).toEqual(before);
});

describe("the set of assignments follows the flags", () => {
  const cases = [
    {
      what: "without the image registry neither of its identities gets a role: 19",
      flags: ["--disable-cluster-capabilities", "ImageRegistry"],
      wanted: wantedAssignments({ groups: separate, without: ["ciro", "ciroWI"] }),
      count: 19,
    },
    {
      what: "the HCP roles replace Contributor",
      flags: ["--assign-custom-hcp-roles"],
      wanted: wantedAssignments({ groups: separate, hcp: true }),
      count: 21,
    },
    {
      what: "in a single group each component has one, and ingress one more on the zone's group: 12",
      flags: ["--single-resource-group"],
      wanted: wantedAssignments({ groups: { M: groups.managed, N: groups.managed, V: groups.managed, D: "dns" } }),
      count: 12,
    },
    {
      what: "if the zone's group is the only group: 11",
      flags: ["--single-resource-group", "--resource-group-name", "dns"],
      wanted: wantedAssignments({ groups: { M: "dns", N: "dns", V: "dns", D: "dns" } }),
      count: 11,
    },
    {
      what: "on the groups of existing resources, spelled as in Azure",
      flags: ["--vnet-id", existing.vnet.replace("/net/", "/NET/"), "--resource-group-name", "Mine"],
      wanted: wantedAssignments({ groups: { M: "mine", N: "net", V: "net", D: "dns" } }),
      count: 18,
    },
  ];
  test.each(titled(cases))("%s", async (_what, { flags, wanted, count }) => {
    const azure = await testEmulator();
    await seedNetworks(azure);
    const roles = await roleFlags(azure);
    const before = await azure.snapshot();
    exits(await create(azure, [...roles, ...flags]), 0);
    expect(Object.keys(wanted)).toHaveLength(count);
    expect(await assignments(azure)).toEqual(wanted);
    exits(await destroy(azure, flags.includes("--resource-group-name") ? ["--resource-group-name", flags.at(-1) ?? ""] : []), 0);
    expect(await azure.snapshot()).toEqual(before);
  });
});

test("an identity file of the other plane is refused before any request to Azure", async () => {
  const azure = await testEmulator();
  const { stderr } = exits(await create(azure, ["--data-plane-identities-file", await fileOf(azure, "cp.json", controlPlane)]), 2);
  expect(stderr).toContain("control-plane");
  expect(await azure.traffic()).toEqual([]);
});

test("an assignment under our name whose principal does not exist any more is shown, deleted and created again", async () => {
  const azure = await testEmulator();
  const flags = await roleFlags(azure);
  const scope = groupId("dns");
  const name = assignmentName("demo-x7k2", "ingress", scope);
  await azure.seed({
    roleAssignments: [{ scope, name, role: "0336e1d3-7a87-462b-b6db-342b63f7802c", principalId: "00000000-0000-4000-8000-000000000bbb" }],
  });
  const { stderr } = exits(await create(azure, flags), 0);
  expect(stderr).toMatch(
    /replace +role assignment Azure Red Hat OpenShift Cluster Ingress Operator for ingress on resource group dns: .*a different principal/,
  );
  expect(stderr).toMatch(new RegExp(`principalId: "00000000-0000-4000-8000-000000000bbb"[^]*"${principalIdOf("ingress")}"`));
  expect(await assignments(azure)).toEqual(wantedAssignments({ groups: separate }));
});

test("an equal assignment under another name is adopted, and is kept by destroy", async () => {
  const azure = await testEmulator();
  const flags = await roleFlags(azure);
  const scope = groupId("dns");
  const name = "99999999-9999-4999-8999-999999999999";
  await azure.seed({
    roleAssignments: [{ scope, name, role: "0336e1d3-7a87-462b-b6db-342b63f7802c", principalId: principalIdOf("ingress") }],
  });
  const before = await azure.snapshot();
  const { stderr } = exits(await create(azure, [...flags, "--full-plan"]), 0);
  expect(stderr).toMatch(/use +role assignment Azure Red Hat OpenShift Cluster Ingress Operator for ingress on resource group dns/);
  expect(Object.keys(await assignments(azure))).toHaveLength(21);
  exits(await destroy(azure), 0);
  expect(await azure.snapshot()).toEqual(before);
});

test("identities missing in the directory are all reported before anything is written", async () => {
  const azure = await testEmulator();
  const flags = await roleFlags(azure);
  const cp = await fileOf(azure, "cp.json", {
    ...controlPlane,
    disk: { clientID: "00000000-0000-4000-8000-00000000dead", credentialsSecretName: "d", objectEncoding: "utf-8" },
    file: { clientID: "00000000-0000-4000-8000-00000000beef", credentialsSecretName: "f", objectEncoding: "utf-8" },
  });
  await refuses(
    azure,
    create(azure, [...flags, "--managed-identities-file", cp]),
    5,
    "2 of 11 identities not found in the directory",
    "disk (client ID 00000000-0000-4000-8000-00000000dead)",
    "file (client ID 00000000-0000-4000-8000-00000000beef)",
  );
});

test("without permission to read the directory, the failure names the permission", async () => {
  const azure = await testEmulator();
  const flags = await roleFlags(azure);
  const creds = {
    subscriptionId: subscription.split("/")[2],
    tenantId: "7e7a0000-0000-4000-8000-000000000001",
    clientId: "00000000-0000-4000-8000-000000000ccc",
    clientSecret: "not-so-secret",
  };
  await azure.seed({
    applications: [
      {
        appId: creds.clientId,
        displayName: "limited",
        servicePrincipalId: "00000000-0000-4000-8000-000000000ddd",
        secret: creds.clientSecret,
      },
    ],
    roleAssignments: ["b24988ac-6180-42a0-ab88-20f7382dd24c", "18d7d88d-d35e-4fb5-a5c3-7773c20a72d9"].map((role) => ({
      scope: subscription,
      role,
      principalId: "00000000-0000-4000-8000-000000000ddd",
    })),
  });
  const file = await fileOf(azure, "creds.json", creds);
  await refuses(
    azure,
    create(azure, [...flags, "--azure-creds", file]),
    5,
    "ARO-AUTHZ-003",
    "Application.Read.All",
    "403 Authorization_RequestDenied",
  );
});

test("roles without identities or without the zone's group are refused, with both problems reported together", async () => {
  const azure = await testEmulator();
  const { stderr } = exits(await create(azure, ["--assign-custom-hcp-roles"]), 2);
  expect(stderr).toMatch(/--assign-custom-hcp-roles +requires --dns-zone-rg-name/);
  expect(stderr).toMatch(/--assign-custom-hcp-roles +requires --managed-identities-file/);
  expect(await azure.traffic()).toEqual([]);
});
