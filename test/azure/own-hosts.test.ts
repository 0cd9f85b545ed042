/** Addresses in answers: tokens and secrets go only to the hosts they are for, and lists end. */
import { createPipelineRequest } from "@azure/core-rest-pipeline";
import { describe, expect, test } from "vitest";
import { clouds } from "../../src/azure/cloud.js";
import { all } from "../../src/azure/pages.js";
import { wellKnown } from "../../src/emulator/index.js";
import { ownHostsPolicy } from "../../src/azure/own-hosts.js";
import { resourceManagerService, signInService } from "../../src/azure/service.js";
import { answer } from "./answers.js";
import { client, groups, ok, opened, outcome, type Client } from "./hostile-clients.js";

const evil = "https://management.example.com/subscriptions?api-version=1";
const plain = "http://management.azure.com/subscriptions?api-version=1";
const operation = { method: "PUT", path: "/publicIPAddresses/new$" };
const accepted = (headers: object, status = 202) => ({ status, headers: { "content-type": "application/json", ...headers }, body: "{}" });
const vaultChallenge = (value: string) => ({
  status: 401,
  headers: { "www-authenticate": value },
  body: { error: { code: "Unauthorized" } },
});
const authority = `https://login.microsoftonline.com/${wellKnown.tenantId}`;

const putAddress: Client = {
  request: operation,
  read: async (azure) =>
    (await azure.network()).publicIPAddresses.beginCreateOrUpdateAndWait("dns", "new", { location: "eastus" }, { updateIntervalInMs: 1 }),
};
const putAccount: Client = {
  request: { method: "PUT", path: "/storageAccounts/newaccount$" },
  read: async (azure) =>
    (await azure.storage()).storageAccounts.create(
      "dns",
      "newaccount",
      { kind: "StorageV2", location: "eastus", sku: { name: "Standard_LRS" } },
      { updateIntervalInMs: 1 },
    ),
};

describe("a token goes to no other host and nowhere without TLS", () => {
  test.each<[string, Client, object]>([
    ["nextLink of Resource Manager", client("a list of Resource Manager"), ok({ value: [], nextLink: evil })],
    ["nextLink of Resource Manager without TLS", client("a list of Resource Manager"), ok({ value: [], nextLink: plain })],
    ["nextLink of Resource Manager that is no URL", client("a list of Resource Manager"), ok({ value: [], nextLink: "https://:" })],
    [
      "nextLink of a host that begins alike",
      client("a list of Resource Manager"),
      ok({ value: [], nextLink: "https://management.azure.com.example.com/" }),
    ],
    [
      "nextLink of a host that ends alike",
      client("a list of Resource Manager"),
      ok({ value: [], nextLink: "https://evilmanagement.azure.com/" }),
    ],
    [
      "nextLink with a user",
      client("a list of Resource Manager"),
      ok({ value: [], nextLink: "https://management.azure.com@example.com/" }),
    ],
    ["nextLink with another port", client("a list of Resource Manager"), ok({ value: [], nextLink: "https://management.azure.com:8443/" })],
    ["nextLink by path", client("a list by path"), ok({ value: [], nextLink: evil })],
    ["nextLink of the directory", client("a list of the directory"), ok({ value: [], "@odata.nextLink": evil })],
    [
      "nextLink of the directory without TLS",
      client("a list of the directory"),
      ok({ value: [], "@odata.nextLink": "http://graph.microsoft.com/v1.0/x" }),
    ],
    ["nextLink of a vault", client("a list of a vault"), ok({ value: [], nextLink: evil })],
    [
      "nextLink of a vault to another vault",
      client("a list of a vault"),
      ok({ value: [], nextLink: "https://other.vault.azure.net/secrets" }),
    ],
    ["Azure-AsyncOperation", putAddress, accepted({ "azure-asyncoperation": evil })],
    ["Azure-AsyncOperation without TLS", putAddress, accepted({ "azure-asyncoperation": plain })],
    ["Azure-AsyncOperation that is no URL", putAddress, accepted({ "azure-asyncoperation": "https://:" })],
    ["Operation-Location", putAddress, accepted({ "operation-location": evil })],
    ["Location", putAddress, accepted({ location: evil })],
    ["Azure-AsyncOperation of another SDK", putAccount, accepted({ "azure-asyncoperation": evil })],
    ["Location of another SDK", putAccount, accepted({ location: evil })],
    [
      "a challenge for another authority",
      client("a list of a vault"),
      vaultChallenge(`Bearer authorization="https://login.example.com/t", resource="https://vault.azure.net"`),
    ],
    [
      "a challenge for another authority without TLS",
      client("a list of a vault"),
      vaultChallenge(`Bearer authorization="${authority.replace("https", "http")}", resource="https://vault.azure.net"`),
    ],
    [
      "a challenge for another resource",
      client("a list of a vault"),
      vaultChallenge(`Bearer authorization="${authority}", resource="https://management.azure.com"`),
    ],
    [
      "a challenge for a resource without TLS",
      client("a list of a vault"),
      vaultChallenge(`Bearer authorization="${authority}", resource="http://vault.azure.net"`),
    ],
    ["a challenge for no URL", client("a list of a vault"), vaultChallenge(`Bearer authorization="x", resource="y"`)],
  ])("%s", async (_title, { request, read }, answer) => {
    const { azure, vault, requests } = await opened([{ ...request, times: 100_000, answer: { headers: {}, ...answer } }]);
    expect(await outcome(read(azure, vault))).toBe("ARO-NET-005");
    const hosts = new Set(requests().map(({ url }) => new URL(url).origin));
    const own = ["management.azure.com", "login.microsoftonline.com", "graph.microsoft.com", `${vault}.vault.azure.net`];
    for (const host of own) hosts.delete(`https://${host}`);
    expect([...hosts]).toEqual([]);
  });

  test("the host of a region is Resource Manager's", async () => {
    const nextLink = "https://eastus.management.azure.com/subscriptions?api-version=2021-04-01";
    const { azure, requests } = await opened([{ ...groups, answer: ok({ value: [], nextLink }) }]);
    // The emulator is not in that region.
    expect(await outcome(all((await azure.resources()).resourceGroups.list()))).toBe("ARO-AZURE-002");
    expect(requests().map(({ url }) => url)).toContain(nextLink);
  });
});

