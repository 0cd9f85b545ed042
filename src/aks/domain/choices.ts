/** The agent pools and IP tags that the options of an AKS cluster choose with its preset and environment. */
import { kindFacts, type ClusterKind } from "../../domain/cluster-kind.js";
import type { Preset } from "./cluster-spec.js";
import { addressTags, unknownRow, type Environment } from "./environments.js";
import { readIpTags, type IpTag } from "../../domain/ip-tags.js";
import { poolRoles, readPool, type PoolOption, type PoolRole } from "./pool-option.js";
import { agentPools, poolNameProblems, type AgentPoolSpec } from "./pools.js";
import { presetFacts } from "./presets.js";

/** A problem of an option, as a sentence. */
export interface ChoiceProblem<Key extends string> {
  readonly key: Key;
  readonly message: string;
}

const poolKeys = { system: "systemPool", user: "userPool", infra: "infraPool" } as const satisfies Record<PoolRole, string>;
type PoolKey = (typeof poolKeys)[PoolRole];

export interface PoolChoice extends Readonly<Partial<Record<PoolKey, readonly string[] | undefined>>> {
  readonly preset: Preset;
}

interface ChosenPools {
  readonly pools: readonly AgentPoolSpec[];
  readonly problems: ChoiceProblem<PoolKey>[];
}

/** System pools first. A role without an option has the preset's pool, or none. */
export function chosenPools(kind: ClusterKind, choice: PoolChoice): ChosenPools {
  const facts = presetFacts[choice.preset];
  const problems: ChoiceProblem<PoolKey>[] = [];
  const pools = poolRoles.flatMap((role) => {
    const key = poolKeys[role];
    const texts = choice[key] ?? [];
    const read = texts.map((text) => readPool(text, role));
    problems.push(...read.flatMap((one) => (typeof one === "string" ? [{ key, message: one }] : [])));
    const given = read.filter((one): one is PoolOption => typeof one !== "string");
    const isForControlPlanes = role === "user" && kind === "management-cluster";
    const size = (isForControlPlanes ? facts.controlPlaneSize : undefined) ?? facts.pools[role].size;
    const wanted = texts.length === 0 && facts.roles.includes(role) ? [{}] : given;
    return wanted.flatMap((option) => agentPools(option, role, { ...facts.pools[role], size }));
  });
  const named = poolNameProblems(pools).map(({ pool, message }) => ({ key: poolKeys[pool.role], message }));
  return { pools, problems: [...problems, ...named] };
}

export interface TagChoice {
  readonly environment: Environment;
  readonly egressIpTags?: string | undefined;
  readonly ingressIpTags?: string | undefined;
  /** Whether the cluster has an address of its own for it, which is created. */
  readonly hasEgress: boolean;
  readonly hasIngress: boolean;
}

type TagKey = "environment" | "egressIpTags" | "ingressIpTags";

export interface ChosenTags {
  readonly egress: readonly IpTag[];
  readonly ingress: readonly IpTag[];
  readonly problems: readonly ChoiceProblem<TagKey>[];
}

/** The tags of the options, otherwise those of the environment's row. A row that the table lacks is a problem only if it is needed. */
export function chosenTags(kind: ClusterKind, choice: TagChoice): ChosenTags {
  const { environment, egressIpTags, ingressIpTags, hasEgress, hasIngress } = choice;
  const row = addressTags(environment, kind);
  const problems: ChoiceProblem<TagKey>[] = [];
  const read = (key: "egressIpTags" | "ingressIpTags", text: string | undefined) => {
    const tags = text === undefined ? undefined : readIpTags(text);
    if (typeof tags === "string") problems.push({ key, message: tags });
    return typeof tags === "string" ? [] : tags;
  };
  const egress = read("egressIpTags", egressIpTags);
  const ingress = read("ingressIpTags", ingressIpTags);
  const lacksRow = row === undefined && ((hasEgress && egress === undefined) || (hasIngress && ingress === undefined));
  if (lacksRow) problems.push({ key: "environment", message: unknownRow(environment, kind) });
  const isUnlisted = row?.ingress === "assigned" && environment !== "none";
  if (hasIngress && ingress === undefined && isUnlisted) {
    const what = `the table of "${environment}" has no tag for the ingress address of a ${kindFacts[kind].label}`;
    problems.push({ key: "environment", message: `${what}: pass --ingress-ip-tags, or omit --ingress-address` });
  }
  const listed = row?.ingress === "assigned" ? [] : (row?.ingress ?? []);
  return { egress: hasEgress ? (egress ?? row?.egress ?? []) : [], ingress: hasIngress ? (ingress ?? listed) : [], problems };
}
