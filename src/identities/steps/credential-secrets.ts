/** The credential secret of a component, which its pods read, and which is rewritten only if it differs. */
import { advise, shell } from "../../errors/advice.js";
import type { KeyVaultSecret } from "@azure/keyvault-secrets";
import type { Azure } from "../../azure/azure.js";
import { azureCodeOf } from "../../azure/azure-error.js";
import { latestVaultDate } from "../../azure/vault-dates.js";
import { readSecret, type LiveSecret } from "../../azure/vault-secrets.js";
import { retryStale } from "../../engine/retry-stale.js";
import { defineStep, type Change, type Decision, type Step, type StepIo } from "../../engine/step.js";
import { Failure } from "../../errors/failure.js";
import { Stale } from "../../errors/stale.js";
import type { ControlPlaneComponent } from "../../domain/components.js";
import {
  credentialFacts,
  credentialSecret,
  encodedSecret,
  encodingOf,
  isCertificateWithKey,
  laterThan,
  renewalDates,
  type CredentialFacts,
  type ObjectEncoding,
} from "../../domain/credential-secret.js";
import { vaultOption } from "../../domain/given-vault.js";
import { contentTags, ownsContent } from "../../domain/set-content.js";
import { credentialSecretName } from "../../domain/identity-names.js";
import type { IdentitySetKey, IdentitySpec } from "../../domain/identity-spec.js";
import { mergedTags, tagValue } from "../../domain/tags.js";
import { changeKeys, withKey } from "./application-keys.js";
import type { ApplicationOutput } from "../../steps/applications.js";
import { certificateOutput, type CertificateNeeds, type CertificateOutput } from "./certificates.js";
import { readCertificate, supersededBy } from "../../steps/vault-certificate.js";
import { refuse } from "../../steps/ownership-decision.js";
import { unreadWithoutAccess } from "../../steps/unread-contents.js";
import { recoverSecret } from "../../steps/recovery.js";
import { rfc3339 } from "../../text/rfc3339.js";

export interface CredentialOutput {
  readonly secretName: string;
  readonly clientId: string;
  readonly encoding: ObjectEncoding;
  /** When this version was written. */
  readonly writtenOn: Date;
}

interface CredentialNeeds extends CertificateNeeds {
  readonly certificate: Step<CertificateOutput>;
  /** The application with the certificate's key: a pod that reads the secret must be able to sign in immediately. */
  readonly key: Step<ApplicationOutput>;
}

const contentType = "application/json";
/** A run writes the secret some 2 s after it created the certificate. If it does not, it has probably ended. */
const otherRunMs = 10_000;
/** Real time, because a busy computer is slower than a time-scaled Azure. */
const otherRunRealMs = 4_000;

