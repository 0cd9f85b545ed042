/** The Entra application of a component, its service principal, and the public half of its certificate. */
import type { Application, DeletedApplication, KeyCredential } from "../azure/applications.js";
import type { Azure } from "../azure/azure.js";
import { azureCodeOf } from "../azure/azure-error.js";
import { defineStep, type Change, type Step } from "../engine/step.js";
import { Failure } from "../errors/failure.js";
import { Stale } from "../errors/stale.js";
import type { ControlPlaneComponent } from "../infra/components.js";
import { rfc3339, thumbprintOf } from "../infra/credential-secret.js";
import { applicationDisplayName, applicationUniqueName } from "../infra/identity-names.js";
import type { IdentitySetKey } from "../infra/identity-spec.js";
import { identitySetTag } from "../infra/ownership.js";
import type { CertificateOutput } from "./certificates.js";

export interface ApplicationOutput {
  /** Object id. */
  readonly id: string;
  readonly clientId: string;
  readonly uniqueName: string;
  readonly keyCredentials: readonly KeyCredential[];
}

/** A directory's replicas take seconds to agree on what was made a moment ago. */
const replicaPauseMs = 2_000;
const replicaTries = 60;

/** What the directory holds under the unique name. A deleted one holds it for 30 days. */
interface LiveApplication {
  readonly application?: Application;
  readonly deleted?: DeletedApplication;
}

/** The deleted ones of a set, listed once however many of its applications are looked for. */
export type DeletedOfSet = () => Promise<readonly DeletedApplication[]>;

export function application(
  azure: Azure,
  key: IdentitySetKey,
  component: ControlPlaneComponent,
  deletedOfSet: DeletedOfSet,
): Step<ApplicationOutput> {
  const uniqueName = applicationUniqueName(key, component);
  const displayName = applicationDisplayName(key, component);
  const tag = `${identitySetTag}:${key.name}`;
  return defineStep({
    id: `application-${component.name}`,
    title: `application ${displayName}`,
    needs: {},
    // Under a name that only this set derives: what appears there meanwhile was made by another run of the same command.
    upserts: true,
    async read(): Promise<LiveApplication | undefined> {
      const live = await (await azure.directory()).application(uniqueName);
      if (live) return { application: live };
      const deleted = (await deletedOfSet()).find((other) => other.uniqueName?.toLowerCase() === uniqueName);
      return deleted && { deleted };
    },
    decide(live) {
      if (!live?.application) return live ? { act: "create", why: "it was deleted, and is restored" } : { act: "create" };
      const { displayName: liveName, tags } = live.application;
      const changes: Change[] = [
        ...(liveName === displayName ? [] : [{ path: "displayName", from: liveName, to: displayName }]),
        ...(tags.includes(tag) ? [] : [{ path: "tags", from: tags, to: [...tags, tag] }]),
      ];
      return changes.length === 0 ? { act: "keep" } : { act: "update", why: "it differs", changes };
    },
    async apply(live, _up, io): Promise<LiveApplication> {
      const directory = await azure.directory();
      if (live?.deleted) {
        await directory.restoreApplication(live.deleted.id);
        return { application: await untilThere(azure, () => directory.application(uniqueName), io.signal) };
      }
      const made = await upsert(azure, uniqueName, { displayName, tags: [...new Set([...(live?.application?.tags ?? []), tag])] });
      return { application: made ?? (await untilThere(azure, () => directory.application(uniqueName), io.signal)) };
    },
    output({ application: live }) {
      if (!live) throw new Failure("ARO-BUG-001", `application ${displayName} was not restored`);
      return outputOf(uniqueName, live);
    },
  });
}

/** Undefined where it was there, and where another run has just made it. */
async function upsert(
  azure: Azure,
  uniqueName: string,
  words: { readonly displayName: string; readonly tags: readonly string[] },
): Promise<Application | undefined> {
  const directory = await azure.directory();
  try {
    return await directory.upsertApplication(uniqueName, words);
  } catch (error) {
    if (azureCodeOf(error) !== "ObjectConflict") throw error;
    const deleted = await directory.deletedApplications([uniqueName]);
    if (deleted.length > 0) throw new Stale("a deleted one holds its unique name", { cause: error });
    return undefined;
  }
}

