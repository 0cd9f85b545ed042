/** The commands that create, verify or destroy a member, with what the fleet decides: where their files are. */
import { join } from "node:path";
import { directoryFiles } from "../domain/directory-files.js";
import { Failure } from "../errors/failure.js";
import { readTextIfThere } from "../files/text-file.js";
import type { OtherCommand } from "../run/other-command.js";
import { parseJsonObject } from "../text/json.js";
import type { Member } from "./fleet-file.js";
import type { Verb } from "./domain/member-kinds.js";

export type MemberCommand = Pick<OtherCommand, "command" | "flags">;

/** Runs one command, and resolves with its document. @throws the failures of the command */
export type RunMemberCommand = (command: MemberCommand) => Promise<Readonly<Record<string, unknown>>>;

export interface MemberPlace {
  /** The directory with a folder for each member. */
  readonly outputDir: string;
  readonly dryRun: boolean;
  /** Only the settings are checked: what is created before counts as there. */
  readonly isCheck?: true;
}

const managementClusterFile = "management-cluster.json";

/** A cluster that uses identities of others has infrastructure alone; otherwise everything of it is its own. */
export function hasOwnSet({ set, settings }: Member): boolean {
  return set === undefined && settings.value["managedIdentitiesFile"] === undefined;
}

export function ownsApplications(member: Member): boolean {
  return member.kind === "sets" || (member.kind === "clusters" && hasOwnSet(member));
}

export async function runMember(verb: Verb, member: Member, place: MemberPlace, run: RunMemberCommand): Promise<void> {
  const directory = join(place.outputDir, member.name);
  switch (member.kind) {
    case "sets":
      return runSet(verb, member, { ...place, directory }, run);
    case "managementClusters":
      await run({
        command: `${verb} management-cluster`,
        flags: verb === "create" ? { outputFile: join(directory, managementClusterFile) } : {},
      });
      return;
    case "clusters":
      await run(hasOwnSet(member) ? await wholeCluster(verb, directory) : await clusterOfSet(verb, member, { ...place, directory }));
  }
}

interface MemberDirectory extends MemberPlace {
  readonly directory: string;
}

async function wholeCluster(verb: Verb, directory: string): Promise<MemberCommand> {
  const identitiesFile = join(directory, directoryFiles.identities);
  switch (verb) {
    case "create":
      return { command: "create all", flags: { outputDir: directory } };
    case "verify":
      return { command: "verify all", flags: { inputDir: directory } };
    case "destroy":
      return { command: "destroy all", flags: (await isThere(identitiesFile)) ? { identitiesFile } : {} };
  }
}

async function clusterOfSet(
  verb: Verb,
  { set }: Member,
  { outputDir, directory, dryRun, isCheck }: MemberDirectory,
): Promise<MemberCommand> {
  const file = set && join(outputDir, set.name, directoryFiles.identities);
  const isKnown = file === undefined || isCheck === true || (await isThere(file));
  const identities = file === undefined || !isKnown ? {} : { managedIdentitiesFile: file, dataPlaneIdentitiesFile: file };
  switch (verb) {
    case "create": {
      // A plan is possible before the set is.
      if (!isKnown && !dryRun) throw noSet(set?.name ?? "", file);
      const roles: MemberCommand["flags"] = isKnown ? { assignIdentityRoles: true } : {};
      return { command: "create infra", flags: { outputFile: join(directory, directoryFiles.infra), ...identities, ...roles } };
    }
    case "verify":
      return { command: "verify infra", flags: identities };
    case "destroy":
      return { command: "destroy infra", flags: {} };
  }
}

function noSet(name: string, file: string): Failure {
  return new Failure("ARO-FILE-001", `the identity set ${name} is not created yet: cannot read ${file}`, {
    next: [
      `create it before the clusters: pass its name to a create fleet of its own, create fleet ${name}`,
      "on another machine than that of the set, copy this file there: it contains no secret",
    ],
  });
}

/** A set has an issuer of its own, unless the file names another one. */
async function runSet(
  verb: Verb,
  { name, settings }: Member,
  { directory, dryRun }: MemberDirectory,
  run: RunMemberCommand,
): Promise<void> {
  const hasIssuer = settings.value["oidcIssuerUrl"] === undefined;
  const path = (file: keyof typeof directoryFiles) => join(directory, directoryFiles[file]);
  const identitiesFile = path("identities");
  switch (verb) {
    case "verify":
      await run({ command: "verify identities", flags: { inputDir: directory } });
      return;
    case "destroy":
      await run({ command: "destroy identities", flags: (await isThere(identitiesFile)) ? { identitiesFile } : {} });
      if (hasIssuer) await run({ command: "destroy oidc-issuer", flags: {} });
      return;
    case "create": {
      const outputs = {
        outputManagedIdentities: path("controlPlane"),
        outputDataPlaneIdentities: path("dataPlane"),
        outputFile: identitiesFile,
      };
      const issuer = hasIssuer ? { oidcIssuerUrl: dryRun ? await plannedIssuer(name, directory) : await createIssuer(directory, run) } : {};
      await run({ command: "create identities", flags: { ...outputs, ...issuer } });
    }
  }
}

async function createIssuer(outputDir: string, run: RunMemberCommand): Promise<string> {
  // Of a directory without its key, the create of an issuer that exists is refused: another key cannot be the lost one.
  await run({ command: "create key-pair", flags: { outputDir } });
  const { issuerURL } = await run({ command: "create oidc-issuer", flags: { outputDir } });
  if (typeof issuerURL !== "string") throw new Failure("ARO-BUG-001", "create oidc-issuer has no issuerURL in its result");
  return issuerURL;
}

/** The issuer that the directory is of. Of a set that does not exist yet, any address gives the same plan. */
async function plannedIssuer(name: string, directory: string): Promise<string> {
  const discovery = await readTextIfThere(join(directory, directoryFiles.discovery));
  const issuer = discovery && parseJsonObject(discovery.text)?.["issuer"];
  return typeof issuer === "string" ? issuer : `https://issuer.example.com/${name}`;
}

async function isThere(path: string): Promise<boolean> {
  return (await readTextIfThere(path)) !== undefined;
}
