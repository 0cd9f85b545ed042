/** Every check of a public DNS zone, in the order of the output. */
import { checkCatalogue, error, warning } from "../../verify/check.js";

export const dnsZoneChecks = checkCatalogue({
  // Each resource.
  "resource-exists": error("the resource exists"),
  "resource-at-rest": warning("no operation is in flight on the resource"),
  "resource-succeeded": error("its last operation did not fail"),
  "resource-owned": error("its tags show that the zone owns it, or create dns-zone uses it as it is"),
  "resource-location": error("it is in the location of the settings"),
  "resource-as-wanted": error("create dns-zone would neither change nor refuse it"),

  // The delegation.
  "zone-delegated": error("the parent zone delegates to the name servers of the zone"),
  "delegation-as-wanted": warning("create dns-zone would not change the NS records"),
  "hidden-records": warning("the delegation hides no records of the parent zone"),

  // A workload identity of ExternalDNS.
  "issuer-trusted": error("the identity trusts the tokens of ExternalDNS's service account"),
  "issuer-documents": error("the documents of the issuer can be read without signing in"),

  // A service principal of ExternalDNS.
  "application-exists": error("the application of ExternalDNS and its service principal exist"),
  "credentials-file": error("the azure.json is for this zone and this application"),
  "sign-in": error("Entra accepts the client secret in the azure.json"),
  "zone-readable": error("ExternalDNS can read the zone with its own token"),
  "client-secret-as-wanted": warning("create dns-zone would neither replace nor remove a client secret"),

  // Of both.
  "role-assigned": error("the identity of ExternalDNS has the role"),
  "deny-assignments": error("no deny assignment stops ExternalDNS from writing records"),
  "no-locks": warning("no management lock is on the zone and its identity, or above them"),
});