export function credential(
  azure: Azure,
  { key, tenantId, objectEncoding }: Pick<IdentitySpec, "key" | "tenantId" | "objectEncoding">,
  component: ControlPlaneComponent,
  needs: CredentialNeeds,
): Step<CredentialOutput> {
  const name = credentialSecretName(key, component);
  const authorityHost = azure.connection.cloud.authorityHost;
  const ownership = contentTags(key);

  const write = async (live: LiveSecret | undefined, clientId: string, certificate: CertificateOutput): Promise<LiveSecret> => {
    const { secrets } = await azure.vaultContent(key.vaultName);
    const { value: pem = "" } = await secrets.getSecret(certificate.name, { version: certificate.version });
    const { value: liveValue, properties } = live?.secret ?? {};
    const previous = credentialFacts(liveValue)?.notBefore ?? properties?.notBefore?.toISOString();
    const notBefore = laterThan(previous, certificate.notBefore, azure.connection.clock.now());
    const dates = { notBefore, notAfter: certificate.expiresOn };
    const { renewAfter, cannotRenewAfter } = renewalDates(dates);
    if (!isCertificateWithKey(pem)) {
      throw new Failure("ARO-OWN-002", `certificate "${certificate.name}" is not exported as PEM with its key`, {
        because: "the credential secret needs both",
        next: ["delete it and rerun the command"],
      });
    }
    if (dates.notAfter > latestVaultDate) {
      throw new Failure("ARO-OWN-002", `certificate "${certificate.name}" expires at ${rfc3339(dates.notAfter)}`, {
        because: `a client of Key Vault can only write dates until ${rfc3339(latestVaultDate)}`,
        next: ["delete it, and create one that is valid for a shorter time"],
      });
    }
    const encoding = objectEncoding ?? encodingOf(liveValue) ?? "utf-8";
    const value = encodedSecret(credentialSecret({ authorityHost, clientId, tenantId }, pem, dates), encoding);
    try {
      const secret = await secrets.setSecret(name, value, {
        contentType,
        enabled: true,
        notBefore,
        expiresOn: dates.notAfter,
        tags: mergedTags(properties?.tags, { ...ownership, renew_after: renewAfter, cannot_renew_after: cannotRenewAfter }),
      });
      return { secret };
    } catch (error) {
      if (azureCodeOf(error) === "ObjectIsDeletedButRecoverable")
        throw new Stale("a soft-deleted one still has the name", { cause: error });
      throw error;
    }
  };

  /** What to do if it belongs to somebody else, or is deleted. */
  const refuseOrRecover = (live: LiveSecret): Decision | undefined => {
    const { properties } = live.secret ?? live.deleted ?? {};
    if (!ownsContent(key, properties?.tags)) return refuseUnowned(name, key, live);
    return live.deleted && { act: "create", why: "it was deleted and is recovered" };
  };

  return defineStep({
    id: `credential-${component.key}`,
    subject: { kind: "vault-object", noun: "credential secret" },
    title: `credential secret ${name}`,
    needs: { ...needs },
    within: "vault",
    addsVersion: true,
    neededToRead: ["access"],
    unread: unreadWithoutAccess,
    preview({ certificate }, _now, live): Decision {
      const why = certificate === undefined ? "with the new certificate" : `known after ${needs.key.title}`;
      return live ? (refuseOrRecover(live) ?? { act: "update", why, changes: [] }) : { act: "create", why };
    },
    read: () => readSecret(azure, key.vaultName, name),
    decide(live, { key: { clientId }, certificate }, now): Decision {
      if (!live) return { act: "create" };
      const first = refuseOrRecover(live);
      if (first) return first;
      const identity = { authenticationEndpoint: `${authorityHost}/`, clientId, tenantId };
      const changes = differences(live.secret, { ...identity, objectEncoding }, certificate, now);
      return changes.length === 0 ? { act: "keep" } : { act: "update", why: "it differs", changes };
    },
    async apply(live, { key: { clientId, uniqueName }, certificate }, io): Promise<LiveSecret> {
      if (live?.deleted) return recoverSecret(azure, key.vaultName, name);
      if (certificate.isOfOtherRun) await letOtherRunWrite(azure, key.vaultName, name, live, io);
      let used = certificate;
      let outdated = used.superseded;
      let written = await write(live, clientId, used);
      for (;;) {
        const live = await readCertificate(azure, key.vaultName, used.name);
        if (!live?.certificate) throw new Stale("its certificate was deleted");
        const newest = certificateOutput(azure, used.name, live);
        if (newest.thumbprint === used.thumbprint) return written;
        // All runs end with the newest version: its creator did not know this one, or has removed it already.
        io.note("another run created a newer certificate; switching to it");
        // Each run also removes the keys of the others: its write would otherwise bring back a key that another run has just removed.
        const { certificates } = await azure.vaultContent(key.vaultName);
        const others = await supersededBy(live.certificate, certificate.since, certificates);
        const older = [...outdated, ...others].filter((thumbprint) => thumbprint !== newest.thumbprint);
        [used, outdated] = [newest, older];
        // If the step itself were retried, it would find its first certificate in the secret and keep it.
        written = await retryStale(`credential secret ${name}`, io, async () => {
          await changeKeys(azure, uniqueName, (keys) => withKey(keys, newest, older));
          const current = await readSecret(azure, key.vaultName, name);
          const isWritten = credentialFacts(current?.secret?.value)?.thumbprint === newest.thumbprint;
          return current && isWritten ? current : write(current, clientId, newest);
        });
      }
    },
    output: ({ secret }, { key: { clientId } }) => ({
      secretName: name,
      clientId,
      encoding: encodingOf(secret?.value) ?? "utf-8",
      writtenOn: secret?.properties.createdOn ?? new Date(0),
    }),
  });
}

