/** Checks of the data plane's managed identities, up to the token that Entra issues for a service-account token of the cluster. */
import { advise, shell } from "../../errors/advice.js";
import { createPrivateKey } from "node:crypto";
import type { FederatedIdentityCredential, Identity } from "@azure/arm-msi";
import { SignJWT } from "jose";
import { impersonate, type Impersonate } from "../../azure/impersonate.js";
import { openAzure, type Azure } from "../../azure/azure.js";
import type { Connection } from "../../azure/connection.js";
import { all } from "../../azure/pages.js";
import { signedIn } from "../../azure/signed-in.js";
import type { DataPlaneComponent } from "../../domain/components.js";
import { parseResourceId } from "../../domain/resource-id.js";
import { openShiftAudience as audience } from "../../domain/service-account-tokens.js";
import { plural } from "../../text/plural.js";
import { failed, passed, notChecked, type Finding } from "../../verify/check.js";
import { checkInstance, type CheckInstance } from "../../verify/check-instance.js";
import type { DataPlaneLink, IdentityChain } from "./chain.js";
import { identityChecks } from "./checks.js";
import type { Acting } from "./entra.js";
import { refusedToken } from "../../verify/entra-refusals.js";
import type { SigningKey } from "./issuer.js";
import type { VaultLinks } from "./vault.js";
import type { ListIdentities } from "./identity-ownership.js";
import { sameText } from "../../text/same-text.js";

/** A managed identity that exists. */
export interface FoundIdentity {
  /** Object ID of its service principal. */
  readonly id: string;
  readonly clientId: string;
  readonly tenantId: string;
  readonly groupName: string;
  readonly name: string;
}

export interface FederatedLink {
  readonly link: DataPlaneLink;
  readonly identity: CheckInstance<FoundIdentity>;
  readonly signIn: CheckInstance<Acting>;
}

export interface DataPlaneLinks {
  readonly instances: readonly CheckInstance[];
  readonly dataPlane: readonly FederatedLink[];
}

/** Enough for one exchange. */
const tokenLifeMs = 5 * 60_000;

export function dataPlaneCheckInstances(
  azure: Azure,
  { issuerUrl }: IdentityChain,
  vaults: VaultLinks,
  {
    links,
    identities,
    signingKey,
  }: { readonly links: readonly DataPlaneLink[]; readonly identities: ListIdentities; readonly signingKey: CheckInstance<SigningKey> },
): DataPlaneLinks {
  const { connection } = azure;
  const acting = impersonate(connection);
  const dataPlane = links.map((link) => {
    const { component, clientId } = link;
    const subject = component.key;
    const identity = checkInstance(identityChecks["identity-exists"], subject, { clientId }, async ({ clientId: wanted }) =>
      checkIdentity(azure, vaults, wanted.clientId, await identities()),
    );
    const federation = checkInstance(identityChecks.federation, subject, { identity }, ({ identity: found }) =>
      issuerUrl === undefined ? notChecked("--oidc-issuer-url is not specified") : checkFederation(azure, found, component, issuerUrl),
    );
    const signIn = checkInstance(
      identityChecks["federated-sign-in"],
      subject,
      { identity, federation, signingKey },
      ({ identity: found, signingKey: key }) => signInWith({ acting, connection }, vaults, found, component, key),
    );
    return { link, identity, signIn, instances: [identity, federation, signIn] };
  });
  return { instances: dataPlane.flatMap(({ instances }) => instances), dataPlane };
}

