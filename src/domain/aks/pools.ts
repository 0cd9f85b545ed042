/** The agent pools of an AKS cluster: `--user-pool size=Standard_D8s_v5,min=1,max=3,zones=1/2/3`. */
export type PoolRole = "system" | "user" | "infra";

/** One agent pool of AKS: a pool option with zones makes one for each zone. */
export interface AgentPoolSpec {
  /** 1 to 12 lowercase letters and digits; letters first. */
  readonly name: string;
  readonly role: PoolRole;
  readonly vmSize: string;
  readonly minCount: number;
  readonly maxCount: number;
  /** Undefined: the count is fixed at `minCount`. */
  readonly isAutoscaled: boolean;
  readonly zones: readonly string[];
  readonly osDiskGiB: number | undefined;
  readonly maxPods: number;
}
