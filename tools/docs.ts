/** Writes docs/errors.md, docs/commands.md, docs/verify.md, docs/doctor.md and the component tables of docs/identities.md from the tables in src; with --check, only tells whether they are current. */
import { readFileSync, writeFileSync } from "node:fs";
import { catalogue } from "../src/errors/catalogue.js";
import type { CatalogueEntry } from "../src/errors/catalogue-entry.js";
import { exitCodes, exitMeanings } from "../src/errors/exit-codes.js";
import { commandNames, optionsOf, type CommandName, type CommandOption } from "../src/settings/commands.js";
import { optionGroups, variableOf } from "../src/settings/option.js";
import { controlPlaneComponents, dataPlaneComponents, type ComponentRole, type RoleScope } from "../src/domain/components.js";
import { requiredActions } from "../src/domain/required-actions.js";
import type { Check } from "../src/verify/check.js";
import { doctorChecks } from "../src/verify/doctor/checks.js";
import { identityChecks } from "../src/verify/identities/checks.js";
import { infraChecks } from "../src/verify/infra/checks.js";

function errorsPage(): string {
  const rows = Object.entries<CatalogueEntry>(catalogue).map(([code, { title, exit, next, azureCodes = [] }]) =>
    row([`\`${code}\``, title, String(exit), next.join("; "), azureCodes.map((azure) => `\`${azure}\``).join(" ")]),
  );
  const exitRows = Object.entries(exitCodes).map(([key, exit]) => row([String(exit), exitMeanings[key as keyof typeof exitCodes]]));
  return `# Errors

Every failure names its code, why it happened and what to do next. Made from \`src/errors/catalogue.ts\` by \`npm run docs\`.

## Exit codes

A run that ended with several failures exits with their code where they agree, else with 1.

| exit | meaning |
| --- | --- |
${exitRows.join("\n")}

## Failures

| code | meaning | exit | what to do | Azure codes |
| --- | --- | --- | --- | --- |
${rows.join("\n")}
`;
}

function commandsPage(): string {
  return `# Commands

A flag goes before its variable, that before a key of the \`--config\` file (YAML or JSON), that before the default. Unknown keys are errors.
Lists and tags may be repeated, or given with commas. Made from the table of options by \`npm run docs\`; the emulator has commands of its
own: \`aro-hcp local --help\`.

${commandNames.map(commandSection).join("\n")}`;
}

function commandSection(command: CommandName): string {
  const own = optionsOf(command);
  const rows = optionGroups.flatMap((group) => own.filter((option) => option.group === group)).map(optionRow);
  return `## aro-hcp ${command}

| flag | variable | key | default | meaning |
| --- | --- | --- | --- | --- |
${rows.join("\n")}
`;
}

function optionRow(option: CommandOption): string {
  const flags = [option.short, option.flag, ...(option.aliases ?? [])].filter((flag) => flag !== undefined);
  const variables = [variableOf(option), option.otherVariable].filter((variable) => variable !== undefined);
  return row([
    flags.map((flag) => `\`${flag}\``).join(" "),
    variables.map((variable) => `\`${variable}\``).join(" "),
    option.notInFile === true ? "" : `\`${option.key}\``,
    option.isRequired ? "required" : (option.default ?? ""),
    option.choices === undefined ? option.help : `${option.help}: ${option.choices.join(", ")}`,
  ]);
}

function doctorPage(): string {
  const rows = Object.values(doctorChecks).map(({ id, sentence, severity }) => row([`\`${id}\``, sentence, severity]));
  const actions = [...new Set(requiredActions.flatMap((required) => required.actions))].sort();
  return `# What a create needs

\`aro-hcp doctor\` looks at what a create with the same settings needs, before anything is made: at this machine, the sign-in, the subscription, the
rights there, quotas and policies, the names that are to be taken, the zone above the base domain. Each check says what must hold, what was seen, and
what to do. \`doctor infra\`, \`doctor identities\` and \`doctor oidc-issuer\` look at what those creates need alone, and take a flag as they do:
\`--resource-group-name\` is the managed group in \`doctor infra\`, and the group of the identities in \`doctor identities\`. All settings may be left
out, and what cannot be looked at without them is skipped with the reason. \`--only CHECK\` tells of some checks, \`--output json\` is for machines.
It exits with 0, with 3 where there are warnings only, and with 6 where a check failed. \`--register\` registers the resource providers that are not;
nothing else is ever written.

The table is made from \`src/verify/doctor/checks.ts\` by \`npm run docs\`.

| check | what must hold | else |
| --- | --- | --- |
${rows.join("\n")}

## Before every create

Every create looks at what costs next to nothing by itself, while it reads its plan: at Node, the clock, the subscription with its payment, and the resource
providers, with two requests. What does not hold stops it before the first write (\`ARO-CHECK-001\`, exit code 5), a warning is a line; what may not be read, or
is not answered, stops nothing.

## Rights

Rights are what Resource Manager says they are: of every role, of groups and of inherited ones. Those of a group that is still to be made are the
subscription's. What cannot be seen: roles that Privileged Identity Management holds ready and that are not activated, deny assignments for groups,
conditions of role assignments. A custom role of exactly these actions is enough for \`create all\`:

${actions.map((action) => `- \`${action}\``).join("\n")}

