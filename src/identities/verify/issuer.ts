/** Rows of the issuer as Entra sees it: both documents are fetched anonymously, and the key set contains the cluster's key. */
import { dirname, join } from "node:path";
import type { StorageAccount } from "@azure/arm-storage";
import { advise, aroHcp, blank, shell, type OwnCommand } from "../../errors/advice.js";
import type { Azure } from "../../azure/azure.js";
import { readText, readTextIfThere } from "../../files/text-file.js";
import { Failure } from "../../errors/failure.js";
import { orRefused } from "../../azure/or-refused.js";
import { all } from "../../azure/pages.js";
import { toFailure } from "../../azure/to-failure.js";
import { directoryFiles } from "../../domain/directory-files.js";
import { identitySetTag } from "../../domain/ownership.js";
import { parseResourceId } from "../../domain/resource-id.js";
import { tagValue } from "../../domain/tags.js";
import { discoveryPath, keysIn } from "../../oidc/documents.js";
import { jwkOf, publicHalf, type Jwk } from "../../oidc/signing-key.js";
import { parseJsonObject } from "../../text/json.js";
import { plural } from "../../text/plural.js";
import { failed, passed, notChecked, type Finding } from "../../verify/check.js";
import { everyOf } from "../../verify/row.js";
import { ownIdentity } from "./identity-ownership.js";
import type { KnownSet } from "./advice.js";
import { issuerUrl, row, type IdentityReads } from "./reads.js";

/** The key that signs service-account tokens. Contains a private key: never show `pem`. */
export interface SigningKey {
  readonly issuer: string;
  readonly pem: string;
  readonly kid: string;
}

/** How Entra responds if it cannot fetch the documents. */
const signInFails = "sign-in fails with AADSTS50166";

export const discovery = row("issuer-discovery", { issuer: issuerUrl }, async ({ issuer }, reads) => {
  const url = `${issuer}/${discoveryPath}`;
  const seen = await fetched(reads, url);
  if (typeof seen !== "string") return seen;
  const document = parseJsonObject(seen);
  const { issuer: named, jwks_uri: jwksUri } = document ?? {};
  const next = async () => advise`${await publishCommand(reads)} publishes a correct document`;
  if (document === undefined) return failed(`${url} is not a JSON object; ${signInFails}`, await next());
  if (named !== issuer) {
    return failed(
      `the issuer in ${url} is ${JSON.stringify(named) ?? "missing"}, but tokens have the issuer "${issuer}"; ${signInFails}`,
      advise`${await next()}; if the document is correct, pass its issuer as --oidc-issuer-url here and in the HostedCluster`,
    );
  }
  if (typeof jwksUri !== "string" || !jwksUri.startsWith("https://")) {
    return failed(`jwks_uri in ${url} is not an HTTPS address; ${signInFails}`, await next());
  }
  return passed(`${url}, key set at ${jwksUri}`, { issuer, jwksUri });
});

/** Reads the key set even if the cluster's key is unknown, because Entra must be able to read it. */
export const signingKey = row(
  "issuer-keys",
  { discovered: discovery, identities: everyOf(ownIdentity) },
  async ({ discovered: { issuer, jwksUri }, identities }, reads): Promise<Finding<SigningKey>> => {
    const path = reads.chain.signingKeyPath;
    const hasOwnershipFailure = identities.some(({ result }) => result.state === "failed");
    const own = path === undefined ? undefined : await ownKey(path);
    const seen = await fetched(reads, jwksUri);
    if (typeof seen !== "string") return seen;
    const keys = keysIn(seen);
    const next = async () => advise`${await publishCommand(reads)} adds the public key to the key set`;
    if (keys === undefined) {
      return failed(
        `${jwksUri} is not a JSON Web Key Set; ${signInFails}`,
        advise`inspect the blob, which may contain keys of other clusters, and delete it if it is not needed; then ${await next()}`,
      );
    }
    if (own === undefined) return notChecked("--sa-token-issuer-private-key-path is not specified, so the cluster's key is unknown");
    const { jwk, pem } = own;
    const published = keys.find(({ kid }) => kid === jwk.kid);
    if (published === undefined) {
      return failed(
        `key ${jwk.kid} of ${path ?? ""} is not among the ${plural(keys.length, "key")} at ${jwksUri}; sign-in fails with AADSTS7000272`,
        hasOwnershipFailure
          ? "the identity file also contains identities of other components or sets, so these files seem to belong to another or an earlier cluster of the same name; pass the files of this cluster, and do not publish that key"
          : advise`${await next()}; if the published key set is correct, pass its private key instead`,
      );
    }
    const wrong = (["kty", "alg", "use", "n", "e"] as const).filter((name) => (published as Partial<Jwk>)[name] !== jwk[name]);
    if (wrong.length > 0)
      return failed(`key ${jwk.kid} is published with a different ${wrong.join(", ")}; sign-in fails with AADSTS50013`, await next());
    return passed(`key ${jwk.kid}, one of ${plural(keys.length, "published key")}`, { issuer, pem, kid: jwk.kid });
  },
);

