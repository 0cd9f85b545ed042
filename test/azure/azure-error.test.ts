/** Every format of Azure's error bodies, and the details parsed from it. */
import { RestError } from "@azure/core-rest-pipeline";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { azureCodeOf, detailOf } from "../../src/azure/azure-error.js";
import { answer } from "./answers.js";

const inner = { code: "InUseSubnetCannotBeDeleted", message: "Subnet a is in use." };

describe("the innermost code and its message are found", () => {
  test.each([
    ["in ARM's envelope", { error: inner }],
    ["at the top level, as private DNS and AKS write it", inner],
    ["in upper case, as web farms write it", { Code: inner.code, Message: inner.message }],
    ["in the first detail", { error: { code: "RetryableError", message: "outer", details: [inner, { code: "Other" }] } }],
    ["in the details of a detail", { error: { code: "A", details: [{ code: "B", details: [inner] }] } }],
    ["in a failed operation", { status: "Failed", error: inner }],
    ["in a superseded operation", { status: "Canceled", error: { code: "Canceled", details: [inner] } }],
    [
      "as JSON in a string of a blocked group",
      {
        Error: { Code: "ResourceGroupDeletionBlocked", Message: "m", Details: [{ Code: null, Message: JSON.stringify({ error: inner }) }] },
      },
    ],
    ["next to Graph's inner error", { error: { ...inner, innerError: { "request-id": "r", date: "d" } } }],
  ])("%s", (_where, body) => {
    expect(detailOf(answer(400, { body: JSON.stringify(body) }))).toEqual({ status: 400, ...inner });
  });
});

test.each([
  ["details without codes leave the outer error", { error: { ...inner, details: [{ target: "x", message: "aside" }] } }],
  [
    "details without a reason, as AKS writes them, leave the outer error",
    { ...inner, details: [{ code: "Unspecified", message: "again" }] },
  ],
  ["empty details leave the outer error", { error: { ...inner, details: [] } }],
])("%s", (_title, body) => {
  expect(detailOf(answer(400, { body: JSON.stringify(body) }))).toEqual({ status: 400, ...inner });
});

test("Entra's code is parsed from its message", () => {
  const body = {
    error: "invalid_client",
    error_description: "AADSTS7000215: Invalid client secret provided. Trace ID: t",
    error_codes: [7000215],
  };
  expect(detailOf(answer(401, { body: JSON.stringify(body) }))).toMatchObject({ code: "AADSTS7000215" });
  expect(detailOf(answer(400, { body: '{"error":"invalid_grant"}' }))).toEqual({ status: 400, code: "invalid_grant" });
});

test.each(["", "<!DOCTYPE html><html></html>", "null", "[]", "42", '{"value":[]}', '{"error":null}', '{"error":{"code":""}}'])(
  "a body without an error yields only the status: %s",
  (body) => {
    expect(detailOf(answer(503, { body }))).toEqual({ status: 503 });
  },
);

test("no body causes an exception", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.json(),
        fc.string(),
        fc.jsonValue().map((error) => JSON.stringify({ error })),
      ),
      (body) => {
        expect(detailOf(answer(500, { body })).status).toBe(500);
      },
    ),
  );
});

test("request ID and time are read from the headers of Resource Manager and Graph", () => {
  const date = "Fri, 20 Nov 2026 12:00:00 GMT";
  expect(detailOf(answer(500, { headers: { "x-ms-request-id": "arm", "request-id": "other", date } }))).toMatchObject({
    requestId: "arm",
    at: "2026-11-20T12:00:00Z",
  });
  expect(detailOf(answer(500, { headers: { "request-id": "graph" } }))).toEqual({ status: 500, requestId: "graph" });
});

test("signed URLs in a message lose their signature", () => {
  const message = "To retrieve status use uri: https://management.azure.com/operations/o?api-version=1&t=2&s=signature.";
  expect(detailOf(answer(409, { code: "AnotherOperationInProgress", message })).message).toBe(
    "To retrieve status use uri: https://management.azure.com/operations/o",
  );
});

test("an SDK error has the code of its response, any other value has none", () => {
  const response = answer(409, { code: "RoleAssignmentExists" });
  expect(azureCodeOf(new RestError("refused", { response, code: "other", statusCode: 409 }))).toBe("RoleAssignmentExists");
  expect(azureCodeOf(new RestError("lost", { code: "ECONNRESET" }))).toBeUndefined();
  expect(azureCodeOf("nothing")).toBeUndefined();
});