The doctor reads more, all of it in Reader: providers, locations, deny assignments, locks, usages, the use of role assignments, and what is tagged as
ours. Where it may not, the check says so.

## Quotas and policies

Quotas are held against what a create makes; where one is near, what carries our tags is counted as made. Of policies it is told what Azure's own
check of a resource knows (\`Microsoft.PolicyInsights/checkPolicyRestrictions/read\`, in Reader), which may leave out those that are assigned to a
management group.
`;
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

function verifyPage(): string {
  return `# Verification

Two commands tell what does not hold of a cluster's surroundings: what was seen, and what to do. They change nothing. Made from the tables of checks in
\`src/verify\` by \`npm run docs\`.

A check is held against one subject. It ends as

| word | state | meaning |
| --- | --- | --- |
| \`ok\` | \`passed\` | it holds |
| \`warn\` | \`warning\` | it does not hold, and nothing is broken yet |
| \`FAIL\` | \`failed\` | it does not hold |
| \`skip\` | \`skipped\` | it could not be asked; the evidence says why |

The exit code is 0 where nothing failed, 3 where there are warnings only, 6 where a check failed. With \`--output json\` the result is one document,
\`{ok, command, counts, results}\`, of which each result has \`check\`, \`subject\`, \`state\`, \`sentence\`, \`severity\`, \`evidence\` and \`next\`. No key, token or secret is in it.
Behind a check that does not hold all is skipped with that as the reason, for it would say nothing of its own. \`--only\` (ids of checks) chooses what is
told of; what does not hold before it is told, too.

## Identities

\`aro-hcp verify identities\` follows each identity of a cluster from its file through vault and Entra to Azure, as its pods will, and tells every link
that does not hold. It reads and signs in.

\`\`\`sh
aro-hcp verify identities --input-dir demo
aro-hcp verify identities --managed-identities-file cp.json --data-plane-identities-file dp.json --infra-json infra.json --component cpo,disk
\`\`\`

\`--input-dir\` is the directory that \`create all\` wrote; its files stand in for those that are not given. A check that needs something that was
not given is skipped, and says what. A check is held against a component (\`cpo\`, \`azure-disk-MI\`), the vault, a file, or the issuer; \`--component\` chooses.

Whoever verifies needs to read the subscription (Reader), the vault's secrets (Key Vault Secrets User), and the directory (Microsoft Graph
\`Application.Read.All\`). Where a right is missing, the check that needs it says so.

\`--report FILE.html\` writes what was found as a page for the browser, too: what is to do, a drawing of the flow with the state of each link, and all checks. It needs
no network and holds no secret; its mode is 0600. An earlier report or an empty file is replaced, any other file is refused.

\`--watch-expiry DAYS\` says how early \`credential-expiry\` warns of a certificate that expires: 30 days before where it is not given. It looks once, and does not wait.

With \`--kubeconfig\` the secrets are followed on to the pods of the management cluster; without it those checks are skipped.

\`\`\`sh
aro-hcp verify identities --input-dir demo --kubeconfig mgmt.kubeconfig
\`\`\`

The cluster of the file's current context is asked. Its nodes tell which AKS cluster it is, and Azure the rest. \`--namespace\` and \`--name\` are those of the
HostedCluster; the name may be left out where \`infra.json\` tells it. What HyperShift makes only with the HostedCluster is skipped before there is one, and no
version of a secret is called old before the add-on had time to look. A plugin that signs in (\`kubelogin\`, where AKS is signed in to by Entra) is run as
\`kubectl\` runs it, but cannot ask on the terminal. A kubeconfig that would leave certificates unverified (\`insecure-skip-tls-verify\`, \`http\`) is refused.

In Azure, Reader on the AKS cluster and on the group of its nodes is needed besides. In Kubernetes these are read, and never a secret; a role of exactly that:

\`\`\`sh
kubectl create clusterrole aro-hcp-verify --verb=get,list --resource=nodes,namespaces,pods,events,deployments.apps,secretproviderclasses.secrets-store.csi.x-k8s.io,secretproviderclasspodstatuses.secrets-store.csi.x-k8s.io
kubectl create clusterrolebinding aro-hcp-verify --clusterrole=aro-hcp-verify --user=USER
\`\`\`

${checkTable(identityChecks)}

## Infrastructure

\`aro-hcp verify infra\` compares every resource and property that \`create infra\` sets with what Azure has, and looks for what stalls a hosted cluster: locations
that differ, the workers' subnet, DNS that answers wrong, addresses that are used twice, missing roles, locks. It reads only, in 30 requests or so.

\`\`\`sh
aro-hcp verify infra --name demo --infra-id demo-x7k2 --base-domain example.com
aro-hcp verify infra --infra-json infra.json --managed-identities-file cp.json --data-plane-identities-file dp.json
aro-hcp verify infra --input-dir demo --cluster-cidr 10.200.0.0/16
\`\`\`

It takes the flags of \`create infra\`, or its output file, which says all but the address ranges: those of the network are taken as they are, unless
\`--vnet-cidr\` or \`--subnet-cidr\` says what they should be. What the file names and \`create infra\` would not name so was brought. A flag goes before the file.
Roles are checked where identities are given: \`--input-dir\` brings its own, and an output file of \`create all\` or \`create infra\` names those it gave roles. \`--cluster-cidr\` and \`--service-cidr\` are those that the cluster is
created with, by default hypershift's. That the zone above delegates to the public zone is asked of Azure alone: where that zone is not in the
subscription the check is skipped, and says what \`dig\` should answer.

What \`create infra\` would mend names its command; what nothing may mend under a running cluster says why. A resource on which an operation is in flight is
not judged. Whoever verifies needs to read the subscription (Reader), and the directory (\`Application.Read.All\`) where identities are given.

${checkTable(infraChecks)}
`;
}

function checkTable(checks: Readonly<Record<string, Check>>): string {
  const rows = Object.values(checks).map(({ id, sentence, severity }) => row([`\`${id}\``, sentence, severity]));
  return ["| check | what holds where it passes | otherwise |", "| --- | --- | --- |", ...rows].join("\n");
}

const scopeWords: Readonly<Record<RoleScope, string>> = { managed: "managed", nsg: "security group", vnet: "network", dns: "public zone" };

function componentTables(): string {
  const code = (text: string) => `\`${text}\``;
  const roleCells = (assigned: ComponentRole | undefined) => [
    assigned ? [assigned.role, ...(assigned.hcpRole ? [assigned.hcpRole] : [])].map(({ name }) => name).join("; or ") : "",
    assigned ? assigned.scopes.map((scope) => scopeWords[scope]).join(", ") : "",
    assigned ? code(assigned.component) : "",
  ];
  const control = controlPlaneComponents.map(({ key, field, pod, secretProviderClass, assigned, vaultRole }) => {
    const [role = "", groups = "", name = ""] = roleCells(assigned);
    const cells = vaultRole ? [vaultRole.name, "the vault of etcd's key", name] : [role, groups, name];
    return row([code(key), code(field), code(pod), code(secretProviderClass), ...cells]);
  });
  const data = dataPlaneComponents.map(({ key, field, subject, assigned }) =>
    row([code(key), code(field), code(subject), ...roleCells(assigned)]),
  );
  return `Components of the control plane; \`kms\` is made with \`--enable-kms\`. The second of two roles is the one of \`--assign-custom-hcp-roles\`:

| component | field | pod | SecretProviderClass | role | resource groups | HyperShift's name |
| --- | --- | --- | --- | --- | --- | --- |
${control.join("\n")}

Components of the guest cluster:

| component | field | subject of its token | role | resource groups | HyperShift's name |
| --- | --- | --- | --- | --- | --- |
${data.join("\n")}

\`create infra\` and \`create all\` assign the roles; nobody but the owner of the vault assigns that of \`kms\`.`;
}

/** The page is written by hand, but for its tables of components. */
function identitiesPage(): string {
  const page = readFileSync("docs/identities.md", "utf8");
  return page.replace(/(<!-- The tables of components: .* -->\n)[\s\S]*(<!-- end of the tables of components -->)/, (_all, start, end) =>
    [start, componentTables(), end].map(String).join("\n"),
  );
}

const pages = {
  "docs/identities.md": identitiesPage(),
  "docs/verify.md": verifyPage(),
  "docs/errors.md": errorsPage(),
  "docs/commands.md": commandsPage(),
  "docs/doctor.md": doctorPage(),
};
const check = process.argv.includes("--check");
for (const [file, wanted] of Object.entries(pages)) {
  if (!check) {
    writeFileSync(file, wanted);
  } else if (wanted !== readFileSync(file, "utf8")) {
    console.error(`${file} is not current: npm run docs`);
    process.exitCode = 1;
  }
}
