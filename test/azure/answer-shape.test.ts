import { createHttpHeaders, type PipelineRequest } from "@azure/core-rest-pipeline";
import { describe, expect, test } from "vitest";
import { answerShapePolicy } from "../../src/azure/answer-shape.js";
import { answer, requestOf } from "./answers.js";

const subscription = "https://management.azure.com/subscriptions/s";
const through = (request: PipelineRequest, status: number, body: string) =>
  answerShapePolicy.sendRequest(request, () =>
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
    ["the directory", "GET", "https://graph.microsoft.com/v1.0/applications/x", 200, "{}"],
  ])("%s", async (_, method, url, status, body) => {
    expect((await through(requestOf(method, url), status, body)).status).toBe(status);
  });
});
