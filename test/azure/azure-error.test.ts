/** Every shape in which Azure writes an error, and what is read out of it. */
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
    ["with Graph's inner error beside it", { error: { ...inner, innerError: { "request-id": "r", date: "d" } } }],
  ])("%s", (_where, body) => {
    expect(detailOf(answer(400, { body: JSON.stringify(body) }))).toEqual({ status: 400, ...inner });
  });
});

test.each([
  ["details without codes leave the outer error", { error: { ...inner, details: [{ target: "x", message: "aside" }] } }],
  ["empty details leave the outer error", { error: { ...inner, details: [] } }],
])("%s", (_title, body) => {
  expect(detailOf(answer(400, { body: JSON.stringify(body) }))).toEqual({ status: 400, ...inner });
});

test("Entra's code is the one in its words", () => {
  const body = {
    error: "invalid_client",
    error_description: "AADSTS7000215: Invalid client secret provided. Trace ID: t",
    error_codes: [7000215],
  };
  expect(detailOf(answer(401, { body: JSON.stringify(body) }))).toMatchObject({ code: "AADSTS7000215" });
  expect(detailOf(answer(400, { body: '{"error":"invalid_grant"}' }))).toEqual({ status: 400, code: "invalid_grant" });
});

test.each(["", "<!DOCTYPE html><html></html>", "null", "[]", "42", '{"value":[]}', '{"error":null}', '{"error":{"code":""}}'])(
  "a body that is no error has the status only: %s",
  (body) => {
    expect(detailOf(answer(503, { body }))).toEqual({ status: 503 });
  },
);

test("no body whatever breaks it", () => {
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

test("request id and time come from the headers, of Resource Manager and of Graph", () => {
  const date = "Fri, 20 Nov 2026 12:00:00 GMT";
  expect(detailOf(answer(500, { headers: { "x-ms-request-id": "arm", "request-id": "other", date } }))).toMatchObject({
    requestId: "arm",
    at: "2026-11-20T12:00:00.000Z",
  });
  expect(detailOf(answer(500, { headers: { "request-id": "graph" } }))).toEqual({ status: 500, requestId: "graph" });
});

test("signed URLs in a message lose their signature", () => {
  const message = "To retrieve status use uri: https://management.azure.com/operations/o?api-version=1&t=2&s=signature.";
  expect(detailOf(answer(409, { code: "AnotherOperationInProgress", message })).message).toBe(
    "To retrieve status use uri: https://management.azure.com/operations/o",
  );
});

test("what an SDK throws has the code of its answer, and anything else none", () => {
  const response = answer(409, { code: "RoleAssignmentExists" });
  expect(azureCodeOf(new RestError("refused", { response, code: "other", statusCode: 409 }))).toBe("RoleAssignmentExists");
  expect(azureCodeOf(new RestError("lost", { code: "ECONNRESET" }))).toBeUndefined();
  expect(azureCodeOf("nothing")).toBeUndefined();
});
