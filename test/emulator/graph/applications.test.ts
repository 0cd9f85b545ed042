/** Graph: creating, changing and deleting applications and their service principals. */
import { expect, test } from "vitest";
import { stateSnapshot, seedState, wellKnown } from "../../../src/emulator/index.js";
import { changeState } from "../../harness/state-changes.js";
import { newCertificate } from "../certificate.js";
import { tokenRequest } from "../local-server.js";
import { applicationIn, byUniqueName, openDirectory, uniqueName, valuesIn } from "./directory.js";

const refused = (status: number, code: string, message?: string) => ({
  status,
  body: { error: { code, ...(message !== undefined && { message: expect.stringContaining(message) }) } },
});

test("an application is created once by its unique name, and updated by it after that", async () => {
  const { send, upsert } = await openDirectory();
  expect(await send("PATCH", byUniqueName, { displayName: "x" })).toMatchObject(refused(404, "Request_ResourceNotFound"));
  const made = await upsert(byUniqueName, { displayName: "demo-cpo", tags: ["aro-hcp"] });
  expect(made).toMatchObject({ status: 201, body: { uniqueName, displayName: "demo-cpo", tags: ["aro-hcp"], appId: expect.any(String) } });
  expect(await upsert(byUniqueName, { displayName: "demo-cpo 2" })).toMatchObject({ status: 204, body: "" });
  expect(await send("GET", byUniqueName)).toMatchObject({ status: 200, body: { id: applicationIn(made).id, displayName: "demo-cpo 2" } });
  for (const filter of [`uniqueName eq '${uniqueName}'`, "tags/any(t:t eq 'aro-hcp')", "displayName eq 'demo-cpo 2'"]) {
    expect(valuesIn(await send("GET", `applications?$filter=${encodeURIComponent(filter)}`)), filter).toHaveLength(1);
  }
});

test.each([
  ["a slash", "aro-hcp/demo", "BadRequest", "Resource not found for the segment 'aro-hcp'."],
  ["a slash as %2F", "aro-hcp%2Fdemo", "BadRequest", "Resource not found for the segment 'aro-hcp'."],
  ["a slash as %2F behind two quotes", "it''s%2Fdemo", "BadRequest", "Resource not found for the segment"],
  ["257 characters", "n".repeat(257), "Request_BadRequest", "uniqueName"],
])("a unique name with %s is refused", async (_, name, code, message) => {
  const { upsert } = await openDirectory();
  expect(await upsert(`applications(uniqueName='${name}')`, { displayName: "demo" })).toMatchObject(refused(400, code, message));
});

test("a quote in a unique name is doubled in the path", async () => {
  const { upsert } = await openDirectory();
  expect(await upsert("applications(uniqueName='it''s')", { displayName: "demo" })).toMatchObject({
    status: 201,
    body: { uniqueName: "it's" },
  });
});

test("a deleted application keeps its unique name until it is purged, and is restored with its principal", async () => {
  const { send, upsert, server } = await openDirectory();
  const { id, appId } = applicationIn(await upsert(byUniqueName, { displayName: "demo-cpo" }));
  await upsert(`servicePrincipals(appId='${appId}')`, {});
  expect(await send("DELETE", `applications/${id}`)).toMatchObject({ status: 204 });
  expect(await send("GET", `servicePrincipals(appId='${appId}')`)).toMatchObject({ status: 404 });
  expect(await upsert(byUniqueName, { displayName: "again" })).toMatchObject(
    refused(400, "Request_BadRequest", "Another object with the same value for property uniqueName already exists."),
  );
  const bin = "directory/deletedItems/microsoft.graph.application";
  expect(valuesIn(await send("GET", `${bin}?$filter=${encodeURIComponent("startswith(displayName,'demo-')")}`))).toMatchObject([
    { id, uniqueName, deletedDateTime: expect.any(String) },
  ]);
  expect(await send("POST", `directory/deletedItems/${id}/restore`)).toMatchObject({ status: 200, body: { id, deletedDateTime: null } });
  expect(await send("GET", `servicePrincipals(appId='${appId}')`)).toMatchObject({ status: 200 });
  await send("DELETE", `applications(appId='${appId}')`);
  expect(await send("DELETE", `directory/deletedItems/${id}`)).toMatchObject({ status: 204 });
  expect(await send("DELETE", `directory/deletedItems/${id}`)).toMatchObject({ status: 404 });
  expect(await upsert(byUniqueName, { displayName: "again" })).toMatchObject({ status: 201 });
  expect(Object.keys((await stateSnapshot(server.directory)).applications)).toHaveLength(2);
});

