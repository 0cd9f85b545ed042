import { expect, test } from "vitest";
import { Failure } from "../../src/errors/failure.js";
import { failureJson, failureLines } from "../../src/errors/format.js";
import { plainAdvice } from "../harness/plain-advice.js";

const refused = new Failure("ARO-AUTHZ-002", 'role assignment for identity "ingress" was rejected', {
  because: "the signed-in principal may not write role assignments on /subscriptions/s/resourceGroups/dns",
  next: ["ask an owner"],
  azure: { status: 403, code: "AuthorizationFailed", message: "The client ...", requestId: "6f1c", at: "2026-01-31T12:04:31.000Z" },
});

test("a failure is told in lines: what, why, what next, where the run stands, what Azure said", () => {
  expect(failureLines(refused, plainAdvice, "9 of 14 steps; rerun the command to continue")).toEqual([
    { label: "error", text: 'role assignment for identity "ingress" was rejected' },
    { label: "because", text: "the signed-in principal may not write role assignments on /subscriptions/s/resourceGroups/dns" },
    { label: "next", text: "ask an owner" },
    { label: "done", text: "9 of 14 steps; rerun the command to continue" },
    { label: "azure", text: "403 AuthorizationFailed, request 6f1c, 2026-01-31T12:04:31.000Z" },
  ]);
});

test("a failure without advice of its own gives the catalogue's", () => {
  expect(failureLines(new Failure("ARO-RUN-003", "a confirmation is needed"), plainAdvice).filter(({ label }) => label === "next")).toEqual(
    [{ label: "next", text: "pass --yes to confirm without a terminal" }],
  );
});

test("several problems stand under one another with their origins in a column", () => {
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
    title: "the signed-in principal may not write role assignments",
    message: 'role assignment for identity "ingress" was rejected',
    exit: 5,
    because: "the signed-in principal may not write role assignments on /subscriptions/s/resourceGroups/dns",
    next: ["ask an owner"],
    done: "9 of 14 steps",
    azure: refused.azure,
  });
});

test("an Azure answer without status or code shows what there is", () => {
  const failure = new Failure("ARO-NET-001", "cannot reach management.azure.com", { azure: { code: "ENOTFOUND" } });
  expect(failureLines(failure, plainAdvice).at(-1)).toEqual({ label: "azure", text: "ENOTFOUND" });
  expect(failureLines(new Failure("ARO-NET-001", "x", { azure: {} }), plainAdvice).some(({ label }) => label === "azure")).toBe(false);
});
