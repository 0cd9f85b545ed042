/** Rows of the data plane's managed identities, up to the token that Entra issues for the cluster's token. */
import { advise, shell } from "../../errors/advice.js";
import { createPrivateKey } from "node:crypto";
import type { FederatedIdentityCredential } from "@azure/arm-msi";
import { SignJWT } from "jose";
import { impersonate } from "../../azure/impersonate.js";
import { openAzure } from "../../azure/azure.js";
import type { Connection } from "../../azure/connection.js";
import { all } from "../../azure/pages.js";
import { signedIn } from "../../azure/signed-in.js";
import { parseResourceId } from "../../domain/resource-id.js";
import { openShiftAudience as audience } from "../../domain/service-account-tokens.js";
import { plural } from "../../text/plural.js";
import { failed, passed, type Finding } from "../../verify/check.js";
import type { Acting } from "./entra.js";
import { refusedToken } from "../../verify/entra-refusals.js";
import { publishCommand, signingKey, type SigningKey } from "./issuer.js";
import { ownIdentity } from "./identity-ownership.js";
import { dataPlaneRow, issuerUrl } from "./reads.js";
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

/** Enough for one exchange. */
const tokenLifeMs = 5 * 60_000;

/** "none of the 3 visible managed identities" */
function noneOf(visible: number): string {
  if (visible === 0) return "no managed identity is visible, so none";
  return `none of the ${plural(visible, "visible managed identity")}`;
}

export const managedIdentity = dataPlaneRow(
  "identity-exists",
  { entry: ownIdentity },
  async ({ entry: { clientId } }, { azure: { connection }, identities, advice }): Promise<Finding<FoundIdentity>> => {
    const listed = await identities();
    const live = listed.find((one) => sameText(one.clientId, clientId));
    if (live === undefined) {
      return failed(
        `${noneOf(listed.length)} in subscription ${connection.subscriptionId} has client ID ${clientId}: sign-in of the pods fails with AADSTS700016`,
        advise`set the correct client ID in the file (${shell`az identity list --query ${"[].{name:name,clientId:clientId}"}`} lists them), or create the identity: ${(await advice()).createWithFiles}. To see more identities, pass their subscription with --subscription, or verify with Reader on the whole subscription`,
      );
    }
    const { id = "", name = "", principalId = "", tenantId = "" } = live;
    const groupName = parseResourceId(id).resourceGroup ?? "";
    return passed(`${name} in ${groupName}, object ID ${principalId}`, { id: principalId, clientId, tenantId, groupName, name });
  },
);

export const federation = dataPlaneRow(
  "federation",
  { identity: managedIdentity, issuer: issuerUrl },
  async ({ identity: { groupName, name }, issuer }, { azure }, { subject }) => {
    const { federatedIdentityCredentials } = await azure.identities();
    const listed = await all(federatedIdentityCredentials.list(groupName, name));
    const compared = listed.map((one) => ({ name: one.name, wrong: mismatches(one, issuer, subject) }));
    const right = compared.find(({ wrong }) => wrong.length === 0);
    if (right) return passed(`${right.name ?? ""}: ${subject}`);
    const [nearest] = compared.toSorted((a, b) => a.wrong.length - b.wrong.length);
    const command = (verb: string, credential: string) =>
      shell`az identity federated-credential ${verb} --name ${credential} --identity-name ${name} --resource-group ${groupName} --issuer ${issuer} --subject ${subject} --audiences ${audience}`;
    if (nearest === undefined) {
      return failed("it has no federated identity credential: sign-in fails with AADSTS70025", command("create", `${name}-fed-id`));
    }
    const evidence = compared.map((one) => `${one.name ?? ""}: ${one.wrong.join(", ")}`).join("; ");
    // With only one of three properties wrong, this credential is the one to update.
    const toUpdate = nearest.wrong.length === 1 ? nearest.name : undefined;
    return failed(evidence, toUpdate === undefined ? command("create", `${name}-fed-id-2`) : command("update", toUpdate));
  },
);

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

export const federatedSignIn = dataPlaneRow(
  "federated-sign-in",
  { identity: managedIdentity, federation, key: signingKey },
  async ({ identity: { clientId, tenantId }, key }, reads, { subject }): Promise<Finding<Acting>> => {
    const { connection: own } = reads.azure;
    try {
      const connection = await impersonate(own).withAssertion({ tenantId, clientId }, () => serviceAccountToken(own, key, subject));
      const { objectId: id, tenantId: tid } = await signedIn(connection);
      return passed(`signed in as object ID ${id} in tenant ${tid}`, { azure: openAzure(connection), clientId, id });
    } catch (error) {
      return refusedToken(error, { clientId, tenantId, renewal: (await reads.advice()).create, publish: () => publishCommand(reads) });
    }
  },
);

/** A token as the cluster's API server issues it to pods. */
function serviceAccountToken({ clock, random }: Connection, { issuer, pem, kid }: SigningKey, subject: string): Promise<string> {
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
}
