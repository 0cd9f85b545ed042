/** `--assign-identity-roles`: which assignments are made, under which names, and what becomes of those that are there already. */
import { describe, expect, test } from "vitest";
import { localAzure, type LocalAzure } from "../harness/local-azure.js";
import { brought, seedLandscape } from "./brought-networks.js";
import { groupId, groups, subscription } from "./demo-cluster.js";
import { create, destroy, exits, refuses, writesSince, titled } from "./expectations.js";
import { applications, controlPlane, dataPlane, fileOf, principalIdOf, roleFlags, workload } from "./identities.js";
import { assignmentName, wantedAssignments } from "./role-names.js";

const separate = { M: groups.managed, N: groups.nsg, V: groups.vnet, D: "dns" } as const;

/** Those of the cluster's identities: the client's own two rights are left out. */
async function assignments(azure: LocalAzure): Promise<Record<string, unknown>> {
  const all = Object.entries((await azure.picture()).roleAssignments).filter(([key]) => key.includes("/resourcegroups/"));
  return Object.fromEntries(
    all.map(([key, value]) => {
      const { createdBy, ...rest } = value as Record<string, unknown>;
      return [key, rest];
    }),
  );
}

test("names are computed as HyperShift does: its published vectors", () => {
  const scope = "/subscriptions/11111111-1111-1111-1111-111111111111/resourceGroups/my-rg";
  const names = Object.fromEntries(
    ["cpo", "cloud-provider", "azure-fileWI"].map((part) => [part, assignmentName("myinfra-abc12", part, scope)]),
  );
  expect(names).toEqual({
    cpo: "1bff0adc-62ab-5322-ad80-c60a5ee2e0d6",
    "cloud-provider": "9f375631-3bdb-5d74-a4f8-15f05a4e5ea0",
    "azure-fileWI": "c07deb6e-ff58-57f7-b782-457d17d377b2",
  });
});

test("21 assignments in four groups; a second run writes nothing; destroy removes them on the zone's group too", async () => {
  const azure = await localAzure();
  const flags = await roleFlags(azure);
  const before = await azure.picture();
  exits(await create(azure, flags), 0);
  const wanted = wantedAssignments({ groups: separate });
  expect(Object.keys(wanted)).toHaveLength(21);
  expect(await assignments(azure)).toEqual(wanted);
  // Azure finds the type out by itself, but not of an identity that was made moments ago.
  const bodies = (await azure.traffic()).filter(({ method, url }) => method === "PUT" && url.includes("/roleAssignments/"));
  expect(bodies).toHaveLength(21);
  for (const { requestBody } of bodies) expect(requestBody).toMatchObject({ properties: { principalType: "ServicePrincipal" } });

  exits(await create(azure, flags), 0);
  const again = await azure.traffic();
  expect(again.filter(({ method }) => method !== "GET" && method !== "POST")).toEqual([]);
  const lists = again.map(({ url }) => new URL(url)).filter(({ pathname }) => pathname.endsWith("/roleAssignments"));
  expect(new Set(lists.map(({ pathname }) => pathname)).size).toBe(lists.length);

  exits(await destroy(azure), 0);
  expect(await azure.picture()).toEqual(before);
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
      what: "the hosted control planes' own roles take Contributor's place",
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
      what: "where the zone's group is the only group: 11",
      flags: ["--single-resource-group", "--resource-group-name", "dns"],
      wanted: wantedAssignments({ groups: { M: "dns", N: "dns", V: "dns", D: "dns" } }),
      count: 11,
    },
    {
      what: "on the groups of what is brought, spelled as Azure spells them",
      flags: ["--vnet-id", brought.vnet.replace("/net/", "/NET/"), "--resource-group-name", "Mine"],
      wanted: wantedAssignments({ groups: { M: "mine", N: "net", V: "net", D: "dns" } }),
      count: 18,
    },
  ];
  test.each(titled(cases))("%s", async (_what, { flags, wanted, count }) => {
    const azure = await localAzure();
    await seedLandscape(azure);
    const roles = await roleFlags(azure);
    const before = await azure.picture();
    exits(await create(azure, [...roles, ...flags]), 0);
    expect(Object.keys(wanted)).toHaveLength(count);
    expect(await assignments(azure)).toEqual(wanted);
    exits(await destroy(azure, flags.includes("--resource-group-name") ? ["--resource-group-name", flags.at(-1) ?? ""] : []), 0);
    expect(await azure.picture()).toEqual(before);
  });
});

