/** The documents of DNS zones: loaded where a schema or the reader of a file is needed. */
import { dnsZoneSchema, delegationSchema } from "./files/dns-zone-output.js";
import { readExternalDns } from "./files/external-dns.js";
import { text, texts } from "../files/results/parts.js";
import { resourcesResult, verificationResult } from "../files/results/reads.js";
import { applyResult, removalResult } from "../files/results/changes.js";

const ofNamed = { name: text };

export const results = {
  "create dns-zone": applyResult(ofNamed, { dnsZone: dnsZoneSchema, credentialsFile: text.optional() }),
  "show dns-zone": resourcesResult({ ...ofNamed, nameServers: texts, delegation: delegationSchema.nullable() }),
  "verify dns-zone": verificationResult,
  "destroy dns-zone": removalResult(ofNamed),
};

export const files = {
  "dns-zone": dnsZoneSchema,
};

export const readers = {
  externalDnsCredentials: readExternalDns,
};
