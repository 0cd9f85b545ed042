import { createHttpHeaders, type PipelineRequest } from "@azure/core-rest-pipeline";
import { describe, expect, test } from "vitest";
import { clouds } from "../../src/azure/cloud.js";
import { responseValidationPolicy } from "../../src/azure/response-validation.js";
import { blobService, graphService, publicService, resourceManagerService, signInService, vaultService } from "../../src/azure/service.js";
import { answer, requestOf } from "./answers.js";

const arm = "https://management.azure.com";
const subscription = `${arm}/subscriptions/s`;
const group = "/subscriptions/s/resourceGroups/g";
const graph = "https://graph.microsoft.com/v1.0";
const vault = "https://v.vault.azure.net";
const blob = "https://a.blob.core.windows.net/c/b";
const login = "https://login.microsoftonline.com";

const services = [
  [arm, resourceManagerService(clouds.AzurePublicCloud)],
  [graph, graphService(clouds.AzurePublicCloud)],
  [vault, vaultService(vault)],
  [blob, blobService(blob)],
  [login, signInService(login)],
  ["", publicService(clouds.AzurePublicCloud)],
] as const;

/** Headers of all services; Azure Storage needs three of them. */
const azureHeaders = {
  "x-ms-request-id": "r",
  "request-id": "r",
  "x-ms-version": "2009-09-19",
  "x-ms-blob-type": "BlockBlob",
  "content-type": "application/json",
};

function through(request: PipelineRequest, status: number, body: string, headers: Readonly<Record<string, string>> = azureHeaders) {
  const [, service] = services.find(([address]) => request.url.startsWith(address)) ?? expect.fail();
  const response = { ...answer(status, { body }), request, headers: createHttpHeaders(headers) };
  return responseValidationPolicy(service).sendRequest(request, () => Promise.resolve(response));
}

const html = "<html>Please sign in to the guests' network</html>";
const lb = `${arm}${group}/providers/Microsoft.Network/loadBalancers/lb`;
const attributes = '"attributes":{"created":1}';
const lbBody = `{"id":"${group}/providers/Microsoft.Network/loadBalancers/lb","name":"lb","properties":{}}`;
const application = '{"id":"x","appId":"y","displayName":"z","tags":[],"keyCredentials":[]}';
const operations = `${subscription}/providers/Microsoft.Network/locations/eastus/operations/0f`;
type Method = PipelineRequest["method"];
type Row = readonly [title: string, method: Method, url: string, status: number, body: string];