describe("every shape of identity file is recognised", () => {
  const cpo = { M: groups.managed, N: groups.nsg, V: groups.vnet, D: "dns" };
  const dataPlaneComponents = ["ciroWI", "azure-diskWI", "azure-fileWI"];
  const cases = [
    {
      what: "the documented combined file, which serves for both planes",
      files: { "--managed-identities-file": { controlPlane, dataPlane } },
      says: "combined",
      wanted: wantedAssignments({ groups: cpo }),
    },
    {
      what: "the inner object of the control plane alone",
      files: { "--managed-identities-file": controlPlane },
      says: "control-plane",
      wanted: wantedAssignments({ groups: cpo, without: dataPlaneComponents }),
    },
    {
      what: "client ids without quotes, as contrib's script writes the data plane's file",
      files: {
        "--managed-identities-file": controlPlane,
        "--data-plane-identities-file": `{\n${Object.entries(dataPlane)
          .map(([key, id]) => `  "${key}": ${String(id)}`)
          .join(",\n")}\n}\n`,
      },
      says: "data-plane",
      wanted: wantedAssignments({ groups: cpo }),
    },
    {
      what: "workload identities of a self-managed control plane",
      files: { "--workload-identities-file": workload },
      says: "workload",
      wanted: wantedAssignments({ groups: cpo, without: dataPlaneComponents }),
    },
  ];
  test.each(titled(cases))("%s", async (_what, { files, says, wanted }) => {
    const azure = await localAzure();
    await azure.seed({ applications });
    const given = await Promise.all(
      Object.entries(files).map(async ([flag, content], index) => [flag, await fileOf(azure, `identities-${String(index)}.json`, content)]),
    );
    const { stderr } = exits(await create(azure, [...given.flat(), "--assign-identity-roles", "--dns-zone-rg-name", "dns"]), 0);
    expect(stderr).toContain(says);
    expect(await assignments(azure)).toEqual(wanted);
  });
});

describe("an identity file that cannot be meant is refused before Azure is asked anything", () => {
  const { imageRegistry, ...withoutRegistry } = controlPlane as Record<string, unknown>;
  const cases = [
    {
      what: "the control plane's given as the data plane's",
      flag: "--data-plane-identities-file",
      content: controlPlane,
      words: "control-plane",
    },
    { what: "the data plane's given as the control plane's", flag: "--managed-identities-file", content: dataPlane, words: "data-plane" },
    {
      what: "a managed file given as workload identities",
      flag: "--workload-identities-file",
      content: controlPlane,
      words: "control-plane",
    },
    { what: "an empty file", flag: "--managed-identities-file", content: "", words: "is empty" },
    { what: "an empty object", flag: "--managed-identities-file", content: {}, words: "none of the known identity files" },
    { what: "an object of nothing known", flag: "--managed-identities-file", content: { x: 1 }, words: "none of the known identity files" },
    { what: "broken JSON", flag: "--managed-identities-file", content: '{"controlPlane": {', words: "not well-formed" },
    {
      what: "the image registry left out",
      flag: "--managed-identities-file",
      content: withoutRegistry,
      words: 'no identity "imageRegistry"',
    },
    {
      what: "client ids that are no UUIDs, each with its line",
      flag: "--managed-identities-file",
      content: JSON.stringify(controlPlane, undefined, 2).replace(/00000000-0000-4000-8000-00000000010[01]/g, "typo"),
      words: /:\d+ +controlPlaneOperator\.clientID: expected a UUID[^]*:\d+ +nodePoolManagement\.clientID: expected a UUID/,
    },
    { what: "a file that is not there", flag: "--managed-identities-file", content: undefined, words: "ENOENT" },
  ];
  test.each(titled(cases))("%s", async (_what, { flag, content, words }) => {
    const azure = await localAzure();
    const path = content === undefined ? azure.path("absent.json") : await fileOf(azure, "identities.json", content);
    const { stderr } = exits(await create(azure, [flag, path]), 2);
    expect(stderr).toMatch(words);
    expect(await azure.traffic()).toEqual([]);
  });
});

