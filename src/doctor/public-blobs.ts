/** Checks that no Azure policy denies the issuer's storage account or public access to its blobs. */
import { accountPolicies } from "../issuer/index.js";
import { advise, joinAdvice, shell } from "../errors/advice.js";
import { policyText, type AssignedPolicy } from "../azure/assigned-policies.js";
import type { Azure } from "../azure/azure.js";
import type { IssuerSpec } from "../domain/issuer.js";
import { failed, passed, notChecked, type Finding } from "../verify/check.js";
import { checkInstance, type CheckInstance } from "../verify/check-instance.js";
import type { Account } from "../preflight/account.js";
import { doctorChecks } from "../preflight/checks.js";

export function publicBlobsCheckInstance(azure: Azure, issuer: IssuerSpec | undefined, account: CheckInstance<Account>): CheckInstance {
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
