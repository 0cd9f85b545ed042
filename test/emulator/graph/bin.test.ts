/** Graph: users and groups, objects of all kinds by their IDs, and the bin with the principals of what was deleted. */
import { expect, test } from "vitest";
import { seedState, wellKnown } from "../../../src/emulator/index.js";
import { applicationIn, byUniqueName, openDirectory, valuesIn } from "./directory.js";

const idOf = (last: number) => `0000000a-0000-4000-8000-${String(last).padStart(12, "0")}`;
const [user, group, goneUser, goneGroup, goneIdentity, unknown] = [1, 2, 3, 4, 5, 6].map(idOf);
const recently = new Date(Date.now() - 86_400_000).toISOString();
const identity = `/subscriptions/${wellKnown.subscriptionId}/resourceGroups/dns/providers/Microsoft.ManagedIdentity/userAssignedIdentities/disk`;

async function openSeeded() {
  const owner = await openDirectory();
  await seedState(owner.server.directory, {
    users: [
      { id: user, displayName: "Ada", userPrincipalName: "ada@example.com" },
      { id: goneUser, displayName: "Bob", userPrincipalName: "bob@example.com", deletedDateTime: recently },
    ],
    groups: [
      { id: group, displayName: "readers" },
      { id: goneGroup, displayName: "writers", deletedDateTime: recently },
    ],
    deletedServicePrincipals: [
      { id: goneIdentity, displayName: "disk", identity, deletedDateTime: recently },
      { id: unknown, displayName: "old", deletedDateTime: "2020-01-01T00:00:00Z" },
    ],
  });
  return owner;
}

const ids = (objects: readonly Record<string, unknown>[]) => objects.map(({ id }) => id);

test("users and groups are found by their IDs and names, by those who may read them", async () => {
  const owner = await openSeeded();
  const reader = await owner.as(["User.Read.All"]);
  expect(await reader.send("GET", `users/${user}`)).toMatchObject({ body: { displayName: "Ada", userPrincipalName: "ada@example.com" } });
  expect(valuesIn(await reader.send("GET", "users?$filter=startswith(displayName,'A')"))).toMatchObject([{ id: user }]);
  expect(await reader.send("GET", `users/${goneUser}`)).toMatchObject({ status: 404 });
  expect(await reader.send("GET", "groups")).toMatchObject({ status: 403 });
  const groups = await owner.as(["Group.Read.All"]);
  expect(valuesIn(await groups.send("GET", "groups"))).toMatchObject([{ id: group, securityEnabled: true }]);
});

test("getByIds leaves unknown IDs out, and shows only type and ID of what the caller may not read", async () => {
  const owner = await openSeeded();
  const wanted = { ids: [user, group, wellKnown.clientPrincipalId, wellKnown.clientApplicationId, goneUser, unknown] };
  expect(valuesIn(await owner.send("POST", "directoryObjects/getByIds", wanted))).toEqual([
    expect.objectContaining({ "@odata.type": "#microsoft.graph.application", id: wellKnown.clientApplicationId, displayName: "aro-hcp" }),
    expect.objectContaining({ "@odata.type": "#microsoft.graph.servicePrincipal", id: wellKnown.clientPrincipalId }),
    { "@odata.type": "#microsoft.graph.user", id: user },
    { "@odata.type": "#microsoft.graph.group", id: group },
  ]);
  const all = await owner.as(["Directory.Read.All"]);
  expect(valuesIn(await all.send("POST", "directoryObjects/getByIds", { ...wanted, types: ["user", "group"] }))).toMatchObject([
    { id: user, displayName: "Ada" },
    { id: group, displayName: "readers" },
  ]);
  const ofUsers = await owner.as(["User.Read.All"]);
  const [principal] = valuesIn(await ofUsers.send("POST", "directoryObjects/getByIds", { ids: [wellKnown.clientPrincipalId] }));
  expect(principal).toEqual({ "@odata.type": "#microsoft.graph.servicePrincipal", id: wellKnown.clientPrincipalId });
  const tooMany = { ids: Array.from({ length: 1001 }, (_, n) => idOf(n)) };
  expect(await all.send("POST", "directoryObjects/getByIds", tooMany)).toMatchObject({ status: 400 });
});

