/** The catalogue of failures as data: exit code, meaning and default advice. */
import { advise, aroHcp, rerun, shell, withFlag, type Advice } from "./advice.js";
import { accessFailures } from "./access-failures.js";
import { arcFailures } from "./arc-failures.js";
import { azureFailures } from "./azure-failures.js";
import { clusterFailures } from "./cluster-failures.js";
import type { ExitCode } from "./exit-codes.js";
import { issuerFailures } from "./issuer-failures.js";
import { kubernetesFailures } from "./kubernetes-failures.js";

export interface CatalogueEntry {
  readonly title: string;
  readonly exit: ExitCode;
  /** Advice for a failure that has none of its own. */
  readonly next: readonly Advice[];
  /** The same for a command that only reads. */
  readonly nextToRead?: readonly Advice[];
  /** Azure error codes that map to this entry; for nested errors, the innermost code. */
  readonly azureCodes?: readonly string[];
}

export const catalogue = {
  // Settings and files, before any request to Azure.
  "ARO-USAGE-001": {
    title: "invalid settings",
    exit: 2,
    next: ["correct what the message names; --help-all after the command lists its options"],
  },
  "ARO-USAGE-002": {
    title: "a value is not an Azure resource ID",
    exit: 2,
    next: [
      advise`pass the whole ID: the portal's JSON view of the resource has it, and ${shell`az resource list --query [].id`} prints those of all`,
    ],
  },
  "ARO-FILE-001": { title: "a file cannot be read", exit: 2, next: ["check that the file exists, and that you may read it"] },
  "ARO-FILE-002": {
    title: "a file is empty, too large, not a regular file, or not valid YAML or JSON",
    exit: 2,
    next: ["correct the file at the line that the message names"],
  },
  "ARO-FILE-003": {
    title: "a file is of the wrong kind",
    exit: 2,
    next: ["pass a file of the kind that the message names"],
  },
  "ARO-FILE-004": {
    title: "the path of an output file cannot be used",
    exit: 2,
    next: ["choose a path in an existing directory that you can write to"],
  },
  "ARO-MANIFEST-001": {
    title: "the HostedCluster would be rejected by Kubernetes, or would not work",
    exit: 2,
    next: ["complete or correct each field at the file or flag that is named before it"],
  },

  ...accessFailures,

  // Existing resources that conflict with the plan.
  "ARO-OWN-001": {
    title: "a resource with this name exists and has a different owner",
    exit: 5,
    next: ["choose another name or infra ID, or pass the existing resource with its flag"],
  },
  "ARO-OWN-002": {
    title: "an existing resource of this cluster differs in a property that cannot be changed",
    exit: 5,
    next: ["rerun with the settings it was created with, or destroy it first"],
    azureCodes: ["InvalidResourceLocation", "InvalidResourceGroupLocation", "PropertyChangeNotAllowed"],
  },
  "ARO-OWN-003": { title: "an existing resource cannot be used", exit: 5, next: ["change the resource, or pass another"] },
  "ARO-OWN-004": {
    title: "a resource group contains resources that this cluster does not own",
    exit: 5,
    next: [
      advise`move them elsewhere${withFlag("--preserve-resource-group", ", keep the group with --preserve-resource-group")}${withFlag("--delete-foreign", ", or delete them too with --delete-foreign")}`,
    ],
  },
  "ARO-OWN-005": {
    title: "a resource keeps changing, or does not show what Azure reported",
    exit: 1,
    next: [rerun],
    azureCodes: ["PreconditionFailed", "PreconditionFailedEtagMismatch", "EtagMismatch"],
  },
  "ARO-OWN-006": {
    title: "an identity set, an issuer, workload identities, a network or a DNS zone is used by another cluster",
    exit: 5,
    next: ["destroy each of these clusters first"],
  },
  "ARO-OWN-007": {
    title: "resources have names of this cluster but no ownership tags, like those of `hypershift create infra azure`",
    exit: 5,
    next: [advise`if they belong to this cluster, take them over: ${aroHcp("adopt infra")}; then rerun the command`],
  },
  "ARO-OWN-008": {
    title: "hosted control planes still run on the management cluster",
    exit: 5,
    next: [
      "delete each HostedCluster first: its disks are then deleted with it",
      advise`or delete the management cluster with them, and lose their data${withFlag("--delete-foreign", ": --delete-foreign")}`,
    ],
  },
  "ARO-OWN-009": {
    title: "the DNS zone contains records",
    exit: 5,
    next: [
      "delete them first, or destroy the clusters that they are of",
      advise`or delete the zone with them${withFlag("--delete-records", ": --delete-records")}`,
    ],
  },
  "ARO-OWN-010": {
    title: "resources of others use what would be deleted",
    exit: 5,
    next: [advise`detach it from each of them first, then ${rerun}`],
  },
  "ARO-VAULT-001": {
    title: "a soft-deleted vault, certificate or secret has the name",
    exit: 5,
    next: ["recover or purge it, or choose another name"],
    azureCodes: ["ConflictError", "ObjectIsDeletedButRecoverable"],
  },
  "ARO-VAULT-002": {
    title: "the name of the vault is taken",
    exit: 5,
    next: [advise`choose another${withFlag("--key-vault-name", " with --key-vault-name")}; it must be unique across Azure`],
    azureCodes: ["VaultAlreadyExists"],
  },
  "ARO-CRED-001": {
    title: "a new credential cannot sign in",
    exit: 1,
    next: [advise`the old credential is still valid; ${rerun}`],
  },
  "ARO-DNS-001": {
    title: "the public DNS zone of the base domain was not found",
    exit: 5,
    next: [
      advise`create the zone, or correct the base domain${withFlag("--dns-zone-rg-name", "; --dns-zone-rg-name limits the search to that resource group")}`,
    ],
  },
  "ARO-DNS-002": {
    title: "more than one public DNS zone has the name of the base domain",
    exit: 5,
    next: [advise`select the zone's resource group${withFlag("--dns-zone-rg-name", " with --dns-zone-rg-name")}`],
  },
  "ARO-DNS-003": {
    title: "the virtual network is linked to another private DNS zone of the same name",
    exit: 5,
    next: ["delete that link, or choose another name or base domain for the cluster"],
  },
  "ARO-DNS-004": {
    title: "the delegation of a DNS zone would hide records of its parent zone",
    exit: 5,
    next: ["copy the records to the new zone and delete them from the parent zone, or choose another name for the zone"],
  },
  "ARO-DNS-005": {
    title: "a public DNS zone of this name exists in another resource group",
    exit: 5,
    next: [advise`use that zone${withFlag("--dns-zone-rg-name", ": pass its group as --dns-zone-rg-name")}, or choose another name`],
  },
  "ARO-DNS-006": {
    title: "a record set of others delegates the DNS zone that would be deleted",
    exit: 5,
    next: [advise`remove the zone's name servers from that record set, then ${rerun}`],
  },

  ...issuerFailures,

  ...arcFailures,
  ...clusterFailures,

  ...kubernetesFailures,

  ...azureFailures,

  "ARO-DELETE-003": {
    title: "some resources remain after destroy",
    exit: 1,
    next: [rerun, "if they remain, the activity log of their resource group shows what blocks their deletion"],
  },

  "ARO-LOCAL-001": {
    title: "the emulator cannot start",
    exit: 1,
    next: [advise`check that its directory (ARO_HCP_LOCAL_DIR) is writable; ${aroHcp("local reset")} starts with a fresh state`],
  },
  "ARO-LOCAL-002": {
    title: "an input of the emulator is invalid",
    exit: 2,
    next: ["correct the variable, port or seed document above; docs/using-the-emulator.md describes them"],
  },
  "ARO-LOCAL-003": {
    title: "no emulator is running",
    exit: 1,
    next: [advise`start one and keep it running: ${aroHcp("local serve")}; ARO_HCP_LOCAL_DIR must be the same for both`],
  },

  // The run itself.
  "ARO-RUN-001": {
    title: "the time limit was reached",
    exit: 1,
    next: [rerun, advise`it may need more time${withFlag("--timeout", ": pass a longer --timeout")}`],
  },
  "ARO-RUN-002": { title: "declined at the prompt", exit: 10, next: ["rerun the command, and confirm it"] },
  "ARO-RUN-003": {
    title: "confirmation is needed, and there is no terminal",
    exit: 10,
    next: [advise`run it on a terminal${withFlag("--yes", ", or pass --yes to confirm without one")}`],
  },
  "ARO-RUN-004": { title: "interrupted", exit: 130, next: [advise`Azure finishes the operations in flight; ${rerun}`] },
  "ARO-RUN-005": { title: "terminated", exit: 143, next: [advise`Azure finishes the operations in flight; ${rerun}`] },
  "ARO-RUN-006": {
    title: "the output file could not be written",
    exit: 1,
    next: [advise`free up space or grant write permission, then ${rerun}`],
  },
  "ARO-RUN-007": { title: "Azure changed before the plan was confirmed", exit: 5, next: ["rerun the command, and review the new plan"] },
  "ARO-BUG-001": { title: "a bug in aro-hcp", exit: 70, next: ["report it with the output of --debug"] },
} as const satisfies Record<string, CatalogueEntry>;

export type FailureCode = keyof typeof catalogue;
