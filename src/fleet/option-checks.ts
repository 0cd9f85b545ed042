/** The check of the settings of a fleet. */
import type { Check } from "../settings/option-check.js";
import { parseShard } from "./selection.js";

const checkShard: Check = ({ values, problem }) => {
  const { shard } = values;
  if (shard !== undefined && parseShard(shard) === undefined) problem("shard", `"${shard}" is not a shard such as 3/10, counted from 1`);
};

export const checks: readonly Check[] = [checkShard];