test("certificates are replaced as a whole, keep those known by ID, and show their key only on $select", async () => {
  const { send, upsert } = await openDirectory();
  const [first, second] = [newCertificate(), newCertificate({ to: 30 })];
  const credential = (key: string) => ({ type: "AsymmetricX509Cert", usage: "Verify", key });
  await upsert(byUniqueName, { displayName: "demo-cpo", keyCredentials: [credential(first.key)] });
  const [kept] = applicationIn(await send("GET", byUniqueName)).keyCredentials;
  expect(kept).toMatchObject({ key: null, customKeyIdentifier: first.thumbprint, displayName: "CN=demo-cpo" });
  await upsert(byUniqueName, { keyCredentials: [{ ...credential(""), key: null, keyId: kept?.keyId }, credential(second.key)] });
  const selected = applicationIn(await send("GET", `${byUniqueName}?$select=id,keyCredentials`)).keyCredentials;
  expect(selected.map(({ key }) => key)).toEqual([first.key, second.key]);
  expect(selected[1]?.endDateTime).toBe(second.notAfter.toISOString().replace(/\.\d+Z$/, "Z"));
  // As az sends them: in lines, and with the type of the credential.
  const inLines = { ...credential(second.key.replace(/(.{64})/g, "$1\n")), "@odata.type": "#microsoft.graph.keyCredential" };
  await upsert(byUniqueName, { keyCredentials: [inLines] });
  const [only, ...others] = applicationIn(await send("GET", `${byUniqueName}?$select=id,keyCredentials`)).keyCredentials;
  expect([only?.key, others]).toEqual([second.key, []]);
});

test.each([
  ["a key that is no certificate", { key: Buffer.from("no certificate").toString("base64") }, "Request_BadRequest"],
  ["a key sent as PEM", { key: Buffer.from(newCertificate().pem).toString("base64") }, "Request_BadRequest"],
  ["an end after the certificate's", { endDateTime: "2099-01-01T00:00:00Z" }, "KeyCredentialsInvalidEndDate"],
  ["a start before the certificate's", { startDateTime: "2000-01-01T00:00:00Z" }, "KeyCredentialsInvalidStartDate"],
  ["an unknown ID, without a key", { key: null, keyId: wellKnown.clientId }, "Request_BadRequest"],
  ["a member that Graph does not have", { colour: "red" }, "Request_BadRequest"],
])("%s is refused and changes nothing", async (_, changes, code) => {
  const { send, upsert } = await openDirectory();
  await upsert(byUniqueName, { displayName: "demo-cpo" });
  const keyCredentials = [{ type: "AsymmetricX509Cert", usage: "Verify", key: newCertificate().key, ...changes }];
  expect(await send("PATCH", byUniqueName, { keyCredentials })).toMatchObject(refused(400, code));
  expect(applicationIn(await send("GET", byUniqueName)).keyCredentials).toEqual([]);
});

