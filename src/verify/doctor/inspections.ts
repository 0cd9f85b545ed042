/** Everything that the doctor looks at, joined. */
import type { Azure } from "../../azure/azure.js";
import type { Inspection } from "../inspection.js";
import { accountInspections } from "./account.js";
import { applicationNamesInspection, directoryInspection } from "./directory.js";
import { machineInspections } from "./machine.js";
import { plannedInspections } from "./planned.js";
import type { Preflight } from "./preflight.js";
import { providerInspections } from "./providers.js";
import { publicBlobsInspection } from "./public-blobs.js";
import { quotaInspections } from "./quotas.js";
import { rightsInspections } from "./rights.js";

/** In the order they are told. Reads only, but for providers that are to be registered. */
export function doctorInspections(azure: Azure, preflight: Preflight): Inspection[] {
  const { inspections: account, runner, account: subscription } = accountInspections(azure, preflight.machine);
  const providers = providerInspections(azure, preflight, subscription);
  return [
    ...machineInspections(preflight.machine, subscription),
    ...account,
    ...providers.inspections,
    ...quotaInspections(azure, preflight, subscription),
    ...rightsInspections(azure, preflight, subscription, providers.providers),
    ...(preflight.parts.has("identities")
      ? [directoryInspection(azure, runner), applicationNamesInspection(azure, preflight.wanted.identities, subscription)]
      : []),
    ...plannedInspections(azure, preflight, subscription, providers.providers),
    ...(preflight.parts.has("issuer") ? [publicBlobsInspection(azure, preflight.wanted.issuer, subscription)] : []),
  ];
}
