/** Refuses to overwrite the output files of another cluster, identity set or issuer. */
import { join } from "node:path";
import { kindFacts, type AksClusterKey } from "../../domain/aks/cluster-kind.js";
import { directoryFiles } from "../../domain/directory-files.js";
import { Failure } from "../../errors/failure.js";
import { kindIn } from "../../files/aks-cluster-output.js";
import { readInfraToDestroy } from "../../files/infra-output.js";
import { readDocument } from "../../files/read.js";
import { sameText } from "../../text/same-text.js";
import { undefinedIfUnusable } from "./kept-options.js";

export interface OutputCluster {
  readonly name: string;
  readonly infraId: string;
  readonly subscriptionId: string;
}

/**
 * A file that is missing or cannot be read belongs to nobody.
 * @throws ARO-FILE-004
 */
export async function requireOwnInfraFile(path: string | undefined, cluster: OutputCluster): Promise<void> {
  const owner = path === undefined ? undefined : await otherCluster(path, cluster);
  if (path === undefined || owner === undefined) return;
  throw otherOwner(`${path} belongs to ${owner}`, "--output-file");
}

/**
 * A file that is missing or cannot be read belongs to nobody; any other document is kept.
 * @throws ARO-FILE-004
 */
export async function requireOwnClusterFile(
  path: string | undefined,
  { kind, name, subscriptionId }: AksClusterKey & { readonly subscriptionId: string },
): Promise<void> {
  const content = path === undefined ? undefined : await contentOf(path);
  if (path === undefined || content === undefined) return;
  const found = kindIn(content);
  if (found === undefined) throw otherOwner(`${path} is not an output file of create ${kind}`, "--output-file");
  const [owner, subscription = subscriptionId] = [textAt(content, ["name"]), textAt(content, ["subscriptionID"])];
  if (found !== kind || owner !== name) {
    throw otherOwner(`${path} belongs to ${kindFacts[found].label} ${owner ?? "without a name"}`, "--output-file");
  }
  if (!sameText(subscription, subscriptionId)) {
    throw otherOwner(`${path} belongs to ${kindFacts[kind].label} ${name} in subscription ${subscription}`, "--output-file");
  }
}

/**
 * The infrastructure file decides; without one, the issuer's document does.
 * @throws ARO-FILE-004
 */
export async function requireOwnDirectory(directory: string, cluster: OutputCluster, issuerUrl: () => Promise<string>): Promise<void> {
  const path = join(directory, directoryFiles.infra);
  if ((await undefinedIfUnusable(readInfraToDestroy(path))) === undefined) return requireOwnIssuer(directory, issuerUrl);
  const owner = await otherCluster(path, cluster);
  if (owner !== undefined) throw otherOwner(`${directory} contains the files of ${owner}`, "--output-dir");
}

/** @throws ARO-FILE-004 */
export async function requireOwnIssuer(directory: string | undefined, issuerUrl: () => Promise<string>): Promise<void> {
  if (directory === undefined) return;
  const issuer = textAt(await contentOf(join(directory, directoryFiles.discovery)), ["issuer"]);
  if (issuer !== undefined && issuer !== (await issuerUrl()))
    throw otherOwner(`${directory} contains the files of issuer ${issuer}`, "--output-dir");
}

/**
 * Files of the data plane contain only client IDs, so they belong to nobody.
 * @throws ARO-FILE-004
 */
export async function requireOwnIdentityFile(path: string | undefined, vaultName: string, flag: `--${string}`): Promise<void> {
  if (path === undefined) return;
  const content = await contentOf(path);
  const vault = ["managedIdentitiesKeyVault", "name"];
  const found = textAt(content, ["controlPlane", ...vault]) ?? textAt(content, vault);
  if (found !== undefined && !sameText(found, vaultName)) {
    throw otherOwner(`${path} contains the identities in vault ${found}, not in ${vaultName}`, flag);
  }
}

function otherOwner(message: string, flag: string): Failure {
  return new Failure("ARO-FILE-004", message, {
    because: "the run would overwrite it",
    next: [`choose another ${flag}, or delete the old files if nobody needs them`],
  });
}

async function otherCluster(path: string, { name, infraId, subscriptionId }: OutputCluster): Promise<string | undefined> {
  const document = await undefinedIfUnusable(readInfraToDestroy(path));
  if (document === undefined) return undefined;
  const { infraID, clusterName = name, subscriptionID = subscriptionId } = document;
  if (infraID !== infraId) return infraID;
  if (clusterName !== name) return `cluster ${clusterName}, infra ID ${infraID}`;
  return sameText(subscriptionID, subscriptionId) ? undefined : `${infraID} in subscription ${subscriptionID}`;
}

async function contentOf(path: string): Promise<unknown> {
  return (await undefinedIfUnusable(readDocument(path)))?.value;
}

function textAt(value: unknown, [key, ...rest]: readonly string[]): string | undefined {
  if (key === undefined) return typeof value === "string" ? value : undefined;
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return textAt((value as Readonly<Record<string, unknown>>)[key], rest);
}