describe("a token request, which carries a secret,", () => {
  const sent = async (url: string, method: "GET" | "POST", body: string) => {
    const request = createPipelineRequest({ url, method, body, allowInsecureConnection: true });
    const policy = ownHostsPolicy(signInService("https://login.microsoftonline.com"));
    return outcome(policy.sendRequest(request, () => Promise.resolve({ ...answer(200), request })).then(() => "sent"));
  };

  test.each([
    ["another host", "https://login.example.com/t/oauth2/v2.0/token"],
    ["the host without TLS", "http://login.microsoftonline.com/t/oauth2/v2.0/token"],
    ["the host of another cloud", "https://login.chinacloudapi.cn/t/oauth2/v2.0/token"],
  ])("does not go to %s", async (_title, url) => {
    expect(await sent(url, "POST", "grant_type=client_credentials&client_secret=x")).toBe("ARO-NET-005");
    expect(await sent(url, "POST", "client_secret=x&grant_type=client_credentials")).toBe("ARO-NET-005");
  });

  test.each([
    ["the host of the cloud", "https://login.microsoftonline.com/t/oauth2/v2.0/token", "POST", "grant_type=client_credentials"],
    ["the host of a region", "https://eastus.login.microsoft.com/t/oauth2/v2.0/token", "POST", "grant_type=client_credentials"],
    ["the identity service of a virtual machine, without a secret", "http://169.254.169.254/metadata/identity/oauth2/token", "GET", ""],
  ] as const)("goes to %s", async (_title, url, method, body) => {
    expect(await sent(url, method, body)).toBe('"sent"');
  });
});

describe("a list whose page names itself as the next one ends, if the name of the member", () => {
  const url = "https://management.azure.com/subscriptions?api-version=1";
  const escaped = (name: string) => [...name].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
  test.each([
    ["is plain", `{"value":[],"nextLink":"${url}"}`],
    ["is that of Graph", `{"value":[],"@odata.nextLink":"${url}"}`],
    ["is that of Graph, beside another", `{"value":[],"nextLink":"${url}&next","@odata.nextLink":"${url}"}`],
    ["has an escape", `{"value":[],"next\\u004Cink":"${url}"}`],
    ["consists of escapes", `{"value":[],"${escaped("nextLink")}":"${url}"}`],
    ["of Graph consists of escapes", `{"value":[],"${escaped("@odata.nextLink")}":"${url}"}`],
    ["is followed by a space", `{"value":[],"nextLink" : "${url}"}`],
  ])("%s", async (_title, bodyAsText) => {
    const request = createPipelineRequest({ url });
    const policy = ownHostsPolicy(resourceManagerService(clouds.AzurePublicCloud));
    expect(await outcome(policy.sendRequest(request, () => Promise.resolve({ ...answer(200), bodyAsText, request })))).toBe("ARO-NET-006");
  });

  test("the name inside a resource or a text is no next page", async () => {
    const resource = { tags: { nextLink: url }, description: `"nextLink":"${url}" \u0001` };
    const request = createPipelineRequest({ url });
    const response = { ...answer(200), bodyAsText: JSON.stringify({ value: [resource], nextLink: "" }), request };
    const policy = ownHostsPolicy(resourceManagerService(clouds.AzurePublicCloud));
    expect(await policy.sendRequest(request, () => Promise.resolve(response))).toBe(response);
  });
});

describe("a list whose pages repeat", () => {
  const page = (path: string, link: string) => ({ value: [], nextLink: link, "@odata.nextLink": link, path });
  test.each<[string, string, string]>([
    [
      "Resource Manager",
      "a list of Resource Manager",
      `https://management.azure.com/subscriptions/${wellKnown.subscriptionId}/resourcegroups`,
    ],
    ["a path", "a list by path", `https://management.azure.com/subscriptions/${wellKnown.subscriptionId}/providers`],
    ["the directory", "a list of the directory", "https://graph.microsoft.com/v1.0/servicePrincipals"],
    ["a vault", "a list of a vault", "https://VAULT/secrets"],
  ])("ends at the first repetition: %s", async (_title, name, address) => {
    const { request, read } = client(name);
    const vaultHost = (await opened([])).vault;
    const link = (to: string) => `${address.replace("VAULT", `${vaultHost}.vault.azure.net`)}?$skiptoken=${to}`;
    const { azure, vault, requests } = await opened([
      { ...request, nth: 1, answer: ok(page("", link("a"))) },
      { ...request, nth: 2, answer: ok(page("", link("b"))) },
      { ...request, nth: 3, times: 100_000, answer: ok(page("", link("a"))) },
    ]);
    expect(await outcome(read(azure, vault))).toBe("ARO-NET-006");
    expect(requests().filter(({ url }) => url.includes("skiptoken")).length).toBeLessThan(4);
  });
});
