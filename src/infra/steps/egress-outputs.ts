/** What the lookups of existing resources for the egress of a cluster return. */
export interface PrefixOutput {
  readonly id: string;
  /** How many public IP addresses it has. */
  readonly addresses: number;
}

export interface RouteTableOutput {
  readonly id: string;
}
