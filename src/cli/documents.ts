/** The documents of the program itself: loaded where a schema or the reader of a file is needed. */
import { readAzureCreds } from "../files/azure-creds.js";
import { eventSchema } from "../files/event-schema.js";
import { shownSettings, versions } from "../files/results/reads.js";
import { timingsSchema } from "../files/timings.js";

export const results = {
  "show settings": shownSettings,
  version: versions,
};

export const files = {
  events: eventSchema,
  timings: timingsSchema,
};

export const readers = {
  azureCreds: readAzureCreds,
};