const foreign: readonly Row[] = [
  ["an HTML page for a list", "GET", `${subscription}/resourcegroups?api-version=1`, 200, html],
  ["an HTML page for one resource", "GET", lb, 200, html],
  ["nothing for one resource", "GET", lb, 200, ""],
  ["an empty object for one resource", "GET", lb, 200, "{}"],
  ["null for one resource", "GET", lb, 200, "null"],
  ["an array for one resource", "GET", lb, 200, "[]"],
  ["another resource", "GET", lb, 200, `{"id":"${group}/providers/Microsoft.Network/loadBalancers/other"}`],
  ["a resource of another type", "GET", lb, 200, `{"id":"${group}/providers/Microsoft.Network/natGateways/lb"}`],
  ["a list without the array of entries", "GET", `${subscription}/resourcegroups?api-version=1`, 200, "{}"],
  ["a list that is an object", "GET", `${arm}${group}/providers/Microsoft.Network/loadBalancers`, 200, '{"value":{}}'],
  ["a list that is empty text", "GET", `${subscription}/providers/Microsoft.Authorization/roleAssignments`, 200, ""],
  ["null in a list", "GET", `${subscription}/resourcegroups`, 200, '{"value":[null]}'],
  ["an entry of a list without ID and name", "GET", `${subscription}/resourcegroups`, 200, '{"value":[{}]}'],
  ["nothing for a list in a group with the name of an operation", "GET", `${subscription}/resourceGroups/operations/resources`, 200, ""],
  ["nothing for a resource in such a group", "GET", `${subscription}/resourceGroups/operations/providers/A.B/c/d`, 200, ""],
  ["an operation without status", "GET", operations, 200, "{}"],
  ["nothing for the status of an operation", "GET", operations, 200, ""],
  ["an empty object for the result of an operation", "GET", `${subscription}/operationresults/x`, 200, "{}"],
  ["an HTML page for a deletion", "DELETE", lb, 200, html],
  ["an HTML page for an accepted request", "PUT", lb, 202, html],
  ["nothing for a created resource", "PUT", lb, 201, ""],
  ["an empty object for a changed resource", "PUT", lb, 200, "{}"],
  ["no word about a name", "POST", `${subscription}/providers/Microsoft.Storage/checkNameAvailability`, 200, "{}"],
  ["an HTML page for the directory", "GET", `${graph}/servicePrincipals?$filter=x`, 200, html],
  ["a list of the directory without entries", "GET", `${graph}/servicePrincipals?$filter=x`, 200, "{}"],
  ["null in a list of the directory", "GET", `${graph}/applications`, 200, '{"value":[null]}'],
  ["deleted items without entries", "GET", `${graph}/directory/deletedItems/microsoft.graph.application?$select=id`, 200, "{}"],
  ["one object of the directory without its ID", "GET", `${graph}/applications(uniqueName='x')`, 200, "{}"],
  ["nothing for one object of the directory", "GET", `${graph}/applications(uniqueName='x')`, 200, ""],
  ["a created object of the directory without its ID", "PATCH", `${graph}/applications(uniqueName='x')`, 201, "{}"],
  ["nothing with status 200 for a change of the directory", "PATCH", `${graph}/applications/x`, 200, ""],
  ["nothing with status 200 for a deletion in the directory", "DELETE", `${graph}/applications/x`, 200, ""],
  ["a vault's list of secrets without entries", "GET", `${vault}/secrets?api-version=7.6`, 200, "{}"],
  ["a vault's list of versions without entries", "GET", `${vault}/certificates/x/versions?api-version=7.6`, 200, "{}"],
  ["null in a list of a vault", "GET", `${vault}/secrets`, 200, '{"value":[null]}'],
  ["an HTML page for a secret", "GET", `${vault}/secrets/x/?api-version=7.6`, 200, html],
  ["a secret without value", "GET", `${vault}/secrets/x/`, 200, `{"id":"${vault}/secrets/x/0"}`],
  ["another secret", "GET", `${vault}/secrets/x/`, 200, `{"id":"${vault}/secrets/y/0","value":"x"}`],
  ["another key", "GET", `${vault}/keys/x/0`, 200, `{"key":{"kid":"${vault}/keys/y/0"}}`],
  ["a result of a key without value", "POST", `${vault}/keys/x/0/encrypt`, 200, `{"kid":"${vault}/keys/x/0"}`],
  ["a result of another key", "POST", `${vault}/keys/x/0/encrypt`, 200, `{"kid":"${vault}/keys/y/0","value":"x"}`],
  ["nothing for a written secret", "PUT", `${vault}/secrets/x`, 200, ""],
  ["nothing for a deleted secret", "DELETE", `${vault}/secrets/x`, 200, ""],
  ["a list of the directory without body", "GET", `${graph}/applications`, 204, ""],
  ["a list of a vault without body", "GET", `${vault}/secrets`, 204, ""],
  ["one resource with status 201", "GET", lb, 201, `{"id":"${group}/providers/Microsoft.Network/loadBalancers/lb"}`],
  ["one resource with status 204", "GET", lb, 204, ""],
  ["part of a list", "GET", `${subscription}/resourcegroups`, 206, '{"value":[]}'],
  ["a resource that was not changed", "GET", lb, 304, ""],
  ["an entry of a list whose ID is none", "GET", `${subscription}/resourcegroups`, 200, '{"value":[{"id":"x","name":"x"}]}'],
  ["an entry of a list whose ID is a number", "GET", `${subscription}/resourcegroups`, 200, '{"value":[{"id":5,"name":"x"}]}'],
  ...["tags", "properties", "location"].flatMap((member): Row[] => {
    const resource = `{"id":"${group}/providers/Microsoft.Network/loadBalancers/lb","${member}":["x"]}`;
    return [
      [`a resource whose ${member} are a list`, "GET", lb, 200, resource],
      [`a list with such a resource (${member})`, "GET", `${subscription}/resourcegroups`, 200, `{"value":[${resource}]}`],
    ];
  }),
  ["a resource with a tag that is a number", "GET", `${arm}${group}`, 200, `{"id":"${group}","tags":{"aro-hcp-name":5}}`],
  ["JSON that is not an object", "GET", `${arm}${group}`, 200, '"ok"'],
  ["an HTML page for a token", "POST", `${login}/t/oauth2/v2.0/token`, 200, html],
  ["no token", "POST", `${login}/t/oauth2/v2.0/token`, 200, "{}"],
  ["no token endpoint", "GET", `${login}/t/v2.0/.well-known/openid-configuration`, 200, "{}"],
];

