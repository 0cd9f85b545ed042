/** The inputs of a verification of a public DNS zone: the wanted state, and the plan of its create. */
import type { Azure } from "../../azure/azure.js";
import type { DnsZoneSpec } from "../../domain/dns-zone.js";
import type { Plan } from "../../engine/plan.js";
import type { Step } from "../../engine/step.js";
import type { OwnCommand } from "../../errors/advice.js";
import type { DnsZoneGraph } from "../steps.js";
import { passed, type Finding } from "../../verify/check.js";
import { fromDecision } from "../../verify/from-plan.js";
import { decided, type PlannedResources } from "../../verify/planned-resources.js";
import { dnsZoneChecks } from "./checks.js";

/** The azure.json of a service principal. */
export interface GivenCredentials {
  readonly path: string;
  /** Undefined if the file does not exist. */
  readonly config:
    | {
        readonly tenantId: string;
        readonly subscriptionId: string;
        readonly resourceGroup: string;
        readonly aadClientId?: string | undefined;
        readonly aadClientSecret?: string | undefined;
      }
    | undefined;
}

export interface GivenDnsZone {
  readonly spec: DnsZoneSpec;
  readonly tenantId: string;
  readonly graph: DnsZoneGraph;
  /** The plan of that graph; its decisions define what is correct. */
  readonly plan: Plan;
  /** The create dns-zone that makes the wanted state; the advice for most failures. */
  readonly create: OwnCommand;
  /** Undefined without a service principal. */
  readonly credentials: GivenCredentials | undefined;
}

export interface DnsZoneSnapshot extends GivenDnsZone, PlannedResources {
  readonly spec: DnsZoneSpec;
  readonly azure: Azure;
}

export function dnsZoneSnapshot(azure: Azure, given: GivenDnsZone): DnsZoneSnapshot {
  return { ...given, azure, resourceChecks: dnsZoneChecks, planned: (id) => given.plan.steps.find(({ step }) => step.id === id) };
}

/** Passes if the create would change nothing; `kept` is then the evidence. */
export function checkPlanned(snapshot: DnsZoneSnapshot, step: Step<unknown>, kept: string): Finding<undefined> {
  const planned = decided(snapshot, step);
  if ("passed" in planned) return planned;
  const { decision } = planned;
  return decision.act === "keep" || decision.act === "use" ? passed(kept) : fromDecision(decision, snapshot.create);
}
