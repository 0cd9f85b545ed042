/** The client secret with which pods sign in as an application: Entra shows it once, so it is saved as soon as it exists. */
import type { PasswordCredential } from "../azure/applications.js";
import type { Azure } from "../azure/azure.js";
import { defineStep, type Step, type StepIo } from "../engine/step.js";
import { Stale } from "../errors/stale.js";
import { sameText } from "../text/same-text.js";
import { replicaPauseMs, replicaTries, type ApplicationOutput } from "./applications.js";

/** Within this, a run creates its secret and writes it to the file. In real time, because a busy computer is slower than a time-scaled Azure. */
const writtenInMs = 20_000;
const writtenInRealMs = 4_000;
/** The display name of ours. Others may add secrets to the application too. */
const displayName = "aro-hcp";
const validDays = 365;
/** A secret is replaced before it expires. */
const renewedDays = 30;
const dayMs = 24 * 60 * 60 * 1000;
/** A lost secret that is this much older than the one in the file may be in use. */
const usableMs = 60 * 60 * 1000;
/** How long it then stays valid, as the old key of a rotation does: pods need time to get the new one. */
const overlapMs = dayMs;

interface Live {
  readonly passwords: readonly PasswordCredential[];
  readonly saved: SavedSecret | undefined;
}

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
  write(secret: NewSecret): Promise<void>;
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
    read: ({ owner: { id } }) => readLive(azure, id, store),
    decide(live, { owner: { clientId } }, now) {
      const { passwords, saved } = live ?? { passwords: [], saved: undefined };
      const why = (text: string) => ({ act: "create" as const, why: text });
      if (saved === undefined)
        return passwords.some(isOurs)
          ? why(
              "the credential file is missing: a new secret replaces the lost one, which stays valid for a day if it is older than an hour",
            )
          : why("it has none");
      if (!sameText(saved.clientId, clientId)) return why("the credential file belongs to another application");
      const password = savedPassword({ passwords, saved });
      if (password === undefined) return why("the application no longer has the secret of the credential file");
      if (!isLasting(password, now)) return why(`it expires at ${password.endDateTime}`);
      const lost = lostOf({ passwords, saved }, now);
      if (lost.length === 0) return { act: "keep" };
      const changes = lost.map(({ keyId }) => ({ path: `passwordCredentials[${keyId}]`, from: "in no file", to: "removed" }));
      return { act: "update", why: "they are in no file, and not needed any more", changes };
    },
    async apply(planned, { owner: { id, clientId } }, io): Promise<Live> {
      const directory = await azure.directory();
      const now = azure.connection.clock.now();
      const isUsable = (live: Live): boolean => {
        const password = savedPassword(live);
        return sameText(live.saved?.clientId, clientId) && password !== undefined && isLasting(password, now);
      };
      /** Another run may have replaced the file, or removed the secret before this run has written it to the file. */
      const reread = async (): Promise<Live> => {
        const live = await readListed(azure, id, store, io);
        if (isUsable(live)) return live;
        // Runs that removed each other's secrets have waited equally long: one of them must create its next secret before the others look again.
        const { clock, random } = azure.connection;
        await clock.sleep(random.fraction() * Math.max(writtenInMs, clock.unscaled(writtenInRealMs)), io.signal);
        throw new Stale("the directory does not list the secret of the credential file; another run may have removed it");
      };
      let live = planned;
      if (live === undefined || !isUsable(live)) {
        const end = new Date(now.getTime() + validDays * dayMs);
        const { secretText, keyId, endDateTime } = await directory.addPassword(id, { displayName, endDateTime: end.toISOString() });
        await store.write({ clientId, clientSecret: secretText, keyId, expiresOn: endDateTime });
        live = await reread();
      }
      // The one that was saved before a renewal stays until it expires, because pods use it until they have the new one.
      const lost = lostOf(live, now);
      if (lost.length === 0) return live;
      for (const { keyId } of lost) await directory.removePassword(id, keyId);
      // One of them may be in the file by now: of a run that wrote it after this one had read the file.
      return reread();
    },
    output: () => undefined,
  });
}

async function readLive(azure: Azure, applicationId: string, store: CredentialStore): Promise<Live> {
  return { passwords: await (await azure.directory()).passwordsOf(applicationId), saved: await store.read() };
}

/** Waits until the directory lists the secret of the file. One that it does not list in time was removed. */
async function readListed(azure: Azure, applicationId: string, store: CredentialStore, { note, signal }: StepIo): Promise<Live> {
  for (let tries = 1; ; tries += 1) {
    const live = await readLive(azure, applicationId, store);
    if (savedPassword(live) !== undefined || tries === replicaTries) return live;
    note("waiting until the directory lists the secret of the credential file");
    await azure.connection.clock.sleep(replicaPauseMs, signal);
  }
}

function savedPassword({ passwords, saved }: Live): PasswordCredential | undefined {
  return passwords.find((one) => saved?.isOf(one));
}

/** Longer than the one before a renewal, which pods may still use. */
function isLasting({ endDateTime }: PasswordCredential, now: Date): boolean {
  return Date.parse(endDateTime) - now.getTime() > renewedDays * dayMs;
}

/**
 * Those of ours that are neither in the file nor replaced by a renewal. They are of a run that was killed, of a lost response, or of a deleted
 * file. Pods may use that of a deleted file, so it stays for the overlap.
 */
function lostOf(live: Live, now: Date): readonly PasswordCredential[] {
  const start = ({ startDateTime }: PasswordCredential): number => Date.parse(startDateTime);
  const kept = savedPassword(live);
  const isInUse = (one: PasswordCredential): boolean =>
    kept !== undefined && start(kept) - start(one) > usableMs && now.getTime() - start(kept) < overlapMs;
  return live.passwords.filter((one) => one !== kept && isOurs(one) && isLasting(one, now) && !isInUse(one));
}

function isOurs({ displayName: name }: PasswordCredential): boolean {
  return name === displayName;
}
