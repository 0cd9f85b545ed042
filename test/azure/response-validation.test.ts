import { createHttpHeaders, type PipelineRequest } from "@azure/core-rest-pipeline";
import { describe, expect, test } from "vitest";
import { responseValidationPolicy } from "../../src/azure/response-validation.js";
import { answer, requestOf } from "./answers.js";

const subscription = "https://management.azure.com/subscriptions/s";
const through = (request: PipelineRequest, status: number, body: string) =>
  responseValidationPolicy.sendRequest(request, () =>
    Promise.resolve({ ...answer(status, { body }), request, headers: createHttpHeaders({ "content-type": "text/html" }) }),
  );
const html = "<html>Please sign in to the guests' network</html>";

describe("a response that cannot be Azure's is rejected", () => {
  test.each([
    ["an HTML page", `${subscription}/resourcegroups?api-version=1`, html],
    ["an HTML page for one resource", `${subscription}/resourceGroups/g`, html],
    ["an HTML page for the directory", "https://graph.microsoft.com/v1.0/servicePrincipals?$filter=x", html],
    ["a list without the array of entries", `${subscription}/resourcegroups?api-version=1`, "{}"],
    ["a list that is an object", `${subscription}/resourceGroups/g/providers/Microsoft.Network/loadBalancers`, '{"value":{}}'],
    ["a list that is empty text", `${subscription}/providers/Microsoft.Authorization/roleAssignments`, ""],
    ["a list of the directory without the array of entries", "https://graph.microsoft.com/v1.0/servicePrincipals?$filter=x", "{}"],
    [
      "the directory's deleted items without the array of entries",
      "https://graph.microsoft.com/v1.0/directory/deletedItems/microsoft.graph.application?$select=id",
      "{}",
    ],
    ["one object of the directory without its ID", "https://graph.microsoft.com/v1.0/applications(uniqueName='x')", "{}"],
    ["a vault's list of secrets without the array of entries", "https://v.vault.azure.net/secrets?api-version=7.6", "{}"],
    ["a vault's list of versions without the array of entries", "https://v.vault.azure.net/certificates/x/versions?api-version=7.6", "{}"],
    ["an HTML page for a secret", "https://v.vault.azure.net/secrets/x/?api-version=7.6", html],
    ["JSON that is not an object", `${subscription}/resourceGroups/g`, '"ok"'],
  ])("%s", async (_, url, body) => {
    await expect(through(requestOf("GET", url), 200, body)).rejects.toMatchObject({ code: "ARO-NET-003" });
  });
});

describe("a valid response is passed on", () => {
  test.each<[string, PipelineRequest["method"], string, number, string]>([
    ["a list", "GET", `${subscription}/resourcegroups?api-version=1`, 200, '{"value":[]}'],
    ["one resource", "GET", `${subscription}/resourceGroups/g/providers/Microsoft.Network/loadBalancers/lb`, 200, "{}"],
    ["an operation in progress", "GET", `${subscription}/operationresults/x`, 202, ""],
    ["an operation that has ended", "GET", `${subscription}/operationresults/x`, 200, ""],
    ["a deleted resource", "DELETE", `${subscription}/resourceGroups/g`, 200, ""],
    ["an error page, which is handled elsewhere", "GET", `${subscription}/resourcegroups`, 502, html],
    ["an object of the directory", "GET", "https://graph.microsoft.com/v1.0/applications/x", 200, '{"id":"x"}'],
    ["an updated object of the directory", "PATCH", "https://graph.microsoft.com/v1.0/applications/x", 204, ""],
    ["a created object of the directory", "PATCH", "https://graph.microsoft.com/v1.0/applications(uniqueName='x')", 201, '{"id":"x"}'],
    ["a vault's list", "GET", "https://v.vault.azure.net/secrets?api-version=7.6", 200, '{"value":[],"nextLink":null}'],
    ["a secret", "GET", "https://v.vault.azure.net/secrets/x/0123?api-version=7.6", 200, '{"value":"x"}'],
  ])("%s", async (_, method, url, status, body) => {
    expect((await through(requestOf(method, url), status, body)).status).toBe(status);
  });
});

test("a created directory object without an ID is rejected: later steps need the ID", async () => {
  const made = through(requestOf("PATCH", "https://graph.microsoft.com/v1.0/applications(uniqueName='x')"), 201, "{}");
  await expect(made).rejects.toMatchObject({ code: "ARO-NET-003" });
});