/** Object id of the service principal: what roles are given to. */
export function servicePrincipal(azure: Azure, component: ControlPlaneComponent, owner: Step<ApplicationOutput>): Step<string> {
  return defineStep({
    id: `service-principal-${component.name}`,
    title: `service principal of ${owner.title}`,
    needs: { owner },
    within: "owner",
    read: async ({ owner: { clientId } }) => (await azure.directory()).servicePrincipalOf(clientId),
    decide: (live) => (live === undefined ? { act: "create" } : { act: "keep" }),
    async apply(_live, { owner: { clientId } }, io): Promise<string> {
      const directory = await azure.directory();
      const made = await directory.upsertServicePrincipal(clientId);
      return made ?? untilThere(azure, () => directory.servicePrincipalOf(clientId), io.signal);
    },
    output: (live) => live,
  });
}

/** Registers the certificate beside whatever is there: others may sign in with keys of their own. */
export function applicationKey(
  azure: Azure,
  component: ControlPlaneComponent,
  needs: { readonly owner: Step<ApplicationOutput>; readonly certificate: Step<CertificateOutput> },
): Step<ApplicationOutput> {
  return defineStep({
    id: `application-key-${component.name}`,
    title: `key of ${needs.owner.title}`,
    needs: { ...needs },
    within: "owner",
    // Known with the application: no request is made for it.
    read: async ({ owner }) => owner,
    decide: (live, { certificate: { thumbprint } }) =>
      live?.keyCredentials.some((credential) => isOf(credential, thumbprint))
        ? { act: "keep" }
        : { act: "create", why: "the certificate is not on the application" },
    async apply(_live, { owner: { uniqueName }, certificate }): Promise<ApplicationOutput> {
      return changeKeys(azure, uniqueName, (keys) =>
        keys.some((credential) => isOf(credential, certificate.thumbprint)) ? keys : [...keys, keyCredential(certificate)],
      );
    },
    output: (live) => live,
  });
}

/** Whether a key on an application is that certificate. */
export function isOf({ key }: KeyCredential, thumbprint: string): boolean {
  return key !== null && thumbprintOf(Buffer.from(key, "base64")) === thumbprint;
}

/** Reads the keys anew, for the list is replaced whole: what somebody added since must stay. */
export async function changeKeys(
  azure: Azure,
  uniqueName: string,
  change: (keys: readonly KeyCredential[]) => readonly KeyCredential[],
): Promise<ApplicationOutput> {
  const directory = await azure.directory();
  const live = await directory.application(uniqueName);
  if (!live) throw new Stale("its application was deleted");
  const wanted = change(live.keyCredentials);
  const known = (credential: KeyCredential) => (credential.keyId === undefined ? credential : { ...credential, key: null });
  if (wanted !== live.keyCredentials) await directory.setKeyCredentials(live.id, wanted.map(known));
  return outputOf(uniqueName, { ...live, keyCredentials: wanted });
}

function keyCredential({ name, der, notBefore, expiresOn }: CertificateOutput): KeyCredential {
  return {
    type: "AsymmetricX509Cert",
    usage: "Verify",
    key: Buffer.from(der).toString("base64"),
    displayName: `CN=${name}`,
    startDateTime: rfc3339(notBefore),
    endDateTime: rfc3339(expiresOn),
  };
}

function outputOf(uniqueName: string, { id, appId, keyCredentials }: Application): ApplicationOutput {
  return { id, clientId: appId, uniqueName, keyCredentials };
}

async function untilThere<T>(azure: Azure, read: () => Promise<T | undefined>, signal: AbortSignal): Promise<T> {
  for (let tries = 1; tries <= replicaTries; tries += 1) {
    const live = await read();
    if (live !== undefined) return live;
    await azure.connection.pace.sleep(replicaPauseMs, signal);
  }
  throw new Failure("ARO-AZURE-005", "the directory does not show what was made 2 minutes ago");
}
