/** Entra: discovery and tokens, and the code of each refusal. */
import { decodeJwt } from "jose";
import { expect, test } from "vitest";
import { seedState, wellKnown } from "../../../src/emulator/index.js";
import { openLocalServer, tokenRequest, type LocalServer, type Reply } from "../local-server.js";

const host = "login.microsoftonline.com";
const tokenPath = `/${wellKnown.tenantId}/oauth2/v2.0/token`;
const ask = (server: LocalServer, changes: Record<string, string | undefined> = {}, path = tokenPath): Promise<Reply> =>
  server.call(host, path, { ...tokenRequest(server, changes) });

test("a token names tenant, principal, application and audience, and is valid for about an hour", async () => {
  const server = await openLocalServer();
  const { body } = await ask(server, { scope: "https://management.core.windows.net//.default openid offline_access profile" });
  const { access_token: token, expires_in: lifetime } = body as { access_token: string; expires_in: number };
  const claims = decodeJwt(token);
  expect(claims).toMatchObject({
    aud: "https://management.core.windows.net/",
    iss: `https://sts.windows.net/${wellKnown.tenantId}/`,
    tid: wellKnown.tenantId,
    oid: wellKnown.clientPrincipalId,
    appid: wellKnown.clientId,
  });
  expect(lifetime).toBe(3599);
  expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(lifetime);
});

test.each([
  ["a wrong secret", { client_secret: "wrong" }, 401, "invalid_client", 7000215],
  ["no credential", { client_secret: undefined }, 401, "invalid_client", 7000216],
  ["an unknown application", { client_id: wellKnown.tenantId }, 400, "unauthorized_client", 700016],
  ["no scope", { scope: undefined }, 400, "invalid_request", 900144],
  ["no client ID", { client_id: undefined }, 400, "invalid_request", 900144],
  ["a scope without /.default", { scope: "https://management.azure.com" }, 400, "invalid_scope", 1002012],
  ["an unknown resource", { scope: "https://example.com/.default" }, 400, "invalid_resource", 500011],
  ["another grant", { grant_type: "password" }, 400, "unsupported_grant_type", 70003],
])("%s is refused with Entra's code", async (_, changes, status, error, number) => {
  const reply = await ask(await openLocalServer(), changes);
  expect(reply).toMatchObject({
    status,
    body: { error, error_codes: [number], error_description: expect.stringMatching(`^AADSTS${number}: .*Trace ID`) },
  });
});

test("an unknown tenant is refused with AADSTS90002, at the token and at the configuration", async () => {
  const server = await openLocalServer();
  const refused = { status: 400, body: { error_codes: [90002] } };
  expect(await ask(server, {}, "/contoso.example/oauth2/v2.0/token")).toMatchObject(refused);
  expect(await server.call(host, "/contoso.example/v2.0/.well-known/openid-configuration")).toMatchObject(refused);
});

test("discovery names the host among its aliases and the tenant's own endpoints", async () => {
  const server = await openLocalServer();
  const discovery = await server.call(
    host,
    `/common/discovery/instance?api-version=1.1&authorization_endpoint=https%3A%2F%2F${host}%2F${wellKnown.tenantId}%2Foauth2%2Fv2.0%2Fauthorize`,
  );
  expect(discovery.body).toMatchObject({ metadata: [{ aliases: expect.arrayContaining([host]) }] });
  const { tenant_discovery_endpoint: next } = discovery.body as { tenant_discovery_endpoint: string };
  const configuration = await server.call(host, new URL(next).pathname);
  expect(configuration.body).toMatchObject({
    issuer: `https://${host}/${wellKnown.tenantId}/v2.0`,
    token_endpoint: `https://${host}${tokenPath}`,
  });
});

test.each(["common", "organizations"])("the configuration of %s names no tenant, and no token is issued there", async (audience) => {
  const server = await openLocalServer();
  const configuration = await server.call(host, `/${audience}/v2.0/.well-known/openid-configuration`);
  expect(configuration).toMatchObject({
    status: 200,
    body: { issuer: `https://${host}/{tenantid}/v2.0`, token_endpoint: `https://${host}/${audience}/oauth2/v2.0/token` },
  });
  expect(await ask(server, {}, `/${audience}/oauth2/v2.0/token`)).toMatchObject({ status: 400 });
});

test("the configuration of version 1 has another issuer, and its token endpoint is not emulated", async () => {
  const server = await openLocalServer();
  const configuration = await server.call(host, `/${wellKnown.tenantId}/.well-known/openid-configuration`);
  expect(configuration).toMatchObject({ status: 200, body: { issuer: `https://sts.windows.net/${wellKnown.tenantId}/` } });
  const { token_endpoint: endpoint } = configuration.body as { token_endpoint: string };
  expect(await ask(server, {}, new URL(endpoint).pathname)).toMatchObject({ status: 501 });
});

test.each([
  ["2015-01-01", { portalEndpoint: "https://portal.azure.com/" }],
  ["2019-05-01", [{ name: "AzureCloud" }]],
  ["2022-09-01", { name: "AzureCloud", microsoftGraphResourceId: "https://graph.microsoft.com/" }],
])("everybody reads the endpoints of the cloud, in the form of %s", async (version, body) => {
  const server = await openLocalServer();
  expect(await server.call("management.azure.com", `/metadata/endpoints?api-version=${version}`)).toMatchObject({ status: 200, body });
});

test("a seeded application signs in with its own secret and has only the rights it was given", async () => {
  const server = await openLocalServer();
  const appId = "aaaaaaaa-0000-4000-8000-00000000000a";
  await seedState(server.directory, { applications: [{ appId, displayName: "other", secret: "s3cret" }] });
  const { body } = await ask(server, { client_id: appId, client_secret: "s3cret" });
  const token = (body as { access_token: string }).access_token;
  const target = `/subscriptions/${wellKnown.subscriptionId}/resourceGroups/dns?api-version=2025-04-01`;
  expect(await server.call("management.azure.com", target, { token })).toMatchObject({
    status: 403,
    body: { error: { code: "AuthorizationFailed" } },
  });
});
