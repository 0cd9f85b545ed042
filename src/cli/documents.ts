/** The documents of the program itself: loaded where a schema or the reader of a file is needed. */
import { readAzureCreds } from "../files/azure-creds.js";
import { eventSchema } from "../files/event-schema.js";
import { shownSettings, versions } from "../files/results/reads.js";
import { timingsSchema } from "../files/timings.js";

/** What each command prints with `--output json`. One that fails before it has a result prints only its failures. */
export const results = {
  "show settings": shownSettings,
  version: versions,
};

/** The files that commands write for others to read, by the name of their schema. */
export const files = {
  events: eventSchema,
  timings: timingsSchema,
};

/** How a file is read that an option names. */
export const readers = {
  azureCreds: readAzureCreds,
};
