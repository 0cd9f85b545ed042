/** Why each failure happens: what the catalogue's title and advice do not say, for its page and its help. */
import type { FailureCode } from "./catalogue.js";

export const reasons: Readonly<Record<FailureCode, string>> = {
  "ARO-USAGE-001":
    "A setting is missing, misspelled, out of range, or contradicts another one. All problems are listed at once, each with the flag, variable or line that it comes from.",
  "ARO-USAGE-002":
    "A flag for an existing resource takes its whole ID, because a name alone does not say in which subscription and resource group it is.",
  "ARO-FILE-001": "The file does not exist, is a folder, or the user who runs the command may not read it.",
  "ARO-FILE-002":
    "The file was cut off while it was written, edited by hand, or is something else. Pipes, devices and files beyond a size limit are refused before they are read.",
  "ARO-FILE-003":
    "Several files of a cluster look alike. Each is checked for the keys of its kind, so that a create or a destroy never runs with the file of something else.",
  "ARO-FILE-004":
    "The folder does not exist or is not writable, or the path is a folder, a device, or a file of another cluster. This is checked before anything changes in Azure.",
  "ARO-MANIFEST-001":
    "Manifests are checked against the rules of HyperShift before they are printed, because Kubernetes would refuse them later or the cluster would stay incomplete.",
  "ARO-AUTH-001":
    "No credentials file, no variables of a service principal, no managed or workload identity, and no sign-in of the Azure CLI was found.",
  "ARO-AUTH-002":
    "Microsoft Entra ID knows the application or the user but does not accept the credential, or does not know it in this tenant. Azure's code says which.",
  "ARO-AUTH-003": "A sign-in with a certificate is signed with the time. Microsoft Entra ID accepts a difference of five minutes.",
  "ARO-AUTH-004":
    "The ID is misspelled, or the sign-in is in another tenant, or the principal has no role in the subscription: Azure answers the same in each case.",
  "ARO-AUTHZ-001":
    "Azure RBAC has no role assignment for the action on that scope, or a deny assignment forbids it. A new role assignment can take ten minutes to take effect.",
  "ARO-AUTHZ-002":
    "Contributor does not include Microsoft.Authorization/roleAssignments/write. A condition of the principal's own role assignment can exclude some roles too.",
  "ARO-AUTHZ-003": "Azure RBAC and Microsoft Graph have separate permissions: an Owner of the subscription may have none in the directory.",
  "ARO-AUTHZ-004":
    "Some directories allow only some principals to register applications. Service principals need the permission in any case.",
  "ARO-AUTHZ-005":
    "Access to the contents of a vault has roles of its own, which Contributor and Owner do not include. A new role takes up to ten minutes to reach every part of the vault.",
  "ARO-AUTHZ-006": "The vault admits only some networks, or only private endpoints. Its roles do not matter then.",
  "ARO-CHECK-001":
    "A create first checks with two requests what it would fail on later: the clock, the subscription, its resource providers, the location.",
  "ARO-SUB-001":
    "Azure serves a resource type only to subscriptions that are registered for its provider. A new subscription is registered for few of them.",
  "ARO-SUB-002":
    "Limits apply to a subscription, to a region in it, or to the directory. Deleted applications and vaults count until they are purged.",
  "ARO-SUB-003": "The location is misspelled, not offered to the subscription, or does not have the resource type.",
  "ARO-SUB-004":
    "A lock of the kind CanNotDelete or ReadOnly is on the resource, its resource group or the subscription. Even an Owner must remove it first.",
  "ARO-SUB-005":
    "A policy with the effect deny applies to the resource. The message names the assignment and, if there is one, the flag that meets it.",
  "ARO-SUB-006": "The setting uses a preview feature of Azure, which every subscription has to register for once.",
  "ARO-SUB-007": "IP tags of the type FirstPartyUsage are only for Microsoft's own services. Azure refuses them in any other subscription.",
  "ARO-SUB-008":
    "Azure disables a subscription that has exceeded its credit, has not been paid for, or was canceled. It can then be read, but not changed.",
  "ARO-ROLE-001": "The identity was deleted, its client ID is mistyped in the file, or the sign-in is in another tenant.",
  "ARO-ROLE-002":
    "Microsoft Entra ID and Azure Resource Manager are separate services. A new principal usually arrives within a minute, rarely within several.",
  "ARO-ROLE-003":
    "Microsoft publishes the roles for hosted control planes in most directories of the public cloud. In others, they do not exist yet.",
  "ARO-ROLE-004": "Azure allows one assignment of a role to a principal on a scope. Another tool made it, with another name.",
  "ARO-ROLE-005":
    "Names of role assignments are computed. An identity that was deleted and created again has a new principal, while its old assignments stay.",
  "ARO-ROLE-006": "A subscription has a limit on role assignments. Assignments of deleted principals count too.",
  "ARO-ROLE-007":
    "The cluster's roles were given to another identity set. Two sets with the same roles would leave it open which one the cluster uses.",
  "ARO-OWN-001":
    "The names of a cluster's resources are computed from its name and infra ID. The one that exists lacks the cluster's ownership tags, or has those of another cluster.",
  "ARO-OWN-002":
    "Azure fixes some properties when a resource is created: its location, its zones, its SKU. A rerun with other settings cannot change them.",
  "ARO-OWN-003":
    "A resource that you pass is never changed. This one lacks something that the cluster needs, or has something that would stop it.",
  "ARO-OWN-004": "Deleting the resource group would delete these resources with it. So nothing was deleted.",
  "ARO-OWN-005":
    "Another client writes the same resource at the same time, or Azure reported a success that its next answer does not show. Five attempts were made.",
  "ARO-OWN-006":
    "Something that several clusters share would be deleted. Role assignments, tags or links show that another cluster still needs it.",
  "ARO-OWN-007": "A name alone proves nothing. Without ownership tags, a destroy cannot know whose the resources are, and keeps them.",
  "ARO-OWN-008": "The nodes and disks of the management cluster contain the control planes and the etcd of other clusters.",
  "ARO-OWN-009": "The zone has record sets besides its own NS and SOA. Names of clusters or of other services would stop resolving.",
  "ARO-OWN-010":
    "Some uses have no tag: a managed identity of a virtual machine, a key of a disk encryption set, a subnet with machines in it.",
  "ARO-VAULT-001":
    "Key Vault keeps what was deleted for 7 to 90 days. Until then, the name is taken, and purge protection can forbid to free it.",
  "ARO-VAULT-002": "A vault is a hostname, so its name is unique among all vaults of all customers.",
  "ARO-CRED-001":
    "A rotation tries the new credential before it removes the old one. Microsoft Entra ID can take minutes to accept it everywhere.",
  "ARO-DNS-001": "The sign-in sees no public zone with exactly this name in the subscription, or in the resource group that was passed.",
  "ARO-DNS-002": "Azure allows zones of one name in several resource groups. Only one of them is delegated to.",
  "ARO-DNS-003": "A virtual network resolves a name through one private zone only.",
  "ARO-DNS-004":
    "With the delegation, resolvers ask the new zone for all names below it. Records of these names in the parent zone would no longer be found.",
  "ARO-DNS-005": "Two public zones of one name are possible in Azure, but only one of them answers.",
  "ARO-DNS-006":
    "The NS record set of the parent zone would point to name servers that no longer know the zone. Others could then take it over.",
  "ARO-KEY-001":
    "The file is no PEM, is encrypted, or has no RSA key of 2048 bits or more. OpenShift signs service account tokens with RSA.",
  "ARO-OIDC-001":
    "Microsoft Entra ID reads the issuer's two documents without a sign-in. A policy of many organizations forbids public blobs.",
  "ARO-OIDC-002": "A storage account is a hostname, so its name is unique among all accounts of all customers.",
  "ARO-OIDC-003":
    "After the upload, both documents are read as Microsoft Entra ID reads them: without a sign-in, over the internet. That failed.",
  "ARO-OIDC-004":
    "The principal gets a role for the blobs before the upload. Azure Storage usually honors it within a minute, rarely after ten.",
  "ARO-OIDC-005": "Tokens that are signed with a key are rejected as soon as the key leaves the published documents.",
  "ARO-OIDC-006":
    "Storage accounts of the same issuer name exist in several resource groups. Guessing could publish the keys of another cluster.",
  "ARO-OIDC-007": "The upload turned account keys on for a moment, and could not confirm that they are off again.",
  "ARO-ARC-001": "Azure stores the public key of the first onboarding. Agents with another key cannot sign in.",
  "ARO-ARC-002": "A cluster can be connected once. Its agents name another resource of Azure Arc.",
  "ARO-ARC-003": "The agents only open connections, and a firewall or a proxy between the cluster and Azure stops them.",
  "ARO-ARC-004": "The agents are a Helm chart. The text of Helm's own message is in the block.",
  "ARO-ARC-005": "Azure has not heard from the agents for some minutes.",
  "ARO-ARC-006": "Azure Arc has its agents and their charts by region, and some regions have none.",
  "ARO-EXT-001": "The agents install an extension with Helm and report the result to Azure. The message has what they reported.",
  "ARO-EXT-002": "Only the agents can install or remove an extension. Without them, Azure would wait for half an hour and fail.",
  "ARO-EXT-003": "Something in the cluster was installed in another way and has the same names, such as a Secrets Store CSI driver.",
  "ARO-AKS-001": "AKS offers the three latest minor versions in each region, and the patches of each that it supports.",
  "ARO-AKS-002": "Not every region and zone has every VM size, and some sizes are closed to some subscriptions.",
  "ARO-AKS-003": "Each VM family has a quota of vCPUs in each region, and the region has one for all families.",
  "ARO-AKS-004": "The cluster is stopped, or another operation on it is in progress. AKS refuses changes until then.",
  "ARO-AKS-005":
    "AKS checks the roles of the cluster's own identity when it is created. New role assignments take some minutes to take effect.",
  "ARO-KUBE-001": "The address is wrong, the cluster is stopped or private, or its allow list lacks this computer.",
  "ARO-KUBE-002": "The credentials in the kubeconfig have expired, or its sign-in program is missing or needs a person.",
  "ARO-KUBE-003": "The sign-in succeeded, and Kubernetes RBAC does not allow the reads that the checks need.",
  "ARO-KUBE-004":
    "A kubeconfig can name programs to run and files to read. Only an address, its CA and a token or certificate are accepted from others.",
  "ARO-AZURE-001": "Azure's own code and message are in the block. This code is for those that have no entry of their own.",
  "ARO-AZURE-002": "The request was correct, and Azure did not complete it. It was retried for up to five minutes.",
  "ARO-AZURE-003": "Azure limits requests by subscription and principal. The run waited as long as Azure asked, up to fifteen minutes.",
  "ARO-AZURE-004":
    "Azure changes many resources one operation at a time. The other operation can be of another tool, or of an interrupted run.",
  "ARO-AZURE-005": "Somebody deleted it, or Azure had not replicated it yet.",
  "ARO-AZURE-006":
    "Azure deletes a resource group in the background, which can take half an hour. Until then, nothing can be created in it.",
  "ARO-AZURE-007": "Azure checks names and values more strictly than can be known before. Its message says what it does not accept.",
  "ARO-DELETE-001": "Azure refuses to delete what another resource refers to.",
  "ARO-DELETE-002": "One resource in the group could not be deleted, so Azure kept the group. Other resources of it may be gone.",
  "ARO-DELETE-003": "Azure reported the deletions as complete, and still lists the resources.",
  "ARO-NET-001":
    "A name did not resolve, a host refused the connection, or nothing answered in time. The message says which host and which step.",
  "ARO-NET-002":
    "A proxy or a virus scanner replaces Azure's certificate by its own, whose issuer this computer does not trust. TLS verification cannot be turned off.",
  "ARO-NET-003": "The answer is a page of HTML or has none of Azure's headers: a sign-in page of a network, or the message of a proxy.",
  "ARO-NET-004": "Responses are read up to a limit that no answer of Azure comes near, so that a faulty proxy cannot fill the memory.",
  "ARO-NET-005": "Tokens are sent only to the hosts that they were issued for. A link in the response leads to another host.",
  "ARO-NET-006":
    "Each page of a list names the next one. Here, a page names one that was already read, or there are more than any list of Azure has.",
  "ARO-NET-007": "Certificates have a first and a last day. A clock that is wrong by months is the usual cause.",
  "ARO-LOCAL-001":
    "The emulator stores its state in a directory and listens on this computer. The directory is not writable, or its files are damaged.",
  "ARO-LOCAL-002": "A variable, a port or a seed document of the emulator has a value that it does not know.",
  "ARO-LOCAL-003":
    "Variables direct a client to a server that runs. Commands with --cloud local need none, and no server runs for this directory.",
  "ARO-RUN-001": "The run took longer than --timeout. Azure finishes the operations that it has begun.",
  "ARO-RUN-002": "The prompt was answered with something else than it asked for. Nothing was changed.",
  "ARO-RUN-003": "A destroy asks before it deletes, and there is nobody to ask in a pipeline. Nothing was changed.",
  "ARO-RUN-004": "Ctrl-C stops the run after the operations that have begun. A second one exits at once.",
  "ARO-RUN-005": "SIGTERM or SIGHUP stopped the run: a pipeline was canceled, or the terminal was closed.",
  "ARO-RUN-006": "The disk is full or read-only, or the folder has been removed since the start. The resources in Azure are complete.",
  "ARO-RUN-007": "Between the plan and the answer to the prompt, somebody changed what the plan shows. Nothing was changed by this run.",
  "ARO-BUG-001": "The program met a state that it should have excluded.",
};
