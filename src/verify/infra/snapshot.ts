/** The inputs of a verification of infrastructure: the wanted state, and the plan of create infra with the live state. */
import type { Azure } from "../../azure/azure.js";
import type { Plan, PlannedDecision, PlannedStep } from "../../engine/plan.js";
import { resourceOf, type Change } from "../../engine/step.js";
import { advise, joinAdvice, type Advice, type OwnCommand } from "../../errors/advice.js";
import { adviceFor } from "../../errors/format.js";
import type { Failure } from "../../errors/failure.js";
import { infraNames, type InfraNames } from "../../domain/names.js";
import { parseResourceId } from "../../domain/resource-id.js";
import { resourceTypes, type ResourceType } from "../../domain/resource-types.js";
import type { InfraSpec } from "../../domain/infra-spec.js";
import { failed, type Finding } from "../check.js";

export interface GivenInfra {
  readonly spec: InfraSpec;
  /** The plan of `create infra`; its decisions define what is correct. */
  readonly plan: Plan;
  /** CIDRs of both families. */
  readonly podNetworks: readonly string[];
  readonly serviceNetworks: readonly string[];
  /** The `create infra` command that creates the wanted state; the advice for most failures. */
  readonly create: OwnCommand;
}

export interface InfraSnapshot extends GivenInfra {
  readonly azure: Azure;
  readonly names: InfraNames;
  planned(step: string): PlannedStep | undefined;
  /** The planned step of the only resource of a type. */
  plannedOf(row: Pick<ResourceType, "type">): PlannedStep | undefined;
}

export function infraSnapshot(azure: Azure, given: GivenInfra): InfraSnapshot {
  const { spec, plan } = given;
  const planned = (id: string) => plan.steps.find(({ step }) => step.id === id);
  const plannedOf = ({ type }: Pick<ResourceType, "type">) => plan.steps.find(({ step }) => resourceOf(step)?.type === type);
  return {
    ...given,
    azure,
    names: infraNames(spec.naming, { ...spec.cluster, baseDomain: spec.baseDomain }),
    planned,
    plannedOf,
  };
}

/** The resource group of the public zone; undefined if the zone was not found. */
export function zoneGroupIn({ steps }: Plan): string | undefined {
  const zone = idOf(steps.find(({ step }) => resourceOf(step)?.type === resourceTypes.publicDnsZone.type));
  return zone === undefined || zone === "" ? undefined : parseResourceId(zone).resourceGroup;
}

/** The resource ID in the step's output; undefined if there is none. */
export function idOf(planned: PlannedStep | undefined): string | undefined {
  const value = planned?.output?.value;
  return typeof value === "object" && value !== null && "id" in value && typeof value.id === "string" ? value.id : undefined;
}

/** The live resource that a step read. The caller knows its type: `steps/network.ts` reads a VirtualNetwork for "vnet". */
export function liveOf<Live>({ live }: PlannedStep): Live {
  return live as Live;
}

/** The finding for a decision to change the resource. */
export function fromDecision(decision: PlannedDecision, create: Advice): Finding<never> {
  switch (decision.act) {
    case "refuse":
      return fromFailure(decision.failure);
    case "update":
    case "remove":
      return failed(changesText(decision.changes), advise`${create} fixes it`);
    case "create":
      return failed("it does not exist", advise`${create} creates what is missing`);
    case "keep":
    case "adopt":
    case "wait":
      return failed("it differs", create);
  }
}

export function fromFailure(failure: Failure): Finding<never> {
  const { message, because } = failure;
  return failed([message, because].filter(Boolean).join(": "), joinAdvice(adviceFor(failure), "; "));
}

/** "idleTimeoutInMinutes: 10, not 4". */
export function changesText(changes: readonly Change[]): string {
  return changes.map(({ path, from, to }) => `${path}: ${shown(from)}, not ${shown(to)}`).join("; ");
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return "nothing";
  return typeof value === "string" ? value : JSON.stringify(value);
}
