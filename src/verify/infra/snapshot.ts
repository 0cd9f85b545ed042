/** What a verification of infrastructure is given: what is wanted, what is there, and what create infra would do about it. */
import type { Azure } from "../../azure/azure.js";
import type { Plan, PlannedDecision, PlannedStep } from "../../engine/plan.js";
import { resourceOf, type Change } from "../../engine/step.js";
import { advise, joinAdvice, type Advice, type OwnCommand } from "../../errors/advice.js";
import { adviceFor } from "../../errors/format.js";
import type { Failure } from "../../errors/failure.js";
import { infraNames, type InfraNames } from "../../domain/names.js";
import { parseResourceId } from "../../domain/resource-id.js";
import { resourceTypes, type ResourceType } from "../../domain/resource-types.js";
import type { InfraSpec } from "../../domain/spec.js";
import { broken, type Finding } from "../check.js";

export interface GivenInfra {
  readonly spec: InfraSpec;
  /** What `create infra` would do now; its decisions are the one source of what is right. */
  readonly plan: Plan;
  /** CIDRs of both families. */
  readonly podNetworks: readonly string[];
  readonly serviceNetworks: readonly string[];
  /** The `create infra` that makes what is wanted: what fixes most. */
  readonly create: OwnCommand;
}

export interface InfraSnapshot extends GivenInfra {
  readonly azure: Azure;
  readonly names: InfraNames;
  planned(step: string): PlannedStep | undefined;
  /** What was planned of the one resource of a type. */
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

/** The group of the public zone; undefined where the zone was not found. */
export function zoneGroupIn({ steps }: Plan): string | undefined {
  const zone = idOf(steps.find(({ step }) => resourceOf(step)?.type === resourceTypes.publicDnsZone.type));
  return zone === undefined || zone === "" ? undefined : parseResourceId(zone).resourceGroup;
}

/** The id that a step hands on; undefined where there is none to know. */
export function idOf(planned: PlannedStep | undefined): string | undefined {
  const value = planned?.output?.value;
  return typeof value === "object" && value !== null && "id" in value && typeof value.id === "string" ? value.id : undefined;
}

/** What a step read. The step whose declaration hides its type reads exactly that: `steps/network.ts` a VirtualNetwork for "vnet". */
export function liveOf<Live>({ live }: PlannedStep): Live {
  return live as Live;
}

/** A decision that is not to leave it alone, as a finding. */
export function fromDecision(decision: PlannedDecision, create: Advice): Finding<never> {
  switch (decision.act) {
    case "refuse":
      return fromFailure(decision.failure);
    case "update":
      return broken(changesText(decision.changes), advise`${create} fixes it`);
    case "create":
      return broken("it is not there", advise`${create} creates it`);
    case "keep":
    case "adopt":
    case "wait":
      return broken("it differs", create);
  }
}

export function fromFailure(failure: Failure): Finding<never> {
  const { message, because } = failure;
  return broken([message, because].filter(Boolean).join(": "), joinAdvice(adviceFor(failure), "; "));
}

/** "idleTimeoutInMinutes: 10, not 4". */
export function changesText(changes: readonly Change[]): string {
  return changes.map(({ path, from, to }) => `${path}: ${shown(from)}, not ${shown(to)}`).join("; ");
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return "nothing";
  return typeof value === "string" ? value : JSON.stringify(value);
}
