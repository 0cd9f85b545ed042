/** The client secret with which pods sign in as an application: Entra shows it once, so it is saved as soon as it exists. */
import type { PasswordCredential } from "../azure/applications.js";
import type { Azure } from "../azure/azure.js";
import { defineStep, type Step } from "../engine/step.js";
import { sameText } from "../text/same-text.js";
import type { ApplicationOutput } from "./applications.js";

/** The display name of ours. Others may add secrets to the application too. */
const displayName = "aro-hcp";
const validDays = 365;
/** A secret is replaced before it expires. */
const renewedDays = 30;
const dayMs = 24 * 60 * 60 * 1000;

interface Live {
  readonly passwords: readonly PasswordCredential[];
  readonly saved: SavedSecret | undefined;
}

/** What a file has. */
export interface SavedSecret {
  readonly clientId: string;
  /** Whether it is this secret of the application. */
  isOf(password: PasswordCredential): boolean;
}

export interface NewSecret {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly keyId: string;
  /** RFC 3339 */
  readonly expiresOn: string;
}

/** Where the secret is kept between runs. */
export interface CredentialStore {
  read(): Promise<SavedSecret | undefined>;
  write(secret: NewSecret): Promise<SavedSecret>;
}

export function clientSecret(azure: Azure, owner: Step<ApplicationOutput>, store: CredentialStore): Step<unknown> {
  return defineStep({
    id: "client-secret",
    title: `client secret of ${owner.title}`,
    subject: { kind: "directory-object" },
    needs: { owner },
    within: "owner",
    // Each write adds a secret.
    addsVersion: true,
    preview: () => ({ act: "create" }),
    read: async ({ owner: { id } }): Promise<Live> => ({
      passwords: await (await azure.directory()).passwordsOf(id),
      saved: await store.read(),
    }),
    decide(live, { owner: { clientId } }, now) {
      const { passwords = [], saved } = live ?? {};
      const why = (text: string) => ({ act: "create" as const, why: text });
      if (saved === undefined)
        return passwords.some(isOurs) ? why("the credential file is missing: a new secret replaces the lost one") : why("it has none");
      if (!sameText(saved.clientId, clientId)) return why("the credential file belongs to another application");
      const password = passwords.find((one) => saved.isOf(one));
      if (password === undefined) return why("the application no longer has the secret of the credential file");
      if (!isLasting(password, now)) return why(`it expires at ${password.endDateTime}`);
      const lost = passwords.filter((one) => isLost(one, saved, now));
      if (lost.length === 0) return { act: "keep" };
      const changes = lost.map(({ keyId }) => ({ path: `passwordCredentials[${keyId}]`, from: "in no file", to: "removed" }));
      return { act: "update", why: "an earlier run was stopped before it removed them", changes };
    },
    async apply(live, { owner: { id, clientId } }): Promise<Live> {
      const directory = await azure.directory();
      const now = azure.connection.clock.now();
      const current = live?.passwords.find((one) => live.saved?.isOf(one));
      if (live?.saved !== undefined && sameText(live.saved.clientId, clientId) && current !== undefined && isLasting(current, now)) {
        const { passwords, saved } = live;
        for (const one of passwords) if (isLost(one, saved, now)) await directory.removePassword(id, one.keyId);
        return { passwords: passwords.filter((one) => !isLost(one, saved, now)), saved };
      }
      const end = new Date(now.getTime() + validDays * dayMs);
      const { secretText, ...added } = await directory.addPassword(id, { displayName, endDateTime: end.toISOString() });
      const saved = await store.write({ clientId, clientSecret: secretText, keyId: added.keyId, expiresOn: added.endDateTime });
      // A secret that no file has is lost: of a run that was killed, of a lost response, or of a deleted file. The one that was saved
      // before stays until it expires, because pods use it until they have the new one. Another run may have replaced the file since.
      const known = [live?.saved, await store.read()];
      const isKnown = (one: PasswordCredential) => sameText(one.keyId, added.keyId) || known.some((file) => file?.isOf(one));
      const passwords = await directory.passwordsOf(id);
      const lost = passwords.filter((one) => isOurs(one) && !isKnown(one));
      for (const { keyId } of lost) await directory.removePassword(id, keyId);
      return { passwords: passwords.filter((one) => !lost.includes(one)), saved };
    },
    output: () => undefined,
  });
}

/** Longer than the one before a renewal, which pods may still use. */
function isLasting({ endDateTime }: PasswordCredential, now: Date): boolean {
  return Date.parse(endDateTime) - now.getTime() > renewedDays * dayMs;
}

/** Of ours, and neither in the file nor replaced by a renewal. */
function isLost(password: PasswordCredential, saved: SavedSecret, now: Date): boolean {
  return isOurs(password) && isLasting(password, now) && !saved.isOf(password);
}

function isOurs({ displayName: name }: PasswordCredential): boolean {
  return name === displayName;
}
