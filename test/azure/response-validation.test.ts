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

describe("what Azure would not answer is refused", () => {
  test.each([
    ["a page of HTML", `${subscription}/resourcegroups?api-version=1`, html],
    ["a page of HTML for one resource", `${subscription}/resourceGroups/g`, html],
    ["a page of HTML for the directory", "https://graph.microsoft.com/v1.0/servicePrincipals?$filter=x", html],
    ["a list without entries' array", `${subscription}/resourcegroups?api-version=1`, "{}"],
    ["a list that is something else", `${subscription}/resourceGroups/g/providers/Microsoft.Network/loadBalancers`, '{"value":{}}'],
    ["a list that is nothing", `${subscription}/providers/Microsoft.Authorization/roleAssignments`, ""],
    ["a list of the directory without entries' array", "https://graph.microsoft.com/v1.0/servicePrincipals?$filter=x", "{}"],
    ["the directory's bin", "https://graph.microsoft.com/v1.0/directory/deletedItems/microsoft.graph.application?$select=id", "{}"],
    ["one object of the directory without its id", "https://graph.microsoft.com/v1.0/applications(uniqueName='x')", "{}"],
    ["a vault's list of secrets", "https://v.vault.azure.net/secrets?api-version=7.6", "{}"],
    ["a vault's list of versions", "https://v.vault.azure.net/certificates/x/versions?api-version=7.6", "{}"],
    ["a page of HTML for a secret", "https://v.vault.azure.net/secrets/x/?api-version=7.6", html],
    ["text that is JSON, but no object", `${subscription}/resourceGroups/g`, '"ok"'],
  ])("%s", async (_, url, body) => {
    await expect(through(requestOf("GET", url), 200, body)).rejects.toMatchObject({ code: "ARO-NET-003" });
  });
});

describe("what Azure answers is passed on", () => {
  test.each<[string, PipelineRequest["method"], string, number, string]>([
    ["a list", "GET", `${subscription}/resourcegroups?api-version=1`, 200, '{"value":[]}'],
    ["one resource", "GET", `${subscription}/resourceGroups/g/providers/Microsoft.Network/loadBalancers/lb`, 200, "{}"],
    ["an operation that goes on", "GET", `${subscription}/operationresults/x`, 202, ""],
    ["an operation that has ended", "GET", `${subscription}/operationresults/x`, 200, ""],
    ["what was deleted", "DELETE", `${subscription}/resourceGroups/g`, 200, ""],
    ["an error's page, which others explain", "GET", `${subscription}/resourcegroups`, 502, html],
    ["the directory", "GET", "https://graph.microsoft.com/v1.0/applications/x", 200, '{"id":"x"}'],
    ["what the directory changed", "PATCH", "https://graph.microsoft.com/v1.0/applications/x", 204, ""],
    ["what the directory made", "PATCH", "https://graph.microsoft.com/v1.0/applications(uniqueName='x')", 201, '{"id":"x"}'],
    ["a vault's list", "GET", "https://v.vault.azure.net/secrets?api-version=7.6", 200, '{"value":[],"nextLink":null}'],
    ["a secret", "GET", "https://v.vault.azure.net/secrets/x/0123?api-version=7.6", 200, '{"value":"x"}'],
  ])("%s", async (_, method, url, status, body) => {
    expect((await through(requestOf(method, url), status, body)).status).toBe(status);
  });
});

test("what the directory says it made without naming it is refused: what follows would be about nothing", async () => {
  const made = through(requestOf("PATCH", "https://graph.microsoft.com/v1.0/applications(uniqueName='x')"), 201, "{}");
  await expect(made).rejects.toMatchObject({ code: "ARO-NET-003" });
});
