/** IP tags of public addresses: `FirstPartyUsage:/NonProd,RoutingPreference:Internet`. */
export interface IpTag {
  readonly type: string;
  readonly tag: string;
}
