/** Selects members of a fleet: by name, or the share of one machine. */
import { createHash } from "node:crypto";
import { Failure } from "../errors/failure.js";
import { didYouMean } from "../text/did-you-mean.js";
import type { Fleet, Member } from "./fleet-file.js";

/** Counted from 1. */
export interface Shard {
  readonly index: number;
  readonly total: number;
}

/** Undefined if it is not one. */
export function parseShard(text: string): Shard | undefined {
  const [, index = "", total = ""] = /^([1-9]\d{0,5})\/([1-9]\d{0,5})$/.exec(text) ?? [];
  return index === "" || Number(index) > Number(total) ? undefined : { index: Number(index), total: Number(total) };
}

/**
 * `names`: as typed. A shard has clusters alone: what they share is created before the shards begin, by name.
 * @throws ARO-USAGE-001
 */
export function selected({ path, members }: Fleet, names: string, shard: string | undefined): readonly Member[] {
  const wanted = names.split(/[\s,]+/).filter((name) => name !== "");
  const known = members.map(({ name }) => name);
  const unknown = wanted.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Failure("ARO-USAGE-001", `${path} has no member "${unknown}"${didYouMean(unknown, known)}`);
  const named = members.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
  const share = shard === undefined ? undefined : parseShard(shard);
  if (share === undefined) return named;
  const shared = named.find(({ kind }) => kind !== "clusters");
  if (shared !== undefined && wanted.length > 0)
    throw new Failure("ARO-USAGE-001", `--shard is about clusters, and ${shared.name} is none: run it without --shard, before the shards`);
  return named.filter(({ kind, name }) => kind === "clusters" && placeOf(name, share.total) === share.index - 1);
}

/** From 0. It depends on the name alone: another line in the file moves no other cluster. */
export function placeOf(name: string, total: number): number {
  return createHash("sha256").update(name).digest().readUInt32BE(0) % total;
}