test("a stale assignment of another principal under our name is shown, deleted and made anew", async () => {
  const azure = await localAzure();
  const flags = await roleFlags(azure);
  const scope = groupId("dns");
  const name = assignmentName("demo-x7k2", "ingress", scope);
  await azure.seed({
    applications: [
      { appId: "00000000-0000-4000-8000-000000000aaa", displayName: "old", servicePrincipalId: "00000000-0000-4000-8000-000000000bbb" },
    ],
    roleAssignments: [{ scope, name, role: "0336e1d3-7a87-462b-b6db-342b63f7802c", principalId: "00000000-0000-4000-8000-000000000bbb" }],
  });
  const { stderr } = exits(await create(azure, flags), 0);
  expect(stderr).toMatch(/update +role of ingress on the dns group: .*another principal/);
  expect(stderr).toMatch(new RegExp(`principalId: "00000000-0000-4000-8000-000000000bbb" .* "${principalIdOf("ingress")}"`));
  expect(await assignments(azure)).toEqual(wantedAssignments({ groups: separate }));
});

test("an equal assignment under another name is adopted, and survives destroy", async () => {
  const azure = await localAzure();
  const flags = await roleFlags(azure);
  const scope = groupId("dns");
  const name = "99999999-9999-4999-8999-999999999999";
  await azure.seed({
    roleAssignments: [{ scope, name, role: "0336e1d3-7a87-462b-b6db-342b63f7802c", principalId: principalIdOf("ingress") }],
  });
  const before = await azure.picture();
  const { stderr } = exits(await create(azure, flags), 0);
  expect(stderr).toMatch(/adopt +role of ingress on the dns group/);
  expect(Object.keys(await assignments(azure))).toHaveLength(21);
  exits(await destroy(azure), 0);
  expect(await azure.picture()).toEqual(before);
});

test("identities that the directory does not know are named, each of them, before anything is written", async () => {
  const azure = await localAzure();
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
    "2 of 11 identities are not in the directory",
    "azure-disk (client id 00000000-0000-4000-8000-00000000dead)",
    "azure-file (client id 00000000-0000-4000-8000-00000000beef)",
  );
});

test("a client that may not read the directory is told which permission it lacks", async () => {
  const azure = await localAzure();
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
        displayName: "poor",
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

test("roles without identities or without the zone's group are refused, both told at once", async () => {
  const azure = await localAzure();
  const { stderr } = exits(await create(azure, ["--assign-custom-hcp-roles"]), 2);
  expect(stderr).toMatch(/--assign-custom-hcp-roles +needs --dns-zone-rg-name/);
  expect(stderr).toMatch(/--assign-custom-hcp-roles +needs identities/);
  expect(await azure.traffic()).toEqual([]);
});

test.each(["--assign-service-principal-roles", "--auto-assign-roles"])("%s means the same", async (alias) => {
  const azure = await localAzure();
  const flags = (await roleFlags(azure)).map((flag) => (flag === "--assign-identity-roles" ? alias : flag));
  exits(await create(azure, [...flags, "--dry-run"]), 0);
  expect(await writesSince(azure)).toEqual([]);
  const { stderr } = await create(azure, [...flags, "--dry-run"]);
  expect(stderr.match(/create +role of/g)).toHaveLength(21);
});
