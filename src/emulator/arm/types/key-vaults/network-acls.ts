/** The network rules of a vault, as sent and as stored. */
import { z } from "zod";
import { known, oneOf } from "../body-schema.js";

const subnetRule = known({ id: z.string(), ignoreMissingVnetServiceEndpoint: z.boolean().optional() });

/** Undefined if the rules admit everybody, as the default does: Azure answers none then. It answers the IDs of subnets in lower case. */
export const networkAcls = known({
  bypass: oneOf("AzureServices", "None").default("AzureServices"),
  defaultAction: oneOf("Allow", "Deny").default("Allow"),
  ipRules: z.array(known({ value: z.string() })).default([]),
  virtualNetworkRules: z.array(subnetRule).default([]),
}).transform(({ ipRules, virtualNetworkRules, ...rest }) => {
  const admitsAll = rest.defaultAction === "Allow" && rest.bypass === "AzureServices" && ipRules.length + virtualNetworkRules.length === 0;
  if (admitsAll) return undefined;
  return {
    ...rest,
    ipRules: ipRules.map(({ value }) => ({ value: value.includes("/") ? value : `${value}/32` })),
    virtualNetworkRules: virtualNetworkRules.map(({ id }) => ({ id: id.toLowerCase() })),
  };
});
