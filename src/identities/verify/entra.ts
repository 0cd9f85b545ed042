/** Rows of the control plane's identities in Entra, and the sign-in with the certificate of each secret. */
import { advise, shell } from "../../errors/advice.js";
import { impersonate } from "../../azure/impersonate.js";
import type { Application, KeyCredential } from "../../azure/applications.js";
import { openAzure, type Azure } from "../../azure/azure.js";
import type { Principal } from "../../azure/directory.js";
import { signedIn } from "../../azure/signed-in.js";
import { thumbprintIn } from "../../domain/credential-secret.js";
import { plural } from "../../text/plural.js";
import { failed, passed, notChecked, type Finding } from "../../verify/check.js";
import { unlessFailed } from "../../verify/check-instance.js";
import { everyOf } from "../../verify/row.js";
import { refusedToken } from "../../verify/entra-refusals.js";
import { clientIdsIn } from "./file-set.js";
import { ownEntry } from "./identity-ownership.js";
import { controlPlaneRow, unlessDirectoryRefused, type IdentityReads } from "./reads.js";
import { credential, credentialEndpoint, credentialIdentity } from "./credential.js";
import { sameText } from "../../text/same-text.js";
import { rfc3339 } from "../../text/rfc3339.js";

/** Azure as the signed-in identity sees it. */
export interface Acting {
  readonly azure: Azure;
  readonly clientId: string;
  /** Object ID of its service principal, from its token. */
  readonly id: string;
}

/** All entries, so that one request reads all. */
const entries = everyOf(ownEntry);

export const principal = controlPlaneRow(
  "principal-exists",
  { entry: ownEntry, entries },
  ({ entry: { clientId }, entries: every }, reads) =>
    unlessDirectoryRefused(async (): Promise<Finding<Principal>> => {
      const [found, ...others] = await reads.principals(clientId, clientIdsIn(every));
      const { tenantId } = reads.chain.caller;
      if (found === undefined) return missing(reads, clientId);
      if (others.length > 0) {
        return failed(
          `${plural(others.length + 1, "service principal")} have client ID ${clientId}`,
          "delete the wrong ones in the portal, under enterprise applications",
        );
      }
      const { id, displayName, accountEnabled, servicePrincipalType, appOwnerOrganizationId: home } = found;
      if (!accountEnabled) {
        return failed(
          `service principal ${displayName} (${id}) is disabled: sign-in fails with AADSTS7000112`,
          shell`az ad sp update --id ${clientId} --set accountEnabled=true`,
        );
      }
      const note =
        servicePrincipalType === "ManagedIdentity"
          ? "; a managed identity"
          : sameText(home, tenantId)
            ? ""
            : `; its application is in tenant ${home ?? ""}`;
      return passed(`${displayName}, object ID ${id}${note}`, found);
    }),
);

/** A deleted application stays in the recycle bin with its service principal, and keeps its name for 30 days. */
async function missing({ azure, chain, advice }: IdentityReads, clientId: string): Promise<Finding<never>> {
  const directory = await azure.directory();
  const [live] = await directory.applicationsOf([clientId]);
  if (live) {
    return failed(
      `application ${live.displayName} exists, but its service principal does not: sign-in fails with AADSTS700016`,
      advise`${shell`az ad sp create --id ${clientId}`}; the new service principal has no roles: verify again, and check role-assigned shows how to assign them`,
    );
  }
  const deleted = await directory.deletedApplication(clientId);
  if (deleted) {
    return failed(
      `application ${deleted.displayName} was deleted on ${deleted.deletedDateTime}; it can be restored within 30 days`,
      shell`az rest --method POST --url ${azure.connection.cloud.graph}/v1.0/directory/deletedItems/${deleted.id}/restore`,
    );
  }
  return failed(
    `tenant ${chain.caller.tenantId} has no application and no service principal with client ID ${clientId}: sign-in fails with AADSTS700016`,
    advise`check the client ID in the file, and that the file is for this tenant; ${(await advice()).createWithFiles} creates what is missing and writes the file`,
  );
}

export const applicationKey = controlPlaneRow(
  "application-key",
  { credential, principal, entries },
  ({ credential: { clientId, thumbprint, notAfter }, principal: owner, entries: every }, reads, { key: component }) =>
    unlessDirectoryRefused(async () => {
      const application = await reads.application(clientId, clientIdsIn(every));
      const now = reads.chain.now().getTime();
      if (owner.servicePrincipalType === "ManagedIdentity")
        return notChecked("a managed identity has no application; Azure manages its certificates");
      if (application === undefined) {
        return notChecked(
          `its application is in tenant ${owner.appOwnerOrganizationId ?? "?"}, not in ${reads.chain.caller.tenantId}, so its keys cannot be read`,
        );
      }
      const key = await registered(reads.azure, application, thumbprint);
      const advice = await reads.advice();
      const renew = advise`or create a new one: ${advice.rotate(component)}`;
      if (key === undefined) {
        return failed(
          `application ${application.displayName} has ${plural(application.keyCredentials.length, "certificate")}, none with thumbprint ${thumbprint}: sign-in fails with AADSTS700027`,
          advise`register the certificate: ${advice.create} does so for applications that it created; for others, run ${shell`az ad app credential reset --id ${clientId} --append --cert @certificate.pem`} with the certificate of the secret`,
        );
      }
      const end = new Date(key.endDateTime);
      const validity = `${thumbprint} from ${key.startDateTime} to ${key.endDateTime}`;
      if (Date.parse(key.startDateTime) > now) return failed(`${validity}: not valid yet`, advise`wait until then, ${renew}`);
      if (end.getTime() <= now)
        return failed(`${validity}: sign-in fails with AADSTS700027`, advise`create a new one: ${advice.rotate(component)}`);
      // Graph keeps whole seconds.
      if (end.getTime() < notAfter.getTime() - 1000) {
        return failed(
          `${validity}, but the certificate is valid to ${rfc3339(notAfter)}: sign-in fails before it expires`,
          advise`register the certificate for its whole validity period, ${renew}`,
        );
      }
      return passed(validity);
    }),
);

/** Finds the key by the thumbprint in the list; if the identifier is something else, reads the certificates and compares those. */
async function registered(azure: Azure, application: Application, thumbprint: string): Promise<KeyCredential | undefined> {
  const { keyCredentials } = application;
  const known = keyCredentials.find(({ customKeyIdentifier }) => namesOf(customKeyIdentifier).includes(thumbprint));
  if (known !== undefined || keyCredentials.length === 0) return known;
  const whole = await (await azure.directory()).keyCredentialsOf(application.id);
  return whole.find(({ key }) => typeof key === "string" && thumbprintIn(Buffer.from(key, "base64")) === thumbprint);
}

function namesOf(identifier: string | null | undefined): string[] {
  const text = identifier ?? "";
  return [text.toUpperCase(), Buffer.from(text, "base64").toString("hex").toUpperCase()];
}

export const signIn = controlPlaneRow(
  "sign-in",
  { credential, identity: credentialIdentity, endpoint: credentialEndpoint, registered: unlessFailed(principal, applicationKey) },
  async ({ credential: held }, { azure, advice }, { key }): Promise<Finding<Acting>> => {
    const { clientId, tenantId } = held;
    try {
      const connection = await impersonate(azure.connection).withCertificate(held);
      const { objectId: id, tenantId: tid } = await signedIn(connection);
      return passed(`signed in as object ID ${id} in tenant ${tid}`, { azure: openAzure(connection), clientId, id });
    } catch (error) {
      return refusedToken(error, { clientId, tenantId, renewal: (await advice()).rotate(key) });
    }
  },
);