test("a service principal is created once for an application, in either way", async () => {
  const { send, upsert } = await openDirectory();
  const { appId } = applicationIn(await send("POST", "applications", { displayName: "demo" }));
  expect(await send("PATCH", `servicePrincipals(appId='${appId}')`, { tags: ["a"] })).toMatchObject({ status: 404 });
  const made = await upsert(`servicePrincipals(appId='${appId}')`, { tags: ["a"] });
  expect(made).toMatchObject({ status: 201, body: { appId, tags: ["a"], servicePrincipalType: "Application" } });
  expect(await upsert(`servicePrincipals(appId='${appId}')`, { tags: ["b"] })).toMatchObject({ status: 204 });
  expect(await send("POST", "servicePrincipals", { appId })).toMatchObject(refused(409, "Request_MultipleObjectsWithSameKeyValue"));
  expect(await send("POST", "servicePrincipals", { appId: wellKnown.tenantId })).toMatchObject(
    refused(400, "Request_BadRequest", "does not reference a valid application object"),
  );
  const { id } = made.body as { id: string };
  expect(await send("DELETE", `servicePrincipals/${id}`)).toMatchObject({ status: 204 });
  expect(await send("GET", `servicePrincipals/${id}`)).toMatchObject({ status: 404 });
});

test("with Application.ReadWrite.OwnedBy, an application changes what it created, and nothing else", async () => {
  const mine = await openDirectory();
  const theirs = await mine.as(["Application.ReadWrite.OwnedBy"]);
  const { id, appId } = applicationIn(await mine.upsert(byUniqueName, { displayName: "demo-cpo" }));
  const denied = refused(403, "Authorization_RequestDenied");
  expect(await theirs.send("PATCH", `applications/${id}`, { displayName: "x" })).toMatchObject(denied);
  expect(await theirs.send("DELETE", `applications/${id}`)).toMatchObject(denied);
  expect(await theirs.send("POST", "servicePrincipals", { appId })).toMatchObject(
    refused(403, "Authorization_RequestDenied", "the backing application of the service principal being created must in the local tenant"),
  );
  expect(await theirs.send("GET", `applications/${id}`)).toMatchObject({ status: 200 });
  const all = await mine.as(["Application.ReadWrite.All"]);
  expect(await all.send("PATCH", `applications/${id}`, { displayName: "x" })).toMatchObject({ status: 204 });
  const reader = await mine.as(["Application.Read.All"]);
  expect(await reader.send("POST", "applications", { displayName: "y" })).toMatchObject(denied);
  const owners = valuesIn(await mine.send("GET", `applications/${id}/owners`));
  expect(owners).toMatchObject([{ id: wellKnown.clientPrincipalId, "@odata.type": "#microsoft.graph.servicePrincipal" }]);
});

test("a quota also counts soft-deleted objects", async () => {
  const { send, server } = await openDirectory();
  await seedState(server.directory, { knobs: { directoryQuota: 1 } });
  const { id } = applicationIn(await send("POST", "applications", { displayName: "one" }));
  await send("DELETE", `applications/${id}`);
  expect(await send("POST", "applications", { displayName: "two" })).toMatchObject(refused(403, "Directory_QuotaExceeded"));
  await send("DELETE", `directory/deletedItems/${id}`);
  expect(await send("POST", "applications", { displayName: "two" })).toMatchObject({ status: 201 });
});

test("while the directory lags, a new application is not found, its name is taken, and it gets no principal", async () => {
  const { send, upsert, server } = await openDirectory();
  await seedState(server.directory, { knobs: { replicationLagSeconds: 3600 } });
  const { id, appId } = applicationIn(await upsert(byUniqueName, { displayName: "demo-cpo" }));
  expect(await send("PATCH", `applications/${id}`, { displayName: "x" })).toMatchObject(refused(404, "Request_ResourceNotFound"));
  expect(await upsert(byUniqueName, { displayName: "x" })).toMatchObject(refused(400, "Request_BadRequest", "uniqueName already exists"));
  expect(await upsert(`servicePrincipals(appId='${appId}')`, {})).toMatchObject(
    refused(400, "Request_BadRequest", `The appId '${appId}' of the service principal does not reference a valid application object.`),
  );
  await seedState(server.directory, { knobs: { replicationLagSeconds: 0 } });
  expect(await upsert(`servicePrincipals(appId='${appId}')`, {})).toMatchObject({ status: 201 });
});