test.each(foreign)("%s is not from Azure", async (_title, method, url, status, body) => {
  await expect(through(requestOf(method, url), status, body)).rejects.toMatchObject({ code: "ARO-NET-003" });
});

describe("without the headers of its service, a response is not from Azure", () => {
  test.each<Row>([
    ["an empty list", "GET", `${subscription}/resourcegroups`, 200, '{"value":[]}'],
    ["a finished deletion", "DELETE", lb, 204, ""],
    ["a group that exists", "HEAD", `${arm}${group}`, 204, ""],
    ["a list of the directory", "GET", `${graph}/applications`, 200, '{"value":[]}'],
    ["a deletion in the directory", "DELETE", `${graph}/applications/x`, 204, ""],
    ["a list of a vault", "GET", `${vault}/secrets`, 200, '{"value":[]}'],
    ["a blob", "GET", blob, 200, "{}"],
    ["an uploaded blob", "PUT", blob, 201, ""],
  ])("%s", async (_title, method, url, status, body) => {
    await expect(through(requestOf(method, url), status, body, {})).rejects.toMatchObject({ code: "ARO-NET-003" });
  });
});

test("an HTML page with the headers of a blob is not from Azure", async () => {
  const headers = { ...azureHeaders, "content-type": "text/html; charset=utf-8" };
  await expect(through(requestOf("GET", blob), 200, html, headers)).rejects.toMatchObject({ code: "ARO-NET-003" });
});

test.each([
  ["a resource", lb, lbBody],
  ["a list", `${subscription}/resourcegroups`, '{"value":[]}'],
  ["a list of the directory", `${graph}/applications`, '{"value":[]}'],
  ["a list of a vault", `${vault}/secrets`, '{"value":[]}'],
])("%s as plain text is not from Azure: its SDK would not read it", async (_title, url, body) => {
  const as = (type: string) => through(requestOf("GET", url), 200, body, { ...azureHeaders, "content-type": type });
  await expect(as("text/plain")).rejects.toMatchObject({ code: "ARO-NET-003" });
  expect((await as("application/json;odata.metadata=minimal;charset=utf-8")).status).toBe(200);
});

describe("a redirect", () => {
  test.each([lb, `${graph}/applications`, `${vault}/secrets`, blob, `${login}/t/oauth2/v2.0/token`])(
    "to another host is not from Azure: %s",
    async (url) => {
      const to = (location: string) => through(requestOf("GET", url), 302, "", { ...azureHeaders, location });
      await expect(to("https://portal.example.com/sign-in")).rejects.toMatchObject({ code: "ARO-NET-003" });
      await expect(to("http://portal/")).rejects.toMatchObject({ code: "ARO-NET-003" });
      expect((await to("/elsewhere")).status).toBe(302);
    },
  );

  test("of a public document of another host is passed on", async () => {
    const to = through(requestOf("GET", "https://issuer.example.com/keys"), 302, "", { location: "https://portal.example.com/" });
    expect((await to).status).toBe(302);
  });
});

const assignment = `${subscription}/providers/Microsoft.Authorization/roleAssignments/x`;

test("members of a resource that are null are absent, as the types of the SDK say", async () => {
  const body = `{"id":"${group}","name":"g","location":null,"tags":{"a":"b","c":null},"properties":{"list":[null,{"x":null}]}}`;
  const { bodyAsText } = await through(requestOf("GET", `${arm}${group}`), 200, body);
  expect(bodyAsText).toBe(`{"id":"${group}","name":"g","tags":{"a":"b"},"properties":{"list":[null,{}]}}`);
});

test("so are those of a certificate", async () => {
  const id = `${vault}/certificates/x/0`;
  const { bodyAsText } = await through(
    requestOf("GET", `${vault}/certificates/x/`),
    200,
    `{"id":"${id}","cer":null,"attributes":{"created":1}}`,
  );
  expect(bodyAsText).toBe(`{"id":"${id}","attributes":{"created":1}}`);
});

