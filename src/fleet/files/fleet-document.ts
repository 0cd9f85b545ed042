/** The form of a fleet file. Which keys its members may have, the table of options says. */
import { z } from "zod";
import { readDocument, type ReadDocument } from "../../files/read.js";
import { validate } from "../../files/validate.js";

const member = z.looseObject({
  // It is the name of a directory too.
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]*$/, "must begin with a letter or digit, and have only letters, digits, _ and -"),
});

const fleetSchema = z.strictObject({
  $schema: z.string().optional(),
  common: z.record(z.string(), z.unknown()).optional(),
  sets: z.array(member).optional(),
  managementClusters: z.array(member).optional(),
  clusters: z.array(member).optional(),
});

export type FleetDocument = z.output<typeof fleetSchema>;

/** Fleets of thousands of clusters have a few hundred kB. */
const maxBytes = 16 * 1024 * 1024;

/** @throws ARO-FILE-001, 002 or 003 */
export async function readFleetDocument(path: string): Promise<{ readonly document: ReadDocument; readonly content: FleetDocument }> {
  const document = await readDocument(path, maxBytes);
  return { document, content: validate(document, fleetSchema, "a fleet file") };
}
