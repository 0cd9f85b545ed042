/** Reads the values for a HostedCluster from an output file of create infra, with the line of each value. */
import { z } from "zod";
import { identityMembers } from "./infra-identities.js";
import { infraInputSchema, requireKnownVersion } from "./infra-output.js";
import { readDocument, type ReadDocument } from "./read.js";
import { validate } from "./validate.js";

/** hypershift writes "" for unknown values. */
const optionalText = z
  .string()
  .transform((text) => (text === "" ? undefined : text))
  .optional();

const inputSchema = infraInputSchema.extend({
  cloud: optionalText,
  tenantID: optionalText,
  baseDomain: optionalText,
  region: optionalText,
  resourceGroupName: optionalText,
  bootImageID: optionalText,
  ...identityMembers,
});

export type HostedClusterInput = Readonly<z.output<typeof inputSchema>>;

/** @throws ARO-FILE-001, 002 or 003 */
export async function readHostedClusterInput(path: string): Promise<{ input: HostedClusterInput; at: ReadDocument["at"] }> {
  const document = await readDocument(path);
  const input = validate(document, inputSchema, "an output file of create infra");
  requireKnownVersion(document, input);
  return { input, at: document.at };
}