describe("a valid response is passed on", () => {
  test.each<Row>([
    ["a list", "GET", `${subscription}/resourcegroups?api-version=1`, 200, '{"value":[]}'],
    ["a list of quotas", "GET", `${subscription}/usages`, 200, '{"value":[{"name":{"value":"x"}}]}'],
    ["a list of permissions", "GET", `${arm}${group}/providers/Microsoft.Authorization/permissions`, 200, '{"value":[{"actions":[]}]}'],
    ["one resource", "GET", lb, 200, lbBody],
    ["one resource in other casing", "GET", lb, 200, lbBody.replace("loadBalancers/lb", "LOADBALANCERS/LB")],
    ["one resource with a space in its name", "GET", `${arm}${group}/providers/A.B/c/d%20e`, 200, `{"id":"${group}/providers/A.B/c/d e"}`],
    [
      "tags",
      "PATCH",
      `${arm}${group}/providers/Microsoft.Resources/tags/default`,
      200,
      `{"id":"${group}/providers/Microsoft.Resources/tags/default"}`,
    ],
    ["the subscription", "GET", subscription, 200, '{"id":"/subscriptions/s"}'],
    [
      "a role assignment of a wider scope",
      "GET",
      assignment,
      200,
      '{"id":"/providers/Microsoft.Authorization/roleAssignments/x","name":"x","properties":{"principalId":"p","roleDefinitionId":"r","scope":"/"}}',
    ],
    ["a count", "GET", `${subscription}/providers/Microsoft.Authorization/roleAssignmentsUsageMetrics`, 200, '{"roleAssignmentsLimit":1}'],
    ["an operation of another provider", "GET", `${subscription}/providers/A.B/locations/eastus/moveOperations/x`, 200, '{"value":1}'],
    ["a monitored operation", "GET", `${operations}?api-version=1&monitor=true`, 200, ""],
    ["an operation in progress", "GET", `${subscription}/operationresults/x`, 202, ""],
    ["null for an operation in progress", "GET", `${subscription}/operationresults/x`, 202, "null"],
    ["an operation that ended without a body", "GET", `${subscription}/operationresults/x`, 204, ""],
    ["an operation that has ended", "GET", `${subscription}/operationresults/x`, 200, ""],
    ["the status of an operation", "GET", operations, 200, '{"status":"Succeeded"}'],
    ["a created account", "GET", `${subscription}/asyncoperations/x?monitor=true`, 200, '{"id":"x"}'],
    ["an accepted request with an empty object", "PUT", lb, 202, "{}"],
    ["a deleted resource", "DELETE", `${arm}${group}`, 200, ""],
    ["a deleted role assignment", "DELETE", assignment, 200, '{"id":"x"}'],
    ["an error page, which is handled elsewhere", "GET", `${subscription}/resourcegroups`, 502, html],
    ["a list of the directory", "GET", `${graph}/applications?$select=id`, 200, '{"value":[{"id":"x"}]}'],
    ["an object of the directory", "GET", `${graph}/applications/x?$select=id`, 200, '{"id":"x"}'],
    ["an updated object of the directory", "PATCH", `${graph}/applications/x`, 204, ""],
    ["a created object of the directory", "PATCH", `${graph}/applications(uniqueName='x')`, 201, application],
    ["a created object in a list of the directory", "POST", `${graph}/applications`, 201, application],
    ["a restored object of the directory", "POST", `${graph}/directory/deletedItems/x/restore`, 200, '{"id":"x"}'],
    ["a vault's list", "GET", `${vault}/secrets?api-version=7.6`, 200, '{"value":[],"nextLink":null}'],
    ["a secret", "GET", `${vault}/secrets/x/0123?api-version=7.6`, 200, `{"id":"${vault}/secrets/x/0123","value":"x",${attributes}}`],
    ["a key", "GET", `${vault}/keys/x/0123`, 200, `{"key":{"kid":"${vault}/keys/x/0123"},${attributes}}`],
    ["a result of a key", "POST", `${vault}/keys/x/0123/encrypt`, 200, `{"kid":"${vault}/keys/x/0123","value":"x"}`],
    ["a deleted secret", "DELETE", `${vault}/secrets/x`, 200, `{"id":"${vault}/secrets/x/0123","recoveryId":"x",${attributes}}`],
    [
      "a certificate that is being created",
      "POST",
      `${vault}/certificates/x/create`,
      202,
      `{"id":"${vault}/certificates/x/pending","status":"inProgress"}`,
    ],
    ["a purged secret", "DELETE", `${vault}/deletedsecrets/x`, 204, ""],
    ["a blob", "GET", blob, 200, "anything"],
    ["an uploaded blob", "PUT", blob, 201, ""],
    ["a public document of another host", "GET", "https://issuer.example.com/keys", 200, html],
  ])("%s", async (_title, method, url, status, body) => {
    expect((await through(requestOf(method, url), status, body)).status).toBe(status);
  });
});
