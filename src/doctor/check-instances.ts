/** All check instances of the doctor. */
import type { Azure } from "../azure/azure.js";
import { type CheckInstance, checkInstance } from "../verify/check-instance.js";
import { accountCheckInstances, type Account } from "../preflight/account.js";
import { applicationNamesCheckInstance, directoryCheckInstance } from "../preflight/directory-checks.js";
import { machineCheckInstances } from "../preflight/machine.js";
import { plannedCheckInstances } from "./planned.js";
import type { DoctorRequest } from "../preflight/request.js";
import { providerCheckInstances } from "../preflight/providers.js";
import { quotaCheckInstances } from "./quotas.js";
import { rightsCheckInstances } from "../preflight/rights.js";
import { wantedResources } from "./wanted-resources.js";
import { accountPolicies } from "../issuer/index.js";
import { advise, joinAdvice, shell } from "../errors/advice.js";
import { policyText, type AssignedPolicy } from "../azure/assigned-policies.js";
import type { IssuerSpec } from "../domain/issuer.js";
import { failed, passed, notChecked, type Finding } from "../verify/check.js";
import { doctorChecks } from "../preflight/checks.js";

/** The instances, in the order of the report. They only read, except with --register, which registers providers. */
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

/** Checks that no Azure policy denies the issuer's storage account or public access to its blobs. */
function publicBlobsCheckInstance(azure: Azure, issuer: IssuerSpec | undefined, account: CheckInstance<Account>): CheckInstance {
  return checkInstance(doctorChecks["public-blobs"], issuer?.account ?? "storage account", { account }, async () => {
    if (issuer === undefined) return notChecked("--name is not specified");
    const policies = await accountPolicies(azure, issuer);
    return policies === undefined
      ? notChecked("policies cannot be checked; this needs Reader, and Microsoft.PolicyInsights registered in the subscription")
      : checkPolicies(policies);
  });
}

function checkPolicies(policies: readonly AssignedPolicy[]): Finding<undefined> {
  if (policies.length === 0) return passed("Azure's check reports none; it may omit policies of management groups");
  const exempt = policies.map(
    ({ assignment }) =>
      shell`az policy exemption create --name aro-hcp-issuer --exemption-category Waiver --policy-assignment ${assignment}`,
  );
  return failed(
    policies.map(policyText).join("; "),
    advise`ask its owner for an exemption: ${joinAdvice(exempt, " and ")}, with --resource-group to limit it to the issuer's group; or publish the two documents at another HTTPS address, and pass that as --oidc-issuer-url`,
  );
}