/**
 * A vault has no condition for writes, so two runs that use one new certificate would each write a version of the secret. The run that created
 * the certificate goes first.
 */
async function letOtherRunWrite(azure: Azure, vaultName: string, name: string, live: LiveSecret | undefined, io: StepIo): Promise<void> {
  const { clock, random } = azure.connection;
  const limitMs = Math.max(otherRunMs, clock.unscaled(otherRunRealMs)) * (1 + random.fraction());
  io.note("another run created the certificate; giving it time to write the secret");
  for (let waitedMs = 0; waitedMs < limitMs; waitedMs += limitMs / 10) {
    await clock.sleep(limitMs / 10, io.signal);
    const now = await readSecret(azure, vaultName, name);
    if (now?.secret?.properties.version !== live?.secret?.properties.version) throw new Stale("another run wrote it");
  }
}

function refuseUnowned(name: string, key: IdentitySetKey, { deleted }: LiveSecret): Decision {
  if (!deleted) {
    return refuse("ARO-OWN-001", `secret "${name}" exists but does not belong to this identity set`, {
      next: [`choose a different --identities-name or ${vaultOption(key)}; delete it only if its owner agrees`],
    });
  }
  return refuse("ARO-VAULT-001", `secret "${name}" is soft-deleted, does not belong to this identity set, and still has the name`, {
    next: [
      "choose a different --identities-name",
      advise`or, if its owner agrees, purge it: ${shell`az keyvault secret purge --name ${name} --vault-name ${key.vaultName}`}`,
    ],
  });
}

/** Only IDs, dates and thumbprints, because a plan is printed. */
function differences(
  secret: KeyVaultSecret | undefined,
  identity: Pick<CredentialFacts, "authenticationEndpoint" | "clientId" | "tenantId"> & Pick<IdentitySpec, "objectEncoding">,
  certificate: CertificateOutput,
  now: Date,
): Change[] {
  const facts = credentialFacts(secret?.value);
  const encoding = encodingOf(secret?.value);
  const { contentType: liveType, notBefore, expiresOn, tags, enabled } = secret?.properties ?? {};
  const begin = Date.parse(facts?.notBefore ?? "");
  const starts = certificate.notBefore.getTime();
  const renewal = renewalDates({ notBefore: new Date(begin || 0), notAfter: certificate.expiresOn });
  const pairs: readonly (readonly [path: string, from: unknown, to: unknown])[] = [
    ["authentication_endpoint", facts?.authenticationEndpoint, identity.authenticationEndpoint],
    ["client_id", facts?.clientId, identity.clientId],
    ["tenant_id", facts?.tenantId, identity.tenantId],
    ["certificate", facts?.thumbprint, certificate.thumbprint],
    // A rewritten credential begins later than its certificate, because pods adopt it only then, but not later than now.
    [
      "not_before",
      facts?.notBefore,
      begin >= starts && begin <= Math.max(starts, now.getTime()) ? facts?.notBefore : rfc3339(certificate.notBefore),
    ],
    ["not_after", facts?.notAfter, rfc3339(certificate.expiresOn)],
    ["renew_after", facts?.renewAfter, renewal.renewAfter],
    ["cannot_renew_after", facts?.cannotRenewAfter, renewal.cannotRenewAfter],
    ["encoding", encoding, identity.objectEncoding ?? encoding],
    ["contentType", liveType, contentType],
    ["attributes.nbf", notBefore && rfc3339(notBefore), facts?.notBefore],
    ["attributes.exp", expiresOn && rfc3339(expiresOn), rfc3339(certificate.expiresOn)],
    ["attributes.enabled", enabled, true],
    ["tags.renew_after", tagValue(tags, "renew_after"), renewal.renewAfter],
    ["tags.cannot_renew_after", tagValue(tags, "cannot_renew_after"), renewal.cannotRenewAfter],
  ];
  return pairs.filter(([, from, to]) => from !== to).map(([path, from, to]) => ({ path, from, to }));
}
