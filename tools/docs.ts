/**
 * Writes the pages in docs and the JSON Schemas that follow from tables and declarations in src, and tables of docs/identities.md and
 * docs/least-privilege.md.
 * With --check, reports outdated pages and writes nothing.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { jsonSchemas } from "../src/cli/json-schemas.js";
import { version } from "../src/run/package-version.js";
import { parts as partsOfAll, type Part } from "../src/domain/create-parts.js";
import { requiredActions } from "../src/domain/required-actions.js";
import { aksChecks } from "../src/aks/verify/checks.js";
import { arcChecks } from "../src/arc/verify/checks.js";
import { dnsZoneChecks } from "../src/dns-zone/verify/checks.js";
import type { Check } from "../src/verify/check.js";
import { doctorChecks } from "../src/preflight/checks.js";
import { identityChecks } from "../src/identities/verify/checks.js";
import { infraChecks } from "../src/infra/verify/checks.js";
import { manPages } from "./bundle/man-pages.js";
import { commandsPage } from "./commands-page.js";
import { componentTables } from "./component-tables.js";
import { errorPages } from "./error-pages.js";
import { fidelityPage } from "./fidelity-page.js";
import { groupsTable, rightsTable } from "./least-privilege-page.js";
import { row } from "./markdown.js";
import { otherToolsPage } from "./other-tools-page.js";

const listOf = (actions: readonly string[]) => actions.map((action) => `- \`${action}\``).join("\n");

function doctorPage(): string {
  const rows = Object.values(doctorChecks).map(({ id, sentence, severity }) => row([`\`${id}\``, sentence, severity]));
  const actionsOf = (created: readonly Part[]) => {
    const needed = requiredActions.filter(({ parts }) => parts.every((part) => created.includes(part)));
    return [...new Set(needed.flatMap((required) => required.actions))].sort();
  };
  const ofPart = partsOfAll.map((part) => new Set(actionsOf([part])));
  const actionRows = actionsOf(partsOfAll).map((action) => row([`\`${action}\``, ...ofPart.map((own) => (own.has(action) ? "yes" : ""))]));
  return `# Prerequisites of create

\`aro-hcp doctor\` checks what \`create\` with the same settings needs, before it creates anything. The
checks are about this computer, the sign-in, the subscription, permissions, quotas, policies, names, and the DNS zone
of the base domain. For each check, the command prints the condition, what it found, and how to fix it.

- \`doctor infra\`, \`doctor identities\` and \`doctor oidc-issuer\` check what only that create needs, and read its flags
  as it does. \`--resource-group-name\` is the managed group in \`doctor infra\`, and the group of the identities in
  \`doctor identities\`.
- \`doctor management-cluster\` and \`doctor service-cluster\` take the flags of their creates. The check \`plan\` also reads
  what the region offers: Kubernetes versions, VM sizes with their zones and quotas, and preview features.
- All settings are optional. A check that needs a missing setting is skipped, with the reason.
- \`--only CHECK\` prints only some checks. \`--output json\`, \`junit\` or \`sarif\` prints the results for a program
  ([output.md](output.md)).
- \`--register\` registers the missing resource providers. Nothing else is ever written.

The exit code is 0, 3 if there are only warnings, or 6 if a check failed.

| check | condition | severity |
| --- | --- | --- |
${rows.join("\n")}

## Before every create

While it reads its plan, every create runs the cheap checks with two requests. They cover Node.js, the clock, the
subscription and its payment state, the resource providers, and the location. A failed check stops the create before the
first write (\`ARO-CHECK-001\`, exit code 5). A warning prints one line. A check without permission or without a response
stops nothing.

When the plan is complete, the create compares what its steps write with the permissions of the signed-in principal. If
a permission is missing, the create stops before the first write, and \`--dry-run\` warns. The codes are \`ARO-AUTHZ-001\`
to write resources, \`ARO-AUTHZ-002\` to assign roles, and \`ARO-AUTHZ-004\` to create applications. A lock that makes
one of these resources read-only stops it too (\`ARO-SUB-004\`).

The check \`plan\` reads the plan of the create itself, for each part whose names are specified, and reports what the
create would refuse.

## Permissions

The check \`rights\` asks Resource Manager for the effective permissions, which include those from groups and inherited
roles. For a resource group that does not exist yet, it uses the permissions on the subscription, and reports missing
ones there. It cannot see:

- roles in Privileged Identity Management that are eligible but not activated
- deny assignments for groups
- conditions of role assignments
- for \`doctor service-cluster\`, roles on a DNS zone alone; the create itself sees them

A custom role with exactly these actions is enough for \`create all\`, and one with those of a column for the create of
that part:

| action | \`infra\` | \`identities\` | \`oidc-issuer\` |
| --- | --- | --- | --- |
${actionRows.join("\n")}

\`create infra --assign-identity-roles\` also needs \`Microsoft.Authorization/roleAssignments/write\` and \`read\`.
\`--issuer-upload account-key\` also needs \`Microsoft.Storage/storageAccounts/listKeys/action\`.

\`create management-cluster\` and \`create service-cluster\` need at least these actions:

${listOf(actionsOf(["aks"]))}

The doctor reads more, all of it included in Reader: providers, locations, deny assignments, locks, usages, the number
of role assignments, and the resources with this cluster's tags. A check that lacks permission says so.

## Quotas and policies

The check \`quotas\` compares each limit with what \`create\` creates. Near a limit, it does not count resources that
already exist with this cluster's tags.

For policies, the doctor uses Azure's own check of a resource
(\`Microsoft.PolicyInsights/checkPolicyRestrictions/read\`, included in Reader). That check can leave out policies that
are assigned to a management group.

Every create uses the same check before its first write, for the key vaults, storage accounts and role assignments that
it creates. It names the policy, and the flag that meets it, if there is one: \`--purge-protection\` for a vault. With
\`--dry-run\`, these are warnings. Without the permission, Azure's own refusal names the policy.
`;
}

function verifyPage(): string {
  return `# Verification

\`verify identities\` and \`verify infra\` check what a cluster depends on, \`verify all\` makes the checks of both, and
\`verify dns-zone\` checks the public DNS zone of clusters.
\`verify management-cluster\` and \`verify service-cluster\` check the AKS clusters around it, and \`verify arc\` its
connection to Azure Arc. For each failed check they print what they found and how to fix it. They change nothing.

Each result is one check of one subject, in one of these states:

| word | state | meaning |
| --- | --- | --- |
| \`ok\` | \`passed\` | the condition is met |
| \`warn\` | \`warning\` | the condition is not met; nothing is broken yet |
| \`FAIL\` | \`failed\` | the condition is not met |
| \`skip\` | \`skipped\` | it could not be checked; the evidence gives the reason |

If a check fails, the checks that depend on it are skipped, with it as the reason. \`--only CHECK\` prints only some
checks, and any failed check that they depend on.

The text has one line for all role assignments that passed; JSON and JUnit list each one.

The exit code is 0 if no check failed, 3 if there are only warnings, or 6 if a check failed.

\`--output json\` prints one document, \`{ok, command, counts, results}\`. Each result has \`check\`, \`subject\`, \`state\`,
\`sentence\`, \`severity\`, \`evidence\` and \`next\`. It contains no key, token or secret. \`--output junit\` and
\`--output sarif\` are for the test and code scanning reports of pipelines ([output.md](output.md#junit-and-sarif)).

## Identities

\`aro-hcp verify identities\` follows each identity of a cluster from its file through Key Vault and Microsoft Entra ID
to Azure, as its pods do. It reads, and signs in as the identity.

\`\`\`sh
aro-hcp verify identities --input-dir demo
aro-hcp verify identities --managed-identities-file cp.json --data-plane-identities-file dp.json --infra-file infra.json --component cpo,disk
\`\`\`

- \`--input-dir\` is the directory that \`create all\` wrote. Its files are used for the file flags that you leave out.
- A check that needs a missing file or setting is skipped, and names it.
- \`--component\` selects components (\`cpo\`, \`azure-disk-MI\`). Other subjects are the vault, a file and the issuer.
- \`--watch-expiry DAYS\` sets how early \`credential-expiry\` warns of a certificate that expires (default: 30). The
  command runs once and does not wait.
- \`--output-report FILE.html\` also writes the results as a page ([report.md](report.md)): what to fix, a diagram of
  the flow with the state of each link, and all checks. Parts that were not checked, such as the pods without
  \`--kubeconfig\`, are grey.

The command needs permission to read the subscription (Reader), the vault's secrets and certificates (Key Vault
Certificate User) and the directory (Microsoft Graph \`Application.Read.All\`). A check that lacks permission says so.

### On the management cluster

With \`--kubeconfig\`, the command also follows the secrets to the pods of the management cluster. Without it, those
checks are skipped.

\`\`\`sh
aro-hcp verify identities --input-dir demo --kubeconfig mgmt.kubeconfig
\`\`\`

- It uses the file's current context. The cluster's nodes show which AKS cluster it is; the rest is read from Azure.
- \`--namespace\` and \`--name\` are those of the HostedCluster. You can leave out the name if \`infra.json\` has it.
- Before the HostedCluster exists, checks of what HyperShift creates with it are skipped.
- A mounted secret version counts as outdated only after the add-on has had time to poll.
- A sign-in plugin (\`kubelogin\`, if AKS uses Microsoft Entra ID) runs as with \`kubectl\`, but cannot prompt on the
  terminal.
- A kubeconfig that turns off certificate verification (\`insecure-skip-tls-verify\`, \`http\`) is refused.

In Azure, this needs Reader on the AKS cluster and on its node resource group too. In Kubernetes, it reads these
resources, and never a secret:

\`\`\`sh
kubectl create clusterrole aro-hcp-verify --verb=get,list --resource=nodes,namespaces,pods,events,deployments.apps,secretproviderclasses.secrets-store.csi.x-k8s.io,secretproviderclasspodstatuses.secrets-store.csi.x-k8s.io
kubectl create clusterrolebinding aro-hcp-verify --clusterrole=aro-hcp-verify --user=USER
\`\`\`

### Checks of identities

${checkTable(identityChecks)}

## Infrastructure

\`aro-hcp verify infra\` compares every resource and property that \`create infra\` sets with Azure. It also finds what
would block a hosted cluster: locations that differ, a wrong workers' subnet, wrong DNS, overlapping address ranges,
missing roles, and locks. It only reads, with about 30 requests.

\`\`\`sh
aro-hcp verify infra --name demo --infra-id x7k2 --base-domain example.com
aro-hcp verify infra --infra-file infra.json --managed-identities-file cp.json --data-plane-identities-file dp.json
aro-hcp verify infra --input-dir demo --cluster-cidr 10.200.0.0/16
\`\`\`

- It takes the flags of \`create infra\`, or its output file. Flags override the file.
- The output file has everything except the address ranges. The ranges of the virtual network are accepted as they
  are, unless you pass \`--vnet-cidr\` or \`--subnet-cidr\`.
- A resource whose name in the file is not the one that \`create infra\` chooses is treated as an existing resource.
- Roles are checked if identities are known: from \`--input-dir\`, from the identity files, or from the output file of a
  create that assigned roles.
- \`--cluster-cidr\` and \`--service-cidr\` are the ranges that the cluster is created with. The defaults are
  hypershift's.
- \`public-zone-delegated\` reads the parent zone from Azure only. If that zone is not in the subscription, the check is
  skipped and prints what \`dig\` should return.
- If \`create infra\` can fix a failed check, the check names that command. If nothing can fix it under a running
  cluster, it says why.
- A resource with an operation in flight is not checked.

The command needs permission to read the subscription (Reader), and the directory (\`Application.Read.All\`) if
identities are known.

### Checks of infrastructure

${checkTable(infraChecks)}

## DNS zones

\`aro-hcp verify dns-zone\` checks what \`create dns-zone\` makes: the zone, its delegation, and whether ExternalDNS can
sign in and write records. It takes the same options; without them, it uses the identity that exists for the
zone.

\`\`\`sh
aro-hcp verify dns-zone --base-domain blue.example.com --dns-zone-rg-name dns --management-cluster-file mgmt.json
aro-hcp verify dns-zone --base-domain blue.example.com --dns-zone-rg-name dns --external-dns-identity service-principal
\`\`\`

- \`zone-delegated\` reads the zone above from Azure only. If that zone is not in the subscription, the check is skipped
  and prints what \`dig\` should return.
- With an issuer (\`--management-cluster-file\` or \`--oidc-issuer-url\`), the identity must trust it. Without one, any
  issuer is enough, and the documents of every trusted issuer are read.
- \`sign-in\` and \`zone-readable\` use the client secret in the azure.json (\`--external-dns-credentials-file\`). Without
  that file, they are skipped.
- \`--external-dns-identity none\` checks only the zone and its delegation.
- \`hidden-records\` lists records of the parent zone that the delegation hides. Nothing is checked without permission to
  list them.

The command needs permission to read the subscription (Reader), and for a service principal the directory
(\`Application.Read.All\`).

### Checks of DNS zones

${checkTable(dnsZoneChecks)}

## Management and service clusters

\`aro-hcp verify management-cluster\` and \`aro-hcp verify service-cluster\` compare an AKS cluster and what belongs to it
with the settings of its create. They also find what the create cannot see:

- an issuer that nobody can read
- quotas and subnets without room for the autoscaler
- rules that deny what a later rule allows
- deny assignments, locks, and unregistered features

\`\`\`sh
aro-hcp verify management-cluster --name mgmt
aro-hcp verify management-cluster --management-cluster-file management-cluster.json --kubeconfig mgmt.kubeconfig
aro-hcp verify service-cluster --service-cluster-file service-cluster.json --output-report svc.html
\`\`\`

- The settings that the cluster was created with are read from the output file, otherwise from the cluster's tags.
  Flags override them.
- A check that the settings do not ask for is skipped, such as \`oidc-documents\` without an issuer.
- \`vcpu-quota\`, \`subnet-addresses\` and \`snat-ports\` count every node that the autoscaler may add.
- If the create can fix a failed check, the check names that command. Nothing can change the IP tags of an address:
  \`ip-tags\` names the way to a new one.
- \`zone-delegated\` reads the parent zone from Azure only. If that zone is not in the subscription, the check is skipped
  and prints what \`dig\` should return.
- \`--output-report FILE.html\` also writes the results as a page. Its diagram has who can reach the cluster and what it
  reaches, with the state of each rule, address and vault. It follows the rules of the report of identities.

The commands need permission to read the subscription (Reader), and Key Vault Reader on the vault of the TLS
certificate.

### In the AKS cluster

With \`--kubeconfig\`, they also check the nodes and the Secrets Store CSI driver. On a management cluster, they check
HyperShift's operator and the shared ingress; on a service cluster, the gateways. The Services of the ingresses are
compared with the addresses in Azure. Without it, those checks are skipped. In Kubernetes, they read these resources,
and never a secret:

\`\`\`sh
kubectl create clusterrole aro-hcp-verify-cluster --verb=get,list --resource=nodes,pods,services,deployments.apps,customresourcedefinitions.apiextensions.k8s.io
kubectl create clusterrolebinding aro-hcp-verify-cluster --clusterrole=aro-hcp-verify-cluster --user=USER
\`\`\`

### Checks of management and service clusters

${checkTable(aksChecks)}

## Connected clusters

\`aro-hcp verify arc\` checks what Azure knows of a cluster that is connected to Azure Arc: its agents, its extensions,
and whether its workloads can read the vault of \`create arc secrets\`.

\`\`\`sh
aro-hcp verify arc --name demo
aro-hcp verify arc --name demo --kubeconfig demo.kubeconfig
\`\`\`

- \`arc-agent-version\` compares the agents with those that the region offers at the time.
- \`policy-extension\` looks at what is assigned to the cluster or its resource group. Assignments above them are mostly
  not for Kubernetes.

The command needs permission to read the subscription (Reader), and the directory (\`Application.Read.All\`) after
\`create arc secrets\`. With access to the cluster, it also needs Key Vault Reader on the vault, which shows no values.

### In the connected cluster

With access to the cluster, it also checks the agents there: their Helm release, pods and secrets, and why
\`kube-aad-proxy\` does not start. It compares the distribution and the infrastructure in Azure with the nodes. Agents of
another connected cluster are reported. The access is \`--kubeconfig\`, \`--openshift-cluster-id\` or \`--hosted-cluster\`;
without it, those checks are skipped. The command asks for the metadata of two secrets, never for their contents:

\`\`\`sh
kubectl create clusterrole aro-hcp-verify-arc --verb=get,list --resource=nodes,pods,events,configmaps,secrets,deployments.apps,clusterrolebindings.rbac.authorization.k8s.io,secretproviderclasses.secrets-store.csi.x-k8s.io,secretproviderclasspodstatuses.secrets-store.csi.x-k8s.io
kubectl create clusterrolebinding aro-hcp-verify-arc --clusterrole=aro-hcp-verify-arc --user=USER
\`\`\`

\`arc-secret-mounted\` compares the secrets that pods have mounted with the vault of \`create arc secrets\`, for every pod
of every SecretProviderClass that names the vault without a pinned version. The Secrets Store CSI driver records the
version that it mounted in each pod, and the vault lists its versions. A version in a Key Vault never changes its
value, so equal versions are equal values. The check therefore reads no value, neither from the vault nor from a pod.
To read the mounted file, it would need the permission to run commands in every pod, which reads every secret of the
cluster.

A pod that has not mounted the secret fails with the event of its mount. A version that is younger than the polling
interval of the extension is not compared yet. If the driver, the class or the pod is missing, or if the vault
refuses, the check is skipped, and its reason says what to do.

### Checks of connected clusters

${checkTable(arcChecks)}
`;
}

function checkTable(checks: Readonly<Record<string, Check>>): string {
  const rows = Object.values(checks).map(({ id, sentence, severity }) => row([`\`${id}\``, sentence, severity]));
  return ["| check | condition | severity |", "| --- | --- | --- |", ...rows].join("\n");
}

/** A page that is written by hand, except for the part between two comments with this name. */
function withPart(page: string, name: string, text: string): string {
  const part = new RegExp(`(<!-- The ${name}: .* -->\\n)[\\s\\S]*(<!-- end of the ${name} -->)`);
  return page.replace(part, (_all, start, end) => [start, text, end].map(String).join("\n"));
}

