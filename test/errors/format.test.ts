import { expect, test } from "vitest";
import { Failure } from "../../src/errors/failure.js";
import { failureJson, failureLines } from "../../src/errors/format.js";
import { plainAdvice } from "../harness/plain-advice.js";

const refused = new Failure("ARO-AUTHZ-002", 'role assignment for identity "ingress" was rejected', {
  because: "the signed-in principal has no permission to write role assignments on /subscriptions/s/resourceGroups/zones",
  next: ["ask an owner"],
  azure: { status: 403, code: "AuthorizationFailed", message: "The client ...", requestId: "6f1c", at: "2026-01-31T12:04:31.000Z" },
});

test("a failure is printed as lines: message, reason, advice, progress, Azure's details", () => {
  expect(failureLines(refused, plainAdvice, "9 of 14 steps; the same command continues with the other 5")).toEqual([
    { label: "error", text: 'role assignment for identity "ingress" was rejected' },
    {
      label: "because",
      text: "the signed-in principal has no permission to write role assignments on /subscriptions/s/resourceGroups/zones",
    },
    { label: "next", text: "ask an owner" },
    { label: "done", text: "9 of 14 steps; the same command continues with the other 5" },
    { label: "azure", text: "403 AuthorizationFailed, request 6f1c, 2026-01-31T12:04:31.000Z" },
    { label: "more", text: "aro-hcp help ARO-AUTHZ-002" },
  ]);
});

test("a failure without its own advice prints the catalogue's", () => {
  expect(failureLines(new Failure("ARO-RUN-003", "a confirmation is needed"), plainAdvice).filter(({ label }) => label === "next")).toEqual(
    [{ label: "next", text: "run it on a terminal, or pass --yes to confirm without one" }],
  );
});

test("several problems are listed with their origins in a column", () => {
  const problems = [
    { origin: "--name", message: "is required" },
    { origin: "cluster.yaml:3", message: '"x" is not a setting' },
  ];
  expect(
    failureLines(new Failure("ARO-USAGE-001", "2 settings cannot be used", { problems }), plainAdvice)
      .map(({ text }) => text)
      .slice(0, 3),
  ).toEqual(["2 settings cannot be used", "--name          is required", 'cluster.yaml:3  "x" is not a setting']);
});

test("the object for machines has the same fields and the exit code", () => {
  expect(failureJson(refused, plainAdvice, "9 of 14 steps")).toEqual({
    code: "ARO-AUTHZ-002",
    title: "the signed-in principal has no permission to write role assignments",
    message: 'role assignment for identity "ingress" was rejected',
    exit: 5,
    because: "the signed-in principal has no permission to write role assignments on /subscriptions/s/resourceGroups/zones",
    next: ["ask an owner"],
    done: "9 of 14 steps",
    azure: refused.azure,
  });
});

test("Azure's details are printed without the missing status or code", () => {
  const failure = new Failure("ARO-NET-001", "cannot reach management.azure.com", { azure: { code: "ENOTFOUND" } });
  expect(failureLines(failure, plainAdvice).at(-2)).toEqual({ label: "azure", text: "ENOTFOUND" });
  expect(failureLines(new Failure("ARO-NET-001", "x", { azure: {} }), plainAdvice).some(({ label }) => label === "azure")).toBe(false);
});
