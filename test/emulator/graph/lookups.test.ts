/** Graph: looking up service principals and applications. */
import { expect, test } from "vitest";
import { seedState, wellKnown } from "../../../src/emulator/index.js";
import { changeState } from "../../harness/state-changes.js";
import { openLocalServer, tokenRequest, type LocalServer, type Reply } from "../local-server.js";
import { openDirectory } from "./directory.js";

const host = "graph.microsoft.com";
const appIdOf = (n: number): string => `aaaaaaaa-0000-4000-8000-${String(n).padStart(12, "0")}`;
const principalOf = (n: number): string => `bbbbbbbb-0000-4000-8000-${String(n).padStart(12, "0")}`;
const seeded = (count: number) => ({
  applications: Array.from({ length: count }, (_, n) => ({
    appId: appIdOf(n),
    displayName: `app ${n}`,
    servicePrincipalId: principalOf(n),
  })),
});

async function get(server: LocalServer, target: string): Promise<Reply> {
  return server.call(host, target, { token: await server.token(`https://${host}`) });
}

const idsIn = (reply: Reply): unknown[] => (reply.body as { value: { id: string }[] }).value.map(({ id }) => id);
const filtered = (filter: string): string => `/v1.0/servicePrincipals?$filter=${encodeURIComponent(filter)}&$select=id,appId`;

test("service principals are found by one appId, by several, and by alternatives", async () => {
  const server = await openLocalServer();
  await seedState(server.directory, seeded(4));
  expect(idsIn(await get(server, filtered(`appId eq '${appIdOf(1)}'`)))).toEqual([principalOf(1)]);
  expect(idsIn(await get(server, filtered(`appId in ('${appIdOf(0)}', '${appIdOf(2).toUpperCase()}')`))).sort()).toEqual([
    principalOf(0),
    principalOf(2),
  ]);
  expect(idsIn(await get(server, filtered(`appId eq '${appIdOf(3)}' or appId eq '${appIdOf(1)}'`))).sort()).toEqual([
    principalOf(1),
    principalOf(3),
  ]);
  expect(idsIn(await get(server, filtered(`servicePrincipalNames/any(c:c eq '${appIdOf(1)}')`)))).toEqual([principalOf(1)]);
  expect(idsIn(await get(server, filtered("startswith(displayName,'APP 2')")))).toEqual([principalOf(2)]);
  expect(idsIn(await get(server, filtered("appId eq 'it''s none'")))).toEqual([]);
});

test("a filter with more than fifteen values, or of another form, is refused", async () => {
  const server = await openLocalServer();
  const sixteen = Array.from({ length: 16 }, (_, n) => `'${appIdOf(n)}'`).join(",");
  for (const filter of [`appId in (${sixteen})`, "appId ne 'x'", "appId eq 'x' and appId eq 'y'"]) {
    expect(await get(server, filtered(filter)), filter).toMatchObject({
      status: 400,
      body: { error: { code: "Request_UnsupportedQuery" } },
    });
  }
});

test("pages follow each other to the end and contain only the selected members", async () => {
  const server = await openLocalServer();
  await seedState(server.directory, seeded(4));
  const seen: unknown[] = [];
  let target: string | undefined = "/v1.0/servicePrincipals?$top=2&$select=id";
  let pages = 0;
  while (target !== undefined) {
    const reply = await get(server, target);
    const { value, "@odata.nextLink": next } = reply.body as { value: object[]; "@odata.nextLink"?: string };
    seen.push(...value);
    pages++;
    target = next?.slice(`https://${host}`.length);
  }
  expect(pages).toBe(3);
  expect(seen).toEqual([wellKnown.clientPrincipalId, ...[0, 1, 2, 3].map(principalOf)].map((id) => ({ id })));
});

test("a principal is found by its ID and by its appId; an unknown one is Request_ResourceNotFound", async () => {
  const server = await openLocalServer();
  for (const target of [
    `/v1.0/servicePrincipals/${wellKnown.clientPrincipalId}`,
    `/v1.0/servicePrincipals(appId='${wellKnown.clientId}')`,
  ]) {
    expect(await get(server, target)).toMatchObject({
      status: 200,
      body: { id: wellKnown.clientPrincipalId, servicePrincipalType: "Application" },
    });
  }
  expect(await get(server, `/v1.0/servicePrincipals/${appIdOf(9)}`)).toMatchObject({
    status: 404,
    body: { error: { code: "Request_ResourceNotFound", innerError: { date: expect.any(String), "request-id": expect.any(String) } } },
  });
  expect(await get(server, `/v1.0/applications?$filter=appId eq '${wellKnown.clientId}'`.replaceAll(" ", "%20"))).toMatchObject({
    body: { value: [{ id: wellKnown.clientApplicationId }] },
  });
});

