/** Checks of the control plane's identities in Entra, and the sign-in with the certificate of each secret. */
import { advise, shell } from "../../errors/advice.js";
import { impersonate, type Impersonate } from "../../azure/impersonate.js";
import type { Application, KeyCredential } from "../../azure/applications.js";
import { openAzure, type Azure } from "../../azure/azure.js";
import type { Principal } from "../../azure/directory.js";
import { signedIn } from "../../azure/signed-in.js";
import { rfc3339, thumbprintIn } from "../../domain/credential-secret.js";
import { plural } from "../../text/plural.js";
import { failed, passed, notChecked, notCheckedFor, type Finding } from "../../verify/check.js";
import { checkInstance, type ResultsOf, type CheckInstance } from "../../verify/check-instance.js";
import type { Credential, CredentialLink, IdentityChain } from "./chain.js";
import { identityChecks } from "./checks.js";
import { refusedToken } from "../../verify/entra-refusals.js";
import type { VaultLinks } from "./vault.js";
import { catchDirectoryDenied, type DirectoryLookup } from "./directory-lookup.js";
import { clientIdsIn } from "./identity-ownership.js";
import { sameText } from "../../text/same-text.js";

/** Azure as the signed-in identity sees it. */
export interface Acting {
  readonly azure: Azure;
  readonly clientId: string;
  /** Of its service principal, from its token. */
  readonly objectId: string;
}

/** A component of the control plane, with its checks in Entra. */
export interface EntraLink {
  readonly link: CredentialLink;
  readonly principal: CheckInstance<Principal>;
  readonly signIn: CheckInstance<Acting>;
}

/** Object ID of its service principal, from the directory or its token; undefined if neither is available. */
export function objectIdOf(results: {
  readonly principal: ResultsOf<{ readonly id: string }>;
  readonly signIn: ResultsOf<Acting>;
}): string | undefined {
  return results.principal.output?.value.id ?? results.signIn.output?.value.objectId;
}

export interface EntraLinks {
  readonly instances: readonly CheckInstance[];
  readonly controlPlane: readonly EntraLink[];
}

export function entraCheckInstances(
  azure: Azure,
  chain: IdentityChain,
  vaults: VaultLinks,
  lookup: DirectoryLookup,
  links: readonly CredentialLink[],
): EntraLinks {
  const acting = impersonate(azure.connection);
  // Declared as `after`, so that one request reads all, and a failed entry does not skip the others.
  const entries = Object.fromEntries(links.map(({ component, entry }) => [component.key, entry]));
  const controlPlane = links.map((link) => {
    const { component, entry, credential, prerequisites: soundness } = link;
    const principal = checkInstance(
      identityChecks["principal-exists"],
      component.key,
      { entry },
      ({ entry: { clientId } }, results) =>
        catchDirectoryDenied(async () =>
          checkPrincipals(azure, chain, vaults, clientId, await lookup.principals(clientId, clientIdsIn(results))),
        ),
      entries,
    );
    const key = checkInstance(
      identityChecks["application-key"],
      component.key,
      { credential, principal },
      ({ credential: held, principal: owner }, results) =>
        catchDirectoryDenied(async () => {
          const application = await lookup.application(held.clientId, clientIdsIn(results));
          return checkKey(azure, chain, vaults, { credential: held, principal: owner, application, component: component.key });
        }),
      entries,
    );
    const signIn = checkInstance(
      identityChecks["sign-in"],
      component.key,
      { credential, ...soundness },
      ({ credential: held }, results) => {
        const before = [results.principal, results.key].find(({ result }) => result.state === "failed");
        return before ? notCheckedFor(before.result) : signInWith(acting, vaults, held, component.key);
      },
      { principal, key },
    );
    return { link, principal, signIn, instances: [principal, key, signIn] };
  });
  return { instances: controlPlane.flatMap(({ instances }) => instances), controlPlane };
}

