/** Checks of what Entra knows of the control plane's identities, and the sign-in with the certificate of each secret. */
import { advise, shell } from "../../errors/advice.js";
import { impersonate, type Impersonate } from "../../azure/impersonate.js";
import type { Application, KeyCredential } from "../../azure/applications.js";
import { openAzure, type Azure } from "../../azure/azure.js";
import type { Principal } from "../../azure/directory.js";
import { signedIn } from "../../azure/signed-in.js";
import { rfc3339, thumbprintOf } from "../../domain/credential-secret.js";
import { broken, holds, notChecked, notCheckedFor, type Finding } from "../check.js";
import { checkInstance, type ResultsOf, type CheckInstance } from "../check-instance.js";
import type { Credential, CredentialLink, IdentityChain } from "./chain.js";
import { identityChecks } from "./checks.js";
import { refusedToken } from "./entra-refusals.js";
import type { VaultLinks } from "./vault.js";
import { unlessDirectoryDenied, type DirectoryLookup } from "./directory-lookup.js";
import { clientIdsIn } from "./identity-ownership.js";

/** Azure as an identity sees it that has signed in. */
export interface Acting {
  readonly azure: Azure;
  readonly clientId: string;
  /** Of its service principal, as its token says. */
  readonly objectId: string;
}

/** A component of the control plane, as far as Entra. */
export interface EntraLink {
  readonly link: CredentialLink;
  readonly principal: CheckInstance<Principal>;
  readonly signIn: CheckInstance<Acting>;
}

/** Object id of its service principal, as the directory or else its token tells it; undefined where neither does. */
export function objectIdOf(results: {
  readonly principal: ResultsOf<{ readonly id: string }>;
  readonly signIn: ResultsOf<Acting>;
}): string | undefined {
  return results.principal.handedOn?.value.id ?? results.signIn.handedOn?.value.objectId;
}

export interface EntraLinks {
  readonly instances: readonly CheckInstance[];
  readonly controlPlane: readonly EntraLink[];
}

