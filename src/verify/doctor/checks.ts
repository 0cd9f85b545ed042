/** Every check of what a create needs, from this machine to Azure's rules. */
import { checkCatalogue, type Words } from "../catalogue.js";

const error = (sentence: string): Words => ({ sentence, severity: "error" });
const warning = (sentence: string): Words => ({ sentence, severity: "warning" });

export const doctorChecks = checkCatalogue({
  // This machine.
  "node-version": error("Node is one that aro-hcp runs on"),
  clock: error("the clock is less than five minutes off Azure's: what is signed with a certificate is refused else"),
  "clock-drift": warning("the clock is less than a minute off Azure's"),

  // The account.
  "sign-in": error("Entra gives a token for Resource Manager, and the token says who is signed in"),
  subscription: error("the subscription is there, is of the tenant that is signed in to, and may be written to"),
  payment: warning("no payment is due for which the subscription would be disabled"),
  providers: warning("the subscription is registered for the resource providers of all that is made"),
  quotas: error("what is made still fits into the limits of the subscription and the region"),
  location: error("the location exists, and offers every type that is made there"),

  // Rights.
  rights: error("whoever is signed in may do all that a create does there"),
  "deny-assignments": error("no deny assignment stands against it"),
  locks: error("no lock makes a group or the subscription read-only"),
  applications: error("whoever is signed in may make applications in the directory"),

  // Names and zones: what a create's own plan would refuse.
  "application-names": warning("no deleted application holds a name of the set: a create restores it, with the certificates that it had"),
  "vault-name": error("the Key Vault is there already, can be recovered, or its name is free"),
  "account-name": error("the issuer's storage account is there already, or its name is free"),
  "public-blobs": error("no Azure policy refuses the issuer's storage account, or closes its blobs to the public"),
  "managed-group": error("the group that takes the managed group's place is there, and in the location"),
  zone: error("the public DNS zone of the base domain is there, and only once"),
  "zone-delegated": error("the zone above delegates to the zone of the base domain"),
});

export const doctorCheckIds = Object.keys(doctorChecks);
