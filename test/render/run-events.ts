/** The events of a run in which each kind of event occurs. */
import type { EngineEvent } from "../../src/engine/events.js";
import { Failure } from "../../src/errors/failure.js";

export const loadBalancerFailure = new Failure("ARO-AZURE-001", "the load balancer was not created", {
  because: "Azure refused it",
  next: ["request more quota", "rerun the command"],
  azure: { status: 409, code: "QuotaExceeded", message: "Too many.", requestId: "6f1c", at: "2026-11-20T12:04:31Z" },
  cause: new Error("secret-in-the-cause"),
});

/** An event, or the number of milliseconds until the next one. */
export const runEvents: readonly (EngineEvent | number)[] = [
  { type: "run.started", command: "create infra", subject: "demo-x7k2", infraId: "demo-x7k2", steps: 6 },
  { type: "step.started", step: "group", title: "resource group demo", act: "create", needs: [] },
  { type: "step.started", step: "nsg", title: "network security group demo-nsg", act: "use", needs: [] },
  { type: "step.done", step: "nsg", title: "network security group demo-nsg", act: "use", elapsedMs: 0, id: "/nsg" },
  1200,
  { type: "step.done", step: "group", title: "resource group demo", act: "create", elapsedMs: 1200, id: "/group" },
  { type: "step.started", step: "vnet", title: "virtual network demo-x7k2", act: "update", needs: ["group"] },
  { type: "step.started", step: "lb", title: "load balancer demo-x7k2", act: "create", needs: ["group"] },
  { type: "step.note", step: "vnet", text: "waiting for Azure: Updating", reason: "waiting for Azure: Updating", elapsedMs: 900 },
  900,
  { type: "step.note", step: "vnet", text: "waiting for Azure: Updating", reason: "waiting for Azure: Updating", elapsedMs: 1800 },
  35_000,
  { type: "step.failed", step: "lb", title: "load balancer demo-x7k2", elapsedMs: 35_900, failure: loadBalancerFailure },
  { type: "step.skipped", step: "rule", title: "outbound rule demo-x7k2", because: ["lb"] },
  4100,
  { type: "step.done", step: "vnet", title: "virtual network demo-x7k2", act: "update", elapsedMs: 40_000, id: "/vnet" },
  {
    type: "run.finished",
    ok: false,
    elapsedMs: 41_200,
    counts: { created: 1, updated: 1, kept: 0, used: 1, removed: 0, failed: 1, skipped: 1 },
    criticalPath: ["group", "vnet"],
  },
];