test("the principal of a user-assigned identity is found by its client ID", async () => {
  const server = await openLocalServer();
  const id = `/subscriptions/${wellKnown.subscriptionId}/resourceGroups/dns/providers/Microsoft.ManagedIdentity/userAssignedIdentities/disk`;
  await seedState(server.directory, { identities: [{ id, clientId: appIdOf(7), principalId: principalOf(7) }] });
  const reply = await get(server, `/v1.0/servicePrincipals?$filter=appId+eq+%27${appIdOf(7)}%27`);
  expect(reply.body).toMatchObject({ value: [{ id: principalOf(7), displayName: "disk", servicePrincipalType: "ManagedIdentity" }] });
});

test("a new principal is not found until the directory has replicated it", async () => {
  const server = await openLocalServer();
  await seedState(server.directory, { ...seeded(1), knobs: { replicationLagSeconds: 3600 } });
  const target = filtered(`appId eq '${appIdOf(0)}'`);
  expect(idsIn(await get(server, target))).toEqual([]);
  await seedState(server.directory, { knobs: { replicationLagSeconds: 0 } });
  expect(idsIn(await get(server, target))).toEqual([principalOf(0)]);
});

test("an application without a read permission is denied", async () => {
  const server = await openLocalServer();
  await seedState(server.directory, { applications: [{ appId: appIdOf(0), displayName: "blind", secret: "s3cret" }] });
  const form = tokenRequest(server, { client_id: appIdOf(0), client_secret: "s3cret", scope: `https://${host}/.default` });
  const { body } = await server.call("login.microsoftonline.com", `/${wellKnown.tenantId}/oauth2/v2.0/token`, form);
  const reply = await server.call(host, "/v1.0/servicePrincipals", { token: (body as { access_token: string }).access_token });
  expect(reply).toMatchObject({ status: 403, body: { error: { code: "Authorization_RequestDenied" } } });
});

test("a property or option that Graph does not have, or that is not emulated, is refused by name", async () => {
  const server = await openLocalServer();
  expect(await get(server, "/v1.0/servicePrincipals?$select=colour")).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining("'colour'") } },
  });
  expect(await get(server, "/v1.0/servicePrincipals?$orderby=id")).toMatchObject({
    status: 501,
    body: { error: { message: expect.stringContaining("$orderby") } },
  });
  expect(await get(server, "/v1.0/applications/$count")).toMatchObject({
    status: 501,
    body: { error: { message: expect.stringContaining("/applications/$count") } },
  });
});

test("users and groups are empty lists for those who may read them, and refused to others", async () => {
  const owner = await openDirectory();
  const reader = await owner.as(["Directory.Read.All"]);
  for (const people of ["users", "groups"]) {
    expect(await reader.send("GET", `${people}?$filter=startswith(displayName,'a')`)).toMatchObject({ status: 200, body: { value: [] } });
    expect(await reader.send("GET", `${people}/${wellKnown.tenantId}`)).toMatchObject({ status: 404 });
    expect(await owner.send("GET", people)).toMatchObject({ status: 403, body: { error: { code: "Authorization_RequestDenied" } } });
  }
});

test("a new application and its principal answer where they are, and every property that nobody set", async () => {
  const { send } = await openDirectory();
  const made = await send("POST", "applications", { displayName: "new" });
  const { id, appId } = made.body as { id: string; appId: string };
  const place = `https://graph.microsoft.com/v2/${wellKnown.tenantId}/directoryObjects`;
  expect(made).toMatchObject({
    headers: { location: `${place}/${id}/Microsoft.DirectoryServices.Application` },
    body: { passwordCredentials: [], signInAudience: "AzureADMyOrg", web: { redirectUris: [] }, appRoles: [] },
  });
  const principal = await send("POST", "servicePrincipals", { appId });
  expect(principal.headers["location"]).toBe(
    `${place}/${(principal.body as { id: string }).id}/Microsoft.DirectoryServices.ServicePrincipal`,
  );
  expect(principal.body).toMatchObject({ passwordCredentials: [], keyCredentials: [], signInAudience: "AzureADMyOrg", homepage: null });
});

test("the tenant is read with a right of its own, and beta alone says how much of its directory is used", async () => {
  const server = await openLocalServer();
  const target = "organization?$select=id,directorySizeQuota";
  expect(await get(server, "/v1.0/organization")).toMatchObject({ status: 403, body: { error: { code: "Authorization_RequestDenied" } } });
  await changeState(server, ({ applications }) => {
    applications[wellKnown.clientId]?.graphPermissions.push("Organization.Read.All");
  });
  expect(idsIn(await get(server, "/v1.0/organization"))).toEqual([wellKnown.tenantId]);
  expect(await get(server, `/v1.0/${target}`)).toMatchObject({ status: 400 });
  const used = async () => {
    const { body } = await get(server, `/beta/${target}`);
    return (body as { readonly value: readonly { readonly directorySizeQuota: object }[] }).value[0]?.directorySizeQuota;
  };
  const before = (await used()) as { readonly used: number; readonly total: number };
  await seedState(server.directory, seeded(4));
  expect(await used()).toEqual({ used: before.used + 8, total: before.total });
});