test("a client secret that Graph created signs in until it is removed", async () => {
  const { send, server } = await openDirectory();
  const { id, appId } = applicationIn(await send("POST", "applications", { displayName: "demo" }));
  await send("POST", "servicePrincipals", { appId });
  const added = await send("POST", `applications/${id}/addPassword`, { passwordCredential: { displayName: "ci" } });
  const { secretText, keyId } = added.body as { secretText: string; keyId: string };
  const form = new URLSearchParams({
    grant_type: "client_credentials",
    client_id: appId,
    client_secret: secretText,
    scope: "https://management.azure.com/.default",
  });
  const ask = () =>
    server.call("login.microsoftonline.com", `/${wellKnown.tenantId}/oauth2/v2.0/token`, {
      method: "POST",
      body: form.toString(),
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
  expect(await ask()).toMatchObject({ status: 200 });
  expect(await send("POST", `applications/${id}/removePassword`, { keyId })).toMatchObject({ status: 204 });
  expect(await ask()).toMatchObject({ status: 401, body: { error_codes: [7000215] } });
  expect(JSON.stringify(await stateSnapshot(server.directory))).not.toContain(secretText);
});

test("an application is found by its identifier URI, and one for personal accounts has tokens of version 2", async () => {
  const { send } = await openDirectory();
  const identifierUris = ["api://found"];
  const signInAudience = "AzureADandPersonalMicrosoftAccount";
  const { id } = applicationIn(await send("POST", "applications", { displayName: "demo", identifierUris, signInAudience }));
  const found = valuesIn(await send("GET", `applications?$filter=${encodeURIComponent("identifierUris/any(s:s eq 'api://found')")}`));
  expect(found).toMatchObject([{ id, signInAudience, api: { requestedAccessTokenVersion: 2 } }]);
});

test("a client secret of a service principal signs in too, and its application does not show it; owners that are people have an ID", async () => {
  const { send, server } = await openDirectory();
  const { id, appId } = applicationIn(await send("POST", "applications", { displayName: "demo" }));
  const principal = (await send("POST", "servicePrincipals", { appId })).body as { id: string };
  const { secretText, keyId } = (await send("POST", `servicePrincipals/${principal.id}/addPassword`, {})).body as Record<string, string>;
  const form = tokenRequest(server, { client_id: appId, client_secret: secretText ?? "" });
  const path = `/${wellKnown.tenantId}/oauth2/v2.0/token`;
  expect(await server.call("login.microsoftonline.com", path, form)).toMatchObject({ status: 200 });
  expect(await send("GET", `servicePrincipals/${principal.id}`)).toMatchObject({
    body: { passwordCredentials: [{ keyId, secretText: null }] },
  });
  expect(await send("GET", `applications/${id}`)).toMatchObject({ body: { passwordCredentials: [] } });
  expect(await send("POST", `servicePrincipals/${principal.id}/removePassword`, { keyId })).toMatchObject({ status: 204 });
  expect(await server.call("login.microsoftonline.com", path, form)).toMatchObject({ status: 401 });
  const person = "bad00000-0000-4000-8000-000000000001";
  await changeState(server, ({ applications }) => void applications[appId]?.owners?.push(person));
  expect(valuesIn(await send("GET", `applications/${id}/owners`))).toContainEqual({ "@odata.type": "#microsoft.graph.user", id: person });
});

test("objects are found by their IDs, and /me is refused for an application", async () => {
  const { send } = await openDirectory();
  const ids = [wellKnown.clientPrincipalId, wellKnown.tenantId];
  expect(valuesIn(await send("POST", "directoryObjects/getByIds", { ids, types: ["servicePrincipal"] }))).toMatchObject([
    { id: wellKnown.clientPrincipalId },
  ]);
  expect(await send("GET", "me")).toMatchObject(
    refused(400, "BadRequest", "/me request is only valid with delegated authentication flow."),
  );
});
