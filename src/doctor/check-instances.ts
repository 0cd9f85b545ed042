/** All check instances of the doctor. */
import type { Azure } from "../azure/azure.js";
import type { CheckInstance } from "../verify/check-instance.js";
import { accountCheckInstances } from "../preflight/account.js";
import { applicationNamesCheckInstance, directoryCheckInstance } from "../preflight/directory.js";
import { machineCheckInstances } from "../preflight/machine.js";
import { plannedCheckInstances } from "./planned.js";
import type { DoctorRequest } from "../preflight/request.js";
import { providerCheckInstances } from "../preflight/providers.js";
import { publicBlobsCheckInstance } from "./public-blobs.js";
import { quotaCheckInstances } from "./quotas.js";
import { rightsCheckInstances } from "../preflight/rights.js";
import { wantedResources } from "./wanted-resources.js";

/** In the order of the report. They only read, except with --register, which registers providers. */
export function doctorCheckInstances(azure: Azure, request: DoctorRequest): CheckInstance[] {
  const { instances: account, caller, account: subscription } = accountCheckInstances(azure, request.machine);
  const wanted = wantedResources(azure, request);
  const providers = providerCheckInstances(azure, request, wanted, subscription);
  return [
    ...machineCheckInstances(request.machine, subscription),
    ...account,
    ...providers.instances,
    ...quotaCheckInstances(azure, request, wanted, subscription, providers.location),
    ...rightsCheckInstances(azure, request, wanted, subscription, providers.providers),
    ...(request.parts.has("identities")
      ? [directoryCheckInstance(azure, caller), applicationNamesCheckInstance(azure, request.wanted.identities, subscription)]
      : []),
    ...plannedCheckInstances(azure, request, subscription, providers.providers),
    ...(request.parts.has("issuer") ? [publicBlobsCheckInstance(azure, request.wanted.issuer, subscription)] : []),
  ];
}