async function checkIdentity(
  { connection }: Azure,
  vaults: VaultLinks,
  clientId: string,
  listed: readonly Identity[],
): Promise<Finding<FoundIdentity>> {
  const live = listed.find((one) => sameText(one.clientId, clientId));
  if (live === undefined) {
    return failed(
      `none of the ${plural(listed.length, "visible managed identity", "visible managed identities")} in subscription ${connection.subscriptionId} has client ID ${clientId}: sign-in of the pods fails with AADSTS700016`,
      advise`set the correct client ID in the file (${shell`az identity list --query ${"[].{name:name,clientId:clientId}"}`} lists them), or create the identity: ${(await vaults.advice()).createWithFiles}. To see more identities, pass their subscription with --subscription, or verify with Reader on the whole subscription`,
    );
  }
  const { id = "", name = "", principalId = "", tenantId = "" } = live;
  const groupName = parseResourceId(id).resourceGroup ?? "";
  return passed(`${name} in ${groupName}, object ID ${principalId}`, { id: principalId, clientId, tenantId, groupName, name });
}

async function checkFederation(
  azure: Azure,
  { groupName, name }: FoundIdentity,
  { subject }: DataPlaneComponent,
  issuer: string,
): Promise<Finding<unknown>> {
  const { federatedIdentityCredentials } = await azure.identities();
  const live = await all(federatedIdentityCredentials.list(groupName, name));
  const right = live.find((one) => mismatches(one, issuer, subject).length === 0);
  if (right) return passed(`${right.name ?? ""}: ${subject}`);
  const nearest = live.toSorted((a, b) => mismatches(a, issuer, subject).length - mismatches(b, issuer, subject).length)[0];
  const command = (verb: string, credential: string) =>
    shell`az identity federated-credential ${verb} --name ${credential} --identity-name ${name} --resource-group ${groupName} --issuer ${issuer} --subject ${subject} --audiences ${audience}`;
  if (nearest === undefined) {
    return failed("it has no federated identity credential: sign-in fails with AADSTS70025", command("create", `${name}-fed-id`));
  }
  const wrong = live.map((one) => `${one.name ?? ""}: ${mismatches(one, issuer, subject).join(", ")}`);
  // With only one of three properties wrong, this credential is the one to update.
  const toUpdate = mismatches(nearest, issuer, subject).length === 1 ? nearest.name : undefined;
  return failed(wrong.join("; "), toUpdate === undefined ? command("create", `${name}-fed-id-2`) : command("update", toUpdate));
}

/** Entra compares exactly, including case. */
function mismatches(live: FederatedIdentityCredential, issuer: string, subject: string): string[] {
  const differs = (what: string, is: string | undefined, wanted: string, code: string) =>
    is === wanted ? [] : [`${what} "${is ?? ""}" is not "${wanted}" (${code})`];
  return [
    ...differs("issuer", live.issuer, issuer, "AADSTS700211"),
    ...differs("subject", live.subject, subject, "AADSTS700213"),
    ...(live.audiences?.includes(audience) ? [] : differs("audience", live.audiences?.join(", "), audience, "AADSTS700212")),
  ];
}

async function signInWith(
  { acting, connection: { clock, random } }: { readonly acting: Impersonate; readonly connection: Connection },
  vaults: VaultLinks,
  { clientId, tenantId }: FoundIdentity,
  { subject }: DataPlaneComponent,
  { issuer, pem, kid, publish }: SigningKey,
): Promise<Finding<Acting>> {
  const mint = () => {
    const now = clock.now();
    return new SignJWT({})
      .setProtectedHeader({ alg: "RS256", kid, typ: "JWT" })
      .setIssuer(issuer)
      .setSubject(subject)
      .setAudience(audience)
      .setIssuedAt(now)
      .setExpirationTime(new Date(now.getTime() + tokenLifeMs))
      .setJti(random.uuid())
      .sign(createPrivateKey(pem));
  };
  try {
    const connection = await acting.withAssertion({ tenantId, clientId }, mint);
    const { objectId, tenantId: tid } = await signedIn(connection);
    return passed(`signed in as object ID ${objectId} in tenant ${tid}`, { azure: openAzure(connection), clientId, objectId });
  } catch (error) {
    return refusedToken(error, { clientId, tenantId, renewal: (await vaults.advice()).create, publish });
  }
}
