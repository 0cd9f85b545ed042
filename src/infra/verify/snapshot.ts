/** The inputs of a verification of infrastructure: the wanted state, and the plan of create infra with the live state. */
import type { Azure } from "../../azure/azure.js";
import type { Plan, PlannedStep } from "../../engine/plan.js";
import { resourceOf } from "../../engine/step.js";
import type { OwnCommand } from "../../errors/advice.js";
import { infraNames, type InfraNames } from "../../domain/names.js";
import { parseResourceId } from "../../domain/resource-id.js";
import { resourceTypes, type ResourceType } from "../../domain/resource-types.js";
import type { InfraSpec } from "../../domain/infra-spec.js";
import { idOf } from "../../verify/planned-step.js";
import type { PlannedResources } from "../../verify/planned-resources.js";
import { infraChecks } from "./checks.js";

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

export interface InfraSnapshot extends GivenInfra, PlannedResources {
  readonly spec: InfraSpec;
  readonly resourceChecks: typeof infraChecks;
  readonly azure: Azure;
  readonly names: InfraNames;
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
    resourceChecks: infraChecks,
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