/** A command that is killed during an upload with an account key leaves the keys turned on. */
export const issuerAccount = row("issuer-account", { issuer: issuerUrl }, async ({ issuer }, { azure }) => {
  const name = accountNameOf(azure, new URL(issuer));
  if (name === undefined) return notChecked("the issuer is not in a storage account");
  const account = await accountNamed(azure, name);
  if (account === undefined) return notChecked(`storage account "${name}" is not visible in this subscription`);
  const { allowSharedKeyAccess, tags } = account;
  if (tagValue(tags, identitySetTag) === undefined) return notChecked(`storage account "${name}" does not belong to an identity set`);
  if (allowSharedKeyAccess === false) return passed(`storage account "${name}" requires a role`);
  return failed(
    `storage account "${name}" accepts its keys; anyone who has one can publish signing keys without a role`,
    advise`${shell`az storage account update --name ${name} --allow-shared-key-access false`}; a rerun of the create also turns them off`,
  );
});

async function ownKey(path: string): Promise<{ readonly pem: string; readonly jwk: Jwk }> {
  const { text: pem } = await readText(path);
  return { pem, jwk: jwkOf(publicHalf(pem, path), path) };
}

/** The text, or the finding if Entra could not fetch it: Entra follows no redirects to other hosts, and needs a trusted certificate. */
async function fetched(reads: IdentityReads, url: string): Promise<string | Finding<never>> {
  let answer;
  try {
    answer = await reads.azure.published(url, { brief: true });
  } catch (error) {
    // Not an answer of the issuer at all: this computer's network is at fault.
    if (error instanceof Failure) throw error;
    const { code, because = "", azure: detail } = toFailure(error, url);
    if (detail?.code === "ENOTFOUND") return hostMissing(reads, url);
    return failed(
      `${url} cannot be fetched: ${code} ${detail?.code ?? ""} ${because}; ${signInFails} or AADSTS90061`,
      "make the address publicly reachable over HTTPS, with a publicly trusted certificate",
    );
  }
  const { status, body } = answer;
  if (status === 200) return body;
  const code = answer.header("x-ms-error-code");
  // The error code of a proxy that could not resolve the host.
  if (code === "HostNotResolved") return hostMissing(reads, url);
  const account = /^https:\/\/([a-z0-9]+)\.blob\./.exec(url)?.[1];
  return failed(
    `${url} returned ${String(status)}${code === undefined ? "" : ` ${code}`}; ${signInFails}`,
    code === "PublicAccessNotPermitted" && account !== undefined
      ? advise`${shell`az storage account update --name ${account} --allow-blob-public-access true`}; if the setting is reverted, an Azure policy does so; ask its owner for an exemption`
      : advise`${await publishCommand(reads)} publishes the documents and makes them public`,
  );
}

async function hostMissing(reads: IdentityReads, url: string): Promise<Finding<never>> {
  return failed(
    `host ${new URL(url).hostname} does not exist: the issuer's storage account was deleted, or the address is wrong; ${signInFails}`,
    advise`${await publishCommand(reads)} creates the account and publishes the documents; if the address is wrong, pass the correct one as --oidc-issuer-url here and in the HostedCluster`,
  );
}

/** The command that publishes the correct documents. Complete if aro-hcp created the issuer's storage account in this subscription, and if the public key is next to the private one. */
export async function publishCommand({ azure, chain, advice }: IdentityReads): Promise<OwnCommand> {
  const place = await placeOf(azure, new URL(chain.issuerUrl ?? ""), (await advice()).set);
  const key = await publicHalfOf(chain.signingKeyPath);
  const publicKeyFile = key === undefined ? blank("public key file") : [key];
  return aroHcp("create oidc-issuer", { ...(place ?? { identitiesName: blank("identity set") }), publicKeyFile });
}

/** The storage account of an issuer; undefined if it is at another address. */
function accountNameOf(azure: Azure, { hostname }: URL): string | undefined {
  const suffix = `.${azure.connection.cloud.blobSuffix}`;
  return hostname.endsWith(suffix) ? hostname.slice(0, -suffix.length) : undefined;
}

/** Undefined without the permission to list, and for an account in another subscription. */
async function accountNamed(azure: Azure, name: string): Promise<StorageAccount | undefined> {
  const { storageAccounts } = await azure.storage();
  return (await orRefused(all(storageAccounts.list())))?.find((one) => one.name === name);
}

/** For a deleted account, the set and the address provide everything except the resource group. */
async function placeOf(azure: Azure, url: URL, ownSet: KnownSet | undefined) {
  const name = accountNameOf(azure, url);
  if (name === undefined) return undefined;
  const { pathname } = url;
  const account = await accountNamed(azure, name);
  const address = { storageAccountName: name, blobContainerName: pathname.slice(1) };
  if (account === undefined && ownSet !== undefined) return { identitiesName: ownSet.name, ...address, location: ownSet.location };
  const set = tagValue(account?.tags, identitySetTag);
  if (account?.id === undefined || set === undefined) return undefined;
  return { identitiesName: set, oidcResourceGroupName: parseResourceId(account.id).resourceGroup, ...address, location: account.location };
}

/** The public key file next to a private key that `create key-pair` created. */
async function publicHalfOf(privateKey: string | undefined): Promise<string | undefined> {
  if (privateKey === undefined || !privateKey.endsWith(directoryFiles.privateKey)) return undefined;
  const path = join(dirname(privateKey), directoryFiles.publicKey);
  return (await readTextIfThere(path)) === undefined ? undefined : path;
}
