/** Checks of the issuer as Entra sees it: both documents are fetched anonymously, and the key set contains the cluster's key. */
import { advise, shell, type OwnCommand } from "../../errors/advice.js";
import type { Azure } from "../../azure/azure.js";
import { readText } from "../../files/text-file.js";
import { Failure } from "../../errors/failure.js";
import { toFailure } from "../../azure/to-failure.js";
import { identitySetTag } from "../../domain/ownership.js";
import { tagValue } from "../../domain/tags.js";
import { discoveryPath, keysIn } from "../../oidc/documents.js";
import { jwkOf, publicHalf, type Jwk } from "../../oidc/signing-key.js";
import { parseJsonObject } from "../../text/json.js";
import { plural } from "../../text/plural.js";
import { failed, passed, notChecked, type Finding } from "../../verify/check.js";
import { checkInstance, type CheckInstance } from "../../verify/check-instance.js";
import type { IdentityChain } from "./chain.js";
import { identityChecks } from "./checks.js";
import { accountNamed, accountNameOf, publishCommand } from "./publish-command.js";
import type { VaultLinks } from "./vault.js";

/** The key that signs service-account tokens. Contains a private key: never show `pem`. */
export interface SigningKey {
  readonly issuer: string;
  readonly pem: string;
  readonly kid: string;
  readonly publish: Publish;
}

export interface IssuerLinks {
  readonly instances: readonly CheckInstance[];
  readonly signingKey: CheckInstance<SigningKey>;
}

interface Discovered {
  readonly issuer: string;
  readonly jwksUri: string;
}

const subject = "issuer";
/** How Entra responds if it cannot fetch the documents. */
const signInFails = "sign-in fails with AADSTS50166";

/** Returns the command that publishes the correct documents; called only for wrong ones. */
type Publish = () => Promise<OwnCommand>;

export function issuerCheckInstances(
  azure: Azure,
  { issuerUrl, signingKeyPath }: IdentityChain,
  vaults: VaultLinks,
  own: readonly CheckInstance[],
): IssuerLinks {
  const publish: Publish = async () => publishCommand(azure, issuerUrl ?? "", signingKeyPath, (await vaults.advice()).set);
  const discovery = checkInstance(identityChecks["issuer-discovery"], subject, {}, () =>
    issuerUrl === undefined ? notChecked("--oidc-issuer-url is not specified") : checkDiscovery(azure, publish, issuerUrl),
  );
  const ownership = Object.fromEntries(own.map((instance) => [instance.subject, instance]));
  const signingKey = checkInstance(
    identityChecks["issuer-keys"],
    subject,
    { discovery },
    ({ discovery: discovered }, results) => {
      const hasOwnershipFailure = Object.values(results).some(({ result }) => result.state === "failed");
      return checkKeys(azure, publish, discovered, signingKeyPath, hasOwnershipFailure);
    },
    ownership,
  );
  const account = checkInstance(identityChecks["issuer-account"], subject, {}, () =>
    issuerUrl === undefined ? notChecked("--oidc-issuer-url is not specified") : checkAccount(azure, issuerUrl),
  );
  return { instances: [discovery, signingKey, account], signingKey };
}

/** A command that is killed during an upload with an account key leaves the keys turned on. */
async function checkAccount(azure: Azure, issuerUrl: string): Promise<Finding<undefined>> {
  const name = accountNameOf(azure, new URL(issuerUrl));
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
}

async function checkDiscovery(azure: Azure, publish: Publish, issuer: string): Promise<Finding<Discovered>> {
  const url = `${issuer}/${discoveryPath}`;
  const seen = await fetched(azure, publish, url);
  if (typeof seen !== "string") return seen;
  const document = parseJsonObject(seen);
  const { issuer: named, jwks_uri: jwksUri } = document ?? {};
  const next = async () => advise`${await publish()} publishes a correct document`;
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
}

/** Reads the key set even if the cluster's key is unknown, because Entra must be able to read it. */
async function checkKeys(
  azure: Azure,
  publish: Publish,
  { issuer, jwksUri }: Discovered,
  path: string | undefined,
  hasOwnershipFailure: boolean,
): Promise<Finding<SigningKey>> {
  const own = path === undefined ? undefined : await ownKey(path);
  const seen = await fetched(azure, publish, jwksUri);
  if (typeof seen !== "string") return seen;
  const keys = keysIn(seen);
  const next = async () => advise`${await publish()} adds the public key to the key set`;
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
  return passed(`key ${jwk.kid}, one of ${plural(keys.length, "published key")}`, { issuer, pem, kid: jwk.kid, publish });
}

async function ownKey(path: string): Promise<{ readonly pem: string; readonly jwk: Jwk }> {
  const { text: pem } = await readText(path);
  return { pem, jwk: jwkOf(publicHalf(pem, path), path) };
}

/** The text, or the finding if Entra could not fetch it: Entra follows no redirects to other hosts, and needs a trusted certificate. */
async function fetched(azure: Azure, publish: Publish, url: string): Promise<string | Finding<never>> {
  let answer;
  try {
    answer = await azure.published(url, { brief: true });
  } catch (error) {
    // Not an answer of the issuer at all: this computer's network is at fault.
    if (error instanceof Failure) throw error;
    const { code, because = "", azure: detail } = toFailure(error, url);
    if (detail?.code === "ENOTFOUND") return hostMissing(publish, url);
    return failed(
      `${url} cannot be fetched: ${code} ${detail?.code ?? ""} ${because}; ${signInFails} or AADSTS90061`,
      "make the address publicly reachable over HTTPS, with a publicly trusted certificate",
    );
  }
  const { status, body } = answer;
  if (status === 200) return body;
  const code = answer.header("x-ms-error-code");
  // The error code of a proxy that could not resolve the host.
  if (code === "HostNotResolved") return hostMissing(publish, url);
  const account = /^https:\/\/([a-z0-9]+)\.blob\./.exec(url)?.[1];
  return failed(
    `${url} returned ${String(status)}${code === undefined ? "" : ` ${code}`}; ${signInFails}`,
    code === "PublicAccessNotPermitted" && account !== undefined
      ? advise`${shell`az storage account update --name ${account} --allow-blob-public-access true`}; if the setting is reverted, an Azure policy does so; ask its owner for an exemption`
      : advise`${await publish()} publishes the documents and makes them public`,
  );
}

async function hostMissing(publish: Publish, url: string): Promise<Finding<never>> {
  return failed(
    `host ${new URL(url).hostname} does not exist: the issuer's storage account was deleted, or the address is wrong; ${signInFails}`,
    advise`${await publish()} creates the account and publishes the documents; if the address is wrong, pass the correct one as --oidc-issuer-url here and in the HostedCluster`,
  );
}
