/** The check of Azure Policy: whether one would refuse the issuer's storage account, or close the blobs that everybody is to read. */
import { advise, joinAdvice, shell } from "../../errors/advice.js";
import type { Azure } from "../../azure/azure.js";
import type { IssuerSpec } from "../../domain/issuer.js";
import { policyText, type AccountPolicy } from "../../steps/account-policies.js";
import { accountPolicies } from "../../steps/storage-account.js";
import { broken, holds, notChecked, type Finding } from "../check.js";
import { checkInstance, type CheckInstance } from "../check-instance.js";
import type { Account } from "./account.js";
import { doctorChecks } from "./checks.js";

export function publicBlobsCheckInstance(azure: Azure, issuer: IssuerSpec | undefined, account: CheckInstance<Account>): CheckInstance {
  return checkInstance(doctorChecks["public-blobs"], issuer?.account ?? "storage account", { account }, async () => {
    if (issuer === undefined) return notChecked("--name is not given");
    const policies = await accountPolicies(azure, issuer);
    return policies === undefined
      ? notChecked("policies may not be asked for: Reader admits it, where Microsoft.PolicyInsights is registered with the subscription")
      : checkPolicies(policies);
  });
}

function checkPolicies(policies: readonly AccountPolicy[]): Finding<undefined> {
  if (policies.length === 0) return holds("Azure's check names none; it may not know those of management groups");
  const exempt = policies.map(
    ({ assignment }) =>
      shell`az policy exemption create --name aro-hcp-issuer --exemption-category Waiver --policy-assignment ${assignment}`,
  );
  return broken(
    policies.map(policyText).join("; "),
    advise`ask its owner for an exemption: ${joinAdvice(exempt, " and ")}, with --resource-group for the issuer's group alone; or publish the two documents at another HTTPS address, and pass that as --oidc-issuer-url`,
  );
}