test("the bin is listed by type, each with its own permission, and keeps objects for thirty days", async () => {
  const owner = await openSeeded();
  const bin = "directory/deletedItems";
  expect(valuesIn(await owner.send("GET", `${bin}/microsoft.graph.servicePrincipal`))).toMatchObject([
    { id: goneIdentity, servicePrincipalType: "ManagedIdentity", alternativeNames: ["isExplicit=True", identity] },
  ]);
  expect(await owner.send("GET", `${bin}/${goneIdentity}`)).toMatchObject({ body: { "@odata.type": "#microsoft.graph.servicePrincipal" } });
  expect(await owner.send("GET", `${bin}/${unknown}`)).toMatchObject({ status: 404 });
  expect(await owner.send("GET", `${bin}/microsoft.graph.user`)).toMatchObject({ status: 403 });
  expect(await owner.send("GET", `${bin}/${goneUser}`)).toMatchObject({ status: 403 });
  const all = await owner.as(["Directory.Read.All"]);
  expect(ids(valuesIn(await all.send("GET", `${bin}/microsoft.graph.user`)))).toEqual([goneUser]);
  expect(ids(valuesIn(await all.send("GET", `${bin}/microsoft.graph.group`)))).toEqual([goneGroup]);
  expect(await all.send("GET", `${bin}/${goneGroup}`)).toMatchObject({ status: 200, body: { displayName: "writers" } });
  expect(await owner.send("DELETE", `${bin}/${goneUser}`)).toMatchObject({ status: 404 });
});

test("principals are in the bin with their application and without it, come back to it, and are purged alone", async () => {
  const { send, upsert } = await openDirectory();
  const bin = "directory/deletedItems";
  const principals = async () => ids(valuesIn(await send("GET", `${bin}/microsoft.graph.servicePrincipal`)));
  const { id, appId } = applicationIn(await upsert(byUniqueName, { displayName: "demo-cpo" }));
  const principal = applicationIn(await upsert(`servicePrincipals(appId='${appId}')`, {})).id;
  await send("DELETE", `servicePrincipals/${principal}`);
  expect(await principals()).toEqual([principal]);
  expect(await send("POST", `${bin}/${principal}/restore`)).toMatchObject({ status: 200, body: { id: principal, deletedDateTime: null } });
  expect(await send("GET", `servicePrincipals/${principal}`)).toMatchObject({ status: 200 });
  await send("DELETE", `applications/${id}`);
  expect(await principals()).toEqual([principal]);
  expect(await send("DELETE", `${bin}/${principal}`)).toMatchObject({ status: 204 });
  expect(await principals()).toEqual([]);
  expect(await send("GET", `${bin}/${id}`)).toMatchObject({ status: 200, body: { appId } });
});

test("a seeded application can be in the bin, with its principal", async () => {
  const { send, server } = await openDirectory();
  const application = { appId: idOf(7), id: idOf(8), servicePrincipalId: idOf(9), displayName: "gone", deletedDateTime: recently };
  await seedState(server.directory, { applications: [application] });
  const [held] = valuesIn(await send("GET", "directory/deletedItems/microsoft.graph.application"));
  expect(held).toMatchObject({ id: idOf(8), deletedDateTime: recently.replace(/\.\d+Z$/, "Z") });
  expect(await send("GET", `directory/deletedItems/${idOf(9)}`)).toMatchObject({ status: 200, body: { appId: idOf(7) } });
  expect(await send("GET", `servicePrincipals/${idOf(9)}`)).toMatchObject({ status: 404 });
});

test("the principal of a managed identity goes to the bin, whether the identity or its group is deleted, and never comes back", async () => {
  const { send, server } = await openDirectory();
  const group = `/subscriptions/${wellKnown.subscriptionId}/resourceGroups/g`;
  const idIn = (name: string) => `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`;
  await seedState(server.directory, {
    resources: { [group]: { location: "eastus" } },
    identities: ["a", "b"].map((name, n) => ({ id: idIn(name), principalId: idOf(20 + n) })),
  });
  const token = await server.token();
  const remove = (target: string) => server.call("management.azure.com", target, { method: "DELETE", token });
  expect(await remove(`${idIn("a")}?api-version=2023-01-31`)).toMatchObject({ status: 200 });
  expect(await remove(`${group}?api-version=2025-04-01`)).toMatchObject({ status: 202 });
  await server.call("management.azure.com", "/subscriptions?api-version=2022-12-01", { token });
  const held = valuesIn(await send("GET", "directory/deletedItems/microsoft.graph.servicePrincipal"));
  expect(held.map(({ id, displayName }) => [id, displayName])).toEqual([
    [idOf(20), "a"],
    [idOf(21), "b"],
  ]);
  expect(await send("POST", `directory/deletedItems/${idOf(20)}/restore`)).toMatchObject({ status: 400 });
});
