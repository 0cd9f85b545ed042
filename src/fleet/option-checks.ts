/** The checks of the settings of a fleet. */
import type { Check } from "../settings/option-check.js";
import { parseShard } from "./selection.js";

const checkShard: Check = ({ values, problem }) => {
  const { shard } = values;
  if (shard !== undefined && parseShard(shard) === undefined) problem("shard", `"${shard}" is not a shard such as 3/10, counted from 1`);
};

/** GitHub has at most 256 jobs in a matrix, GitLab 200. */
const checkShards: Check = ({ values: { shards, engine }, problem }) => {
  const most = engine === "gitlab" ? 200 : 256;
  if (shards !== undefined && (shards < 1 || shards > most)) problem("shards", `${shards} is not between 1 and ${most}`);
};

const checkPrincipals: Check = ({ values: { azureCreds, principalsFile }, problem }) => {
  if (azureCreds !== undefined && principalsFile !== undefined) problem("principalsFile", "cannot be combined with --azure-creds");
};

export const checks: readonly Check[] = [checkShard, checkShards, checkPrincipals];