function identitiesPage(): string {
  return withPart(readFileSync("docs/identities.md", "utf8"), "tables of components", componentTables());
}

function leastPrivilegePage(): string {
  const page = withPart(readFileSync("docs/least-privilege.md", "utf8"), "table of permissions", rightsTable());
  return withPart(page, "table of resource groups", groupsTable());
}

const schemaFolder = "schemas";
const schemaPages = Object.fromEntries(
  [...(await jsonSchemas())].map(([name, schema]) => [`${schemaFolder}/${name}.json`, `${JSON.stringify(schema(), undefined, 2)}\n`]),
);

/** npm links the man pages that `man` lists; it does not look into a folder. */
function packageManifest(): string {
  const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Readonly<Record<string, unknown>>;
  return `${JSON.stringify({ ...manifest, man: manPages(version).map(([name]) => `man/${name}`) }, undefined, 2)}\n`;
}

const pages: Readonly<Record<string, string>> = {
  ...schemaPages,
  "package.json": packageManifest(),
  "docs/identities.md": identitiesPage(),
  "docs/least-privilege.md": leastPrivilegePage(),
  "docs/verify.md": verifyPage(),
  ...errorPages(),
  "docs/commands.md": commandsPage(),
  "docs/doctor.md": doctorPage(),
  "docs/internals/fidelity.md": fidelityPage(),
  "docs/other-tools.md": otherToolsPage(),
};
const check = process.argv.includes("--check");
const filesOf = (folder: string) => (existsSync(folder) ? readdirSync(folder).map((file) => `${folder}/${file}`) : []);
for (const file of [schemaFolder, "docs/errors"].flatMap(filesOf).filter((one) => !(one in pages))) {
  if (check) outdated(file);
  else rmSync(file);
}
for (const [file, wanted] of Object.entries(pages)) {
  if (!check) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, wanted);
  } else if (!existsSync(file) || wanted !== readFileSync(file, "utf8")) outdated(file);
}

function outdated(file: string): void {
  console.error(`${file} is outdated; run: npm run docs`);
  process.exitCode = 1;
}