export function entraCheckInstances(
  azure: Azure,
  chain: IdentityChain,
  vaults: VaultLinks,
  who: DirectoryLookup,
  links: readonly CredentialLink[],
): EntraLinks {
  const acting = impersonate(azure.connection);
  // Heard, so that all are asked for in one request; one that does not hold holds up no other.
  const entries = Object.fromEntries(links.map(({ component, entry }) => [component.key, entry]));
  const controlPlane = links.map((link) => {
    const { component, entry, credential, soundness } = link;
    const principal = checkInstance(
      identityChecks["principal-exists"],
      component.key,
      { entry },
      ({ entry: { clientId } }, results) =>
        unlessDirectoryDenied(async () =>
          checkPrincipals(azure, chain, vaults, clientId, await who.principals(clientId, clientIdsIn(results))),
        ),
      entries,
    );
    const key = checkInstance(
      identityChecks["application-key"],
      component.key,
      { credential, principal },
      ({ credential: held, principal: owner }, results) =>
        unlessDirectoryDenied(async () => {
          const application = await who.application(held.clientId, clientIdsIn(results));
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
    return broken(
      `${String(others.length + 1)} service principals have client ${clientId}`,
      "remove those that are not meant, in the portal, under enterprise applications",
    );
  }
  const { id, displayName, accountEnabled, servicePrincipalType, appOwnerOrganizationId: home } = principal;
  if (!accountEnabled) {
    return broken(
      `service principal ${displayName} (${id}) is disabled: Entra answers AADSTS7000112`,
      shell`az ad sp update --id ${clientId} --set accountEnabled=true`,
    );
  }
  const note =
    servicePrincipalType === "ManagedIdentity"
      ? "; a managed identity"
      : isOf(caller.tenantId, home)
        ? ""
        : `; its application is in tenant ${home ?? ""}`;
  return holds(`${displayName}, object ${id}${note}`, principal);
}

/** An application that was deleted lies in the bin with its service principal, and keeps its name for 30 days. */
async function missing(azure: Azure, vaults: VaultLinks, tenantId: string, clientId: string): Promise<Finding<never>> {
  const directory = await azure.directory();
  const [live] = await directory.applicationsOf([clientId]);
  if (live) {
    return broken(
      `application ${live.displayName} is there, its service principal is not: Entra answers AADSTS700016`,
      advise`${shell`az ad sp create --id ${clientId}`}; its roles were those of the one that is gone: verify again, and role-assigned tells how the new one gets them`,
    );
  }
  const deleted = await directory.deletedApplication(clientId);
  if (deleted) {
    return broken(
      `application ${deleted.displayName} was deleted on ${deleted.deletedDateTime}, and can be recovered for 30 days from then`,
      shell`az rest --method POST --url ${azure.connection.cloud.graph}/v1.0/directory/deletedItems/${deleted.id}/restore`,
    );
  }
  return broken(
    `tenant ${tenantId} has no application and no service principal with client ${clientId}: Entra answers AADSTS700016`,
    advise`check the client id in the file, and that the file is of this tenant; ${(await vaults.advice()).makeWithFiles} makes what is missing and writes the file`,
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
    return notChecked("a managed identity has no application: Azure keeps its certificates");
  if (application === undefined) {
    return notChecked(
      `its application is in tenant ${principal.appOwnerOrganizationId ?? "?"}, not in ${caller.tenantId}: its keys cannot be read here`,
    );
  }
  const key = await registered(azure, application, thumbprint);
  const advice = await vaults.advice();
  const renew = advise`or make a new one: ${advice.rotate(component)}`;
  if (key === undefined) {
    return broken(
      `application ${application.displayName} has ${String(application.keyCredentials.length)} certificates, none with thumbprint ${thumbprint}: Entra answers AADSTS700027`,
      advise`put it there: ${advice.make} does so for those that it made; else ${shell`az ad app credential reset --id ${clientId} --append --cert @certificate.pem`} with the certificate of the secret`,
    );
  }
  const end = new Date(key.endDateTime);
  const says = `${thumbprint} from ${key.startDateTime} to ${key.endDateTime}`;
  if (Date.parse(key.startDateTime) > now().getTime()) return broken(`${says}: not yet`, advise`wait until then, ${renew}`);
  if (end.getTime() <= now().getTime())
    return broken(`${says}: Entra answers AADSTS700027`, advise`make a new one: ${advice.rotate(component)}`);
  // Graph keeps whole seconds.
  if (end.getTime() < notAfter.getTime() - 1000) {
    return broken(
      `${says}, the certificate to ${rfc3339(notAfter)}: it fails before it expires`,
      advise`register it for its whole life, ${renew}`,
    );
  }
  return holds(says);
}

/** By its thumbprint, which lists tell; the certificate itself is read where whoever registered it called it otherwise. */
async function registered(azure: Azure, application: Application, thumbprint: string): Promise<KeyCredential | undefined> {
  const { keyCredentials } = application;
  const known = keyCredentials.find(({ customKeyIdentifier }) => namesOf(customKeyIdentifier).includes(thumbprint));
  if (known !== undefined || keyCredentials.length === 0) return known;
  const whole = await (await azure.directory()).keyCredentialsOf(application.id);
  return whole.find(({ key }) => key !== null && thumbprintOf(Buffer.from(key, "base64")) === thumbprint);
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
    return holds(`signed in as object ${objectId} of tenant ${tid}`, { azure: openAzure(connection), clientId, objectId });
  } catch (error) {
    return refusedToken(error, { clientId, tenantId, renewal: (await vaults.advice()).rotate(component) });
  }
}

function isOf(tenantId: string, home: string | null): boolean {
  return home?.toLowerCase() === tenantId.toLowerCase();
}
