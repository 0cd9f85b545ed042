/** Checks of the issuer as Entra sees it: both documents fetched as anybody would, and the cluster's key among those that are published. */
import { advise, shell, type OwnCommand } from "../../errors/advice.js";
import type { Azure } from "../../azure/azure.js";
import { readText } from "../../files/text-file.js";
import { toFailure } from "../../azure/to-failure.js";
import { discoveryPath, keysIn } from "../../oidc/documents.js";
import { jwkOf, publicHalf, type Jwk } from "../../oidc/signing-key.js";
import { parseJsonObject } from "../../text/json.js";
import { broken, holds, notChecked, type Finding } from "../check.js";
import { checkInstance, type CheckInstance } from "../check-instance.js";
import type { IdentityChain } from "./chain.js";
import { identityChecks } from "./checks.js";
import { publishCommand } from "./publish-command.js";
import type { VaultLinks } from "./vault.js";

/** What service-account tokens are signed with. Holds a private key: nothing of `pem` may be shown. */
export interface SigningKey {
  readonly issuer: string;
  readonly pem: string;
  readonly kid: string;
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
/** What Entra makes of documents that it cannot fetch. */
const unseen = "Entra answers AADSTS50166";

/** What publishes the documents as they must be: asked for where they are not. */
type Publish = () => Promise<OwnCommand>;

export function issuerCheckInstances(
  azure: Azure,
  { issuerUrl, signingKeyPath }: IdentityChain,
  vaults: VaultLinks,
  own: readonly CheckInstance[],
): IssuerLinks {
  const publish: Publish = async () => publishCommand(azure, issuerUrl ?? "", signingKeyPath, (await vaults.advice()).set);
  const discovery = checkInstance(identityChecks["issuer-discovery"], subject, {}, () =>
    issuerUrl === undefined ? notChecked("no --oidc-issuer-url is given") : checkDiscovery(azure, publish, issuerUrl),
  );
  const whose = Object.fromEntries(own.map((instance) => [instance.subject, instance]));
  const signingKey = checkInstance(
    identityChecks["issuer-keys"],
    subject,
    { discovery },
    ({ discovery: discovered }, results) => {
      const stray = Object.values(results).some(({ result }) => result.state === "failed");
      return checkKeys(azure, publish, discovered, signingKeyPath, stray);
    },
    whose,
  );
  return { instances: [discovery, signingKey], signingKey };
}

async function checkDiscovery(azure: Azure, publish: Publish, issuer: string): Promise<Finding<Discovered>> {
  const url = `${issuer}/${discoveryPath}`;
  const seen = await fetched(azure, publish, url);
  if (typeof seen !== "string") return seen;
  const document = parseJsonObject(seen);
  const { issuer: named, jwks_uri: jwksUri } = document ?? {};
  const next = async () => advise`${await publish()} publishes it as it must be`;
  if (document === undefined) return broken(`${url} is not a JSON object; ${unseen}`, await next());
  if (named !== issuer) {
    return broken(
      `${url} names the issuer ${JSON.stringify(named) ?? "not at all"}, and tokens will name "${issuer}"; ${unseen}`,
      advise`${await next()}; where the document is right, give its issuer as --oidc-issuer-url here and to the HostedCluster`,
    );
  }
  if (typeof jwksUri !== "string" || !jwksUri.startsWith("https://")) {
    return broken(`${url} has no https address as jwks_uri; ${unseen}`, await next());
  }
  return holds(`${url}, key set at ${jwksUri}`, { issuer, jwksUri });
}

/** Entra must be able to read the keys, whether or not it is known which of them is the cluster's. */
async function checkKeys(
  azure: Azure,
  publish: Publish,
  { issuer, jwksUri }: Discovered,
  path: string | undefined,
  stray: boolean,
): Promise<Finding<SigningKey>> {
  const own = path === undefined ? undefined : await ownKey(path);
  const seen = await fetched(azure, publish, jwksUri);
  if (typeof seen !== "string") return seen;
  const keys = keysIn(seen);
  const next = async () => advise`${await publish()} publishes the public half of the key beside what is there`;
  if (keys === undefined) {
    return broken(
      `${jwksUri} is not a key set; ${unseen}`,
      advise`look at it, and delete the blob if nobody needs it: keys of others may be in it; then ${await next()}`,
    );
  }
  if (own === undefined) return notChecked("no --sa-token-issuer-private-key-path is given, so the cluster's key is not known");
  const { jwk, pem } = own;
  const published = keys.find(({ kid }) => kid === jwk.kid);
  if (published === undefined) {
    return broken(
      `key ${jwk.kid} of ${path ?? ""} is none of the ${String(keys.length)} at ${jwksUri}; Entra answers AADSTS7000272`,
      stray
        ? "the identity file names identities that are not its own, too: it seems to be of another cluster, or of an earlier one of the same name; give the files of this one, and do not publish that key"
        : advise`${await next()}; where that key set is right, give the key that it is of`,
    );
  }
  const wrong = (["kty", "alg", "use", "n", "e"] as const).filter((name) => (published as Partial<Jwk>)[name] !== jwk[name]);
  if (wrong.length > 0)
    return broken(`key ${jwk.kid} is published with another ${wrong.join(", ")}; Entra answers AADSTS50013`, await next());
  return holds(`key ${jwk.kid}, one of ${String(keys.length)}`, { issuer, pem, kid: jwk.kid });
}

async function ownKey(path: string): Promise<{ readonly pem: string; readonly jwk: Jwk }> {
  const { text: pem } = await readText(path);
  return { pem, jwk: jwkOf(publicHalf(pem, path), path) };
}

/** The text, or what Entra would say where it cannot have it: it follows no redirects to other hosts, and takes no certificate that is not trusted. */
async function fetched(azure: Azure, publish: Publish, url: string): Promise<string | Finding<never>> {
  let answer;
  try {
    answer = await azure.published(url, { brief: true });
  } catch (error) {
    const { code, because = "", azure: detail } = toFailure(error, url);
    if (detail?.code === "ENOTFOUND") return hostMissing(publish, url);
    return broken(
      `${url} cannot be fetched: ${code} ${detail?.code ?? ""} ${because}; ${unseen} or AADSTS90061`,
      "make the address reachable for everybody over HTTPS, with a certificate that everybody trusts",
    );
  }
  const { status, body } = answer;
  if (status === 200) return body;
  const code = answer.header("x-ms-error-code");
  // Of a proxy that looked for it.
  if (code === "HostNotResolved") return hostMissing(publish, url);
  const account = /^https:\/\/([a-z0-9]+)\.blob\./.exec(url)?.[1];
  return broken(
    `${url} is answered ${String(status)}${code === undefined ? "" : ` ${code}`}; ${unseen}`,
    code === "PublicAccessNotPermitted" && account !== undefined
      ? advise`${shell`az storage account update --name ${account} --allow-blob-public-access true`}; where that is undone, a policy does it: ask its owner`
      : advise`${await publish()} publishes the documents and makes them public`,
  );
}

async function hostMissing(publish: Publish, url: string): Promise<Finding<never>> {
  return broken(
    `there is no host ${new URL(url).hostname}: the storage account of the issuer is gone, or the address is wrong; ${unseen}`,
    advise`${await publish()} makes the account and publishes the documents; where another address is right, give it as --oidc-issuer-url here and to the HostedCluster`,
  );
}
