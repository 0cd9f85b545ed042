/** Every failure the program can show: exit code, meaning and standing advice, as data. `docs/errors.md` is generated from it. */
import { accessFailures } from "./access-failures.js";
import { azureFailures } from "./azure-failures.js";
import { runAgain, type CatalogueEntry } from "./catalogue-entry.js";
import { issuerFailures } from "./issuer-failures.js";
import { kubernetesFailures } from "./kubernetes-failures.js";

export const catalogue = {
  // Before anything is read from Azure.
  "ARO-USAGE-001": { title: "settings that cannot be used", exit: 2, next: ["correct the settings named above; --help lists them"] },
  "ARO-USAGE-002": {
    title: "text that is not an Azure resource id",
    exit: 2,
    next: ["give the whole id, as the portal's JSON view or `az resource show --query id` prints it"],
  },
  "ARO-FILE-001": { title: "a file that cannot be read", exit: 2, next: ["check the path and its permissions"] },
  "ARO-FILE-002": {
    title: "a file that is empty, too large, or not well-formed YAML or JSON",
    exit: 2,
    next: ["correct the file at the line named above"],
  },
  "ARO-FILE-003": {
    title: "a file of another kind than was asked for",
    exit: 2,
    next: ["give a file of the kind named above"],
  },
  "ARO-FILE-004": {
    title: "an output file that cannot be written",
    exit: 2,
    next: ["choose a path in an existing directory that you may write to"],
  },
  "ARO-MANIFEST-001": {
    title: "a HostedCluster that Kubernetes would not take, or that would not work",
    exit: 2,
    next: ["complete or correct what is named above"],
  },

  ...accessFailures,

  // What is there is not what is wanted.
  "ARO-OWN-001": {
    title: "a resource of that name exists and is not ours",
    exit: 5,
    next: ["choose another name or infra id, or hand the resource over with its flag"],
  },
  "ARO-OWN-002": {
    title: "a resource of ours differs where it cannot be changed",
    exit: 5,
    next: ["run with the settings it was made with, or destroy it first"],
    azureCodes: ["InvalidResourceLocation", "InvalidResourceGroupLocation", "PropertyChangeNotAllowed"],
  },
  "ARO-OWN-003": { title: "a resource that was brought cannot be used", exit: 5, next: ["change the resource, or give another"] },
  "ARO-OWN-004": {
    title: "a group holds resources that are not ours",
    exit: 5,
    next: ["move them elsewhere, or keep the group with --preserve-resource-group, or give --delete-foreign to delete them too"],
  },
  "ARO-OWN-005": {
    title: "somebody else keeps changing a resource",
    exit: 1,
    next: [runAgain],
    azureCodes: ["PreconditionFailed", "EtagMismatch"],
  },
  "ARO-OWN-006": {
    title: "a set of identities serves a cluster that stands",
    exit: 5,
    next: ["remove a cluster alone with `aro-hcp destroy infra`, and the set when no cluster is left"],
  },
  "ARO-VAULT-001": {
    title: "a deleted vault, certificate or secret holds the name",
    exit: 5,
    next: ["recover it or purge it, as named above, or choose another name"],
    azureCodes: ["ConflictError", "ObjectIsDeletedButRecoverable"],
  },
  "ARO-VAULT-002": {
    title: "the name of the vault is taken",
    exit: 5,
    next: ["vault names are unique in the world: choose another with --key-vault-name"],
    azureCodes: ["VaultAlreadyExists"],
  },
  "ARO-CRED-001": {
    title: "a new credential does not sign in",
    exit: 1,
    next: ["the old one is still valid: " + runAgain],
  },
  "ARO-DNS-001": {
    title: "the public DNS zone of the base domain was not found",
    exit: 5,
    next: ["create the zone, or correct --base-domain; with --dns-zone-rg-name only that group is looked at"],
  },
  "ARO-DNS-002": {
    title: "more than one public DNS zone has the name of the base domain",
    exit: 5,
    next: ["name the group of the right one with --dns-zone-rg-name"],
  },
  "ARO-DNS-003": {
    title: "the network is linked to another private zone of the same name",
    exit: 5,
    next: ["remove that link, or choose another --name or --base-domain"],
  },

  ...issuerFailures,

  ...kubernetesFailures,

  ...azureFailures,

  "ARO-DELETE-003": { title: "something is left after destroy", exit: 1, next: [runAgain, "`aro-hcp show infra` lists what is left"] },

  "ARO-LOCAL-001": {
    title: "the local Azure cannot start",
    exit: 1,
    next: ["check that its directory (ARO_HCP_LOCAL_DIR) can be written to; `aro-hcp local reset` begins anew"],
  },
  "ARO-LOCAL-002": {
    title: "what the local Azure was given cannot be used",
    exit: 2,
    next: ["correct the variable, port or seed document named above; docs/using-the-emulator.md says what they may be"],
  },

  // The run itself.
  "ARO-RUN-001": { title: "the time limit was reached", exit: 1, next: [runAgain, "--timeout gives it longer"] },
  "ARO-RUN-002": { title: "declined at the prompt", exit: 10, next: ["nothing was changed"] },
  "ARO-RUN-003": { title: "a question cannot be asked here", exit: 10, next: ["give --yes where there is no terminal"] },
  "ARO-RUN-004": { title: "interrupted", exit: 130, next: ["Azure finishes what it has begun; " + runAgain] },
  "ARO-RUN-005": { title: "terminated", exit: 143, next: ["Azure finishes what it has begun; " + runAgain] },
  "ARO-RUN-006": { title: "the output file could not be written", exit: 1, next: ["make room or permission for it, then " + runAgain] },
  "ARO-RUN-007": { title: "Azure changed while the question was open", exit: 5, next: ["look at the plan again: " + runAgain] },
  "ARO-BUG-001": { title: "a fault of aro-hcp itself", exit: 70, next: ["please report it with the output of --debug"] },
} as const satisfies Record<string, CatalogueEntry>;

export type FailureCode = keyof typeof catalogue;