async function checkPrincipals(
  azure: Azure,
  { caller }: IdentityChain,
  vaults: VaultLinks,
  clientId: string,
  [principal, ...others]: readonly Principal[],
): Promise<Finding<Principal>> {
  if (principal === undefined) return missing(azure, vaults, caller.tenantId, clientId);
  if (others.length > 0) {
    return failed(
      `${plural(others.length + 1, "service principal")} have client ID ${clientId}`,
      "delete the wrong ones in the portal, under enterprise applications",
    );
  }
  const { id, displayName, accountEnabled, servicePrincipalType, appOwnerOrganizationId: home } = principal;
  if (!accountEnabled) {
    return failed(
      `service principal ${displayName} (${id}) is disabled: sign-in fails with AADSTS7000112`,
      shell`az ad sp update --id ${clientId} --set accountEnabled=true`,
    );
  }
  const note =
    servicePrincipalType === "ManagedIdentity"
      ? "; a managed identity"
      : isOf(caller.tenantId, home)
        ? ""
        : `; its application is in tenant ${home ?? ""}`;
  return passed(`${displayName}, object ID ${id}${note}`, principal);
}

/** A deleted application stays in the recycle bin with its service principal, and keeps its name for 30 days. */
async function missing(azure: Azure, vaults: VaultLinks, tenantId: string, clientId: string): Promise<Finding<never>> {
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
    `tenant ${tenantId} has no application and no service principal with client ID ${clientId}: sign-in fails with AADSTS700016`,
    advise`check the client ID in the file, and that the file is for this tenant; ${(await vaults.advice()).createWithFiles} creates what is missing and writes the file`,
  );
}

interface Registered {
  readonly credential: Credential;
  readonly principal: Principal;
  readonly application: Application | undefined;
  readonly component: string;
}

async function checkKey(
  azure: Azure,
  { now, caller }: IdentityChain,
  vaults: VaultLinks,
  { credential, principal, application, component }: Registered,
): Promise<Finding<unknown>> {
  const { clientId, thumbprint, notAfter } = credential;
  if (principal.servicePrincipalType === "ManagedIdentity")
    return notChecked("a managed identity has no application; Azure manages its certificates");
  if (application === undefined) {
    return notChecked(
      `its application is in tenant ${principal.appOwnerOrganizationId ?? "?"}, not in ${caller.tenantId}, so its keys cannot be read`,
    );
  }
  const key = await registered(azure, application, thumbprint);
  const advice = await vaults.advice();
  const renew = advise`or create a new one: ${advice.rotate(component)}`;
  if (key === undefined) {
    return failed(
      `application ${application.displayName} has ${plural(application.keyCredentials.length, "certificate")}, none with thumbprint ${thumbprint}: sign-in fails with AADSTS700027`,
      advise`register the certificate: ${advice.create} does so for applications that it created; for others, run ${shell`az ad app credential reset --id ${clientId} --append --cert @certificate.pem`} with the certificate of the secret`,
    );
  }
  const end = new Date(key.endDateTime);
  const validity = `${thumbprint} from ${key.startDateTime} to ${key.endDateTime}`;
  if (Date.parse(key.startDateTime) > now().getTime()) return failed(`${validity}: not valid yet`, advise`wait until then, ${renew}`);
  if (end.getTime() <= now().getTime())
    return failed(`${validity}: sign-in fails with AADSTS700027`, advise`create a new one: ${advice.rotate(component)}`);
  // Graph keeps whole seconds.
  if (end.getTime() < notAfter.getTime() - 1000) {
    return failed(
      `${validity}, but the certificate is valid to ${rfc3339(notAfter)}: sign-in fails before it expires`,
      advise`register the certificate for its whole validity period, ${renew}`,
    );
  }
  return passed(validity);
}

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

async function signInWith(acting: Impersonate, vaults: VaultLinks, credential: Credential, component: string): Promise<Finding<Acting>> {
  const { clientId, tenantId } = credential;
  try {
    const connection = await acting.withCertificate(credential);
    const { objectId, tenantId: tid } = await signedIn(connection);
    return passed(`signed in as object ID ${objectId} in tenant ${tid}`, { azure: openAzure(connection), clientId, objectId });
  } catch (error) {
    return refusedToken(error, { clientId, tenantId, renewal: (await vaults.advice()).rotate(component) });
  }
}

function isOf(tenantId: string, home: string | null): boolean {
  return sameText(home, tenantId);
}
