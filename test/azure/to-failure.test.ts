/** SDK errors become failures that explain them, without a request, a response or a secret. */
import { RestError } from "@azure/core-rest-pipeline";
import { inspect } from "node:util";
import { expect, test } from "vitest";
import { OperationError } from "../../src/azure/operation-error.js";
import { toFailure } from "../../src/azure/to-failure.js";
import { Failure } from "../../src/errors/failure.js";
import { Stale } from "../../src/errors/stale.js";
import { failuresText } from "../../src/render/failure-text.js";
import { fakeScreen } from "../render/fakes.js";
import { answer, requestOf } from "./answers.js";
import { plainAdvice } from "../harness/plain-advice.js";

const named = (name: string, message: string) => Object.assign(new Error(message), { name });
const refused = (status: number, parts: Parameters<typeof answer>[1]) =>
  new RestError("refused", { statusCode: status, response: answer(status, parts), request: requestOf("PUT") });

test.each([
  ["a response, by its code", refused(409, { code: "ScopeLocked", message: "locked" }), "ARO-SUB-004", "locked"],
  ["a response without a code, by its status", refused(502, { body: "<html>" }), "ARO-AZURE-002", "Azure gave no reason"],
  ["a lost connection", new RestError("socket hang up", { code: "ECONNRESET" }), "ARO-NET-001", "socket hang up"],
  ["a certificate of tomorrow", new RestError("not yet valid", { code: "CERT_NOT_YET_VALID" }), "ARO-NET-007", "not yet valid"],
  ["an untrusted certificate", new RestError("self-signed", { code: "SELF_SIGNED_CERT_IN_CHAIN" }), "ARO-NET-002", "self-signed"],
  ["a failed operation", new OperationError({ code: "QuotaExceeded", message: "full" }, requestOf("PUT"), {}), "ARO-SUB-002", "full"],
  [
    "a rejected sign-in",
    named("AuthenticationRequiredError", "invalid_client: AADSTS7000222: expired\r\nTrace"),
    "ARO-AUTH-002",
    "invalid_client: AADSTS7000222: expired",
  ],
  [
    "no credentials at all",
    named("AggregateAuthenticationError", "ChainedTokenCredential authentication failed."),
    "ARO-AUTH-001",
    "no credentials found: none in the environment, no managed identity, and no sign-in of the Azure CLI",
  ],
  ["no way to sign in", named("CredentialUnavailableError", "please run az login"), "ARO-AUTH-001", "please run az login"],
] as const)("%s", (_title, error, code, because) => {
  expect(toFailure(error, "VNet a")).toMatchObject({ code, because });
});

test("a failure is returned unchanged, and an unknown error is a bug of this program", () => {
  const failure = new Failure("ARO-DNS-001", "none");
  expect(toFailure(failure, "x")).toBe(failure);
  expect(toFailure(new TypeError("x is undefined"), "VNet a")).toMatchObject({ code: "ARO-BUG-001", message: "VNet a: x is undefined" });
  expect(toFailure({ secret: "topsecret" }, "VNet a")).toMatchObject({
    code: "ARO-BUG-001",
    message: "VNet a: threw a value of type object",
  });
});

test.each([
  ["3600", "wait 60 minutes, as Azure requests"],
  ["90", "wait 90 seconds, as Azure requests"],
])("after a Retry-After of %s s the advice is when to retry", (seconds, advice) => {
  const failure = toFailure(refused(429, { headers: { "retry-after": seconds } }), "VNet a");
  expect(plainAdvice(failure.next?.[0] ?? "")).toContain(advice);
});

test.each([
  ["certificates/a/create", '"Key Vault Certificates Officer" on the vault'],
  ["deletedcertificates/a", '"Key Vault Certificates Officer" on the vault'],
  ["secrets/a", '"Key Vault Secrets Officer" on the vault'],
  ["keys/a/rotate", '"Key Vault Crypto Officer" on the vault'],
])("a vault that denies access to %s needs one role", (path, role) => {
  const response = answer(403, { code: "ForbiddenByRbac", message: "Caller is not authorized" });
  const request = requestOf("POST", `https://kv-demo.vault.azure.net/${path}?api-version=7.6`);
  const failure = toFailure(new RestError("refused", { statusCode: 403, response, request }), "certificate a");
  expect(failure.code).toBe("ARO-AUTHZ-005");
  expect(plainAdvice(failure.next?.at(-1) ?? "")).toBe(`if it persists, ask an owner for ${role}`);
});

test("the quota of the directory is not one of a location", () => {
  const { code, next = [] } = toFailure(refused(403, { code: "Directory_QuotaExceeded" }), "application a");
  expect(code).toBe("ARO-SUB-002");
  expect(next.map(plainAdvice)).toEqual([expect.stringContaining("purge deleted ones")]);
});

test("without Retry-After the advice comes from the catalog", () => {
  expect(toFailure(refused(429, { code: "TooManyRequests" }), "VNet a").next).toBeUndefined();
});

test("neither the failure nor its stack, causes or inspection contain secrets of the request or the response", () => {
  const request = requestOf("POST", "https://login.microsoftonline.com/t/oauth2/v2.0/token?sig=topsecret");
  request.headers.set("Authorization", "Bearer topsecret.token.value");
  request.body = "client_secret=topsecret";
  const response = { ...answer(400, { body: '{"access_token":"topsecret"}' }), request };
  const jwt = `eyJhbGciOiJub25lIn0.${"topsecret".repeat(3)}.topsecret`;
  const cause = new Error(`posted client_secret=topsecret and AccountKey=topsecret== with ${jwt} to https://h/p?sig=topsecret`);
  const error = Object.assign(new RestError("Bearer topsecret-token refused", { request, response, statusCode: 400 }), { cause });
  const failure = toFailure(error, "sign-in");
  const shown = failuresText(fakeScreen().screen, [failure], { renderAdvice: plainAdvice, debug: true });
  expect(shown).toContain("caused by");
  expect(shown + inspect(failure, { depth: 9 }) + JSON.stringify(failure)).not.toContain("topsecret");
});

test("a step that gave up shows what Azure responded to its last attempt", () => {
  const azure = { status: 200, code: "Canceled", requestId: "6f" };
  const operation = new OperationError(azure, requestOf("PUT", "https://management.azure.com/"), {});
  const gaveUp = (cause: unknown) =>
    new Failure("ARO-OWN-005", "none of 5 attempts succeeded", { cause: new Stale("it was canceled", { cause }) });
  expect(toFailure(gaveUp(operation))).toMatchObject({ code: "ARO-OWN-005", azure });
  expect(toFailure(gaveUp(new Error("other"))).azure).toBeUndefined();
});
