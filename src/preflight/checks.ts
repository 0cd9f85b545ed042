/** Every check of the prerequisites of a create, from this machine to Azure Policy. */
import { checkCatalogue, error, warning } from "../verify/check.js";

export const doctorChecks = checkCatalogue({
  // This machine.
  "node-version": error("the Node.js version is one that aro-hcp supports"),
  clock: error("the clock is within 5 minutes of Azure's; otherwise certificate sign-in fails"),
  "clock-drift": warning("the clock is within 1 minute of Azure's"),

  // The account.
  "sign-in": error("Microsoft Entra ID issues a token for Resource Manager, and the token names the signed-in principal"),
  subscription: error("the subscription exists, belongs to the signed-in tenant, and can be written to"),
  payment: warning("no payment is due that would disable the subscription"),
  providers: warning("the subscription is registered for the resource providers that a create needs"),
  quotas: error("the limits of the subscription and the region leave room for the resources that a create adds"),
  location: error("the location exists and offers every resource type that a create needs there"),

  // Permissions.
  rights: error("the signed-in principal has every permission that a create needs"),
  "deny-assignments": error("no deny assignment blocks these permissions"),
  locks: error("no lock makes a resource group or the subscription read-only"),
  applications: error("the signed-in principal can register applications in the directory"),

  // Names and zones, which the plan of a create checks too.
  "application-names": warning("no deleted application has a name of the set; a create would restore it with its old certificates"),
  "vault-name": error("the Key Vault exists, can be recovered, or its name is available"),
  "account-name": error("the issuer's storage account exists, or its name is available"),
  "public-blobs": error("no Azure policy denies the issuer's storage account or public access to its blobs"),
  "managed-group": error("the existing resource group that replaces the managed group exists and is in the location"),
  plan: error("create would refuse nothing else, and can read everything that it plans with"),
  zone: error("exactly one public DNS zone of the base domain exists"),
  "zone-delegated": error("the parent zone delegates to the zone of the base domain"),
});
