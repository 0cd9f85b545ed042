/** A comparable snapshot of the emulator's state and the output directory after a run: a name replaces each random ID. */
import { createHash, createPrivateKey, X509Certificate } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { StateSnapshot } from "../../src/emulator/state/snapshot.js";
import type { AzureState, StoredResource } from "../../src/emulator/state/state.js";
import type { CredentialSecret } from "../../src/domain/credential-secret.js";
import { agentPublicKey } from "../../src/arc/domain/key-pair.js";
import { arcFiles, directoryFiles } from "../../src/domain/directory-files.js";
import type { ArcCredential } from "../../src/arc/files/arc-secrets-output.js";
import { jwkOf, publicHalf } from "../../src/oidc/signing-key.js";

const signingKeyFile = directoryFiles.privateKey;

export interface Snapshot {
  readonly state: StateSnapshot & {
    /** The versions of the credential secrets, by vault and name. */
    readonly credentials: Readonly<Record<string, unknown>>;
  };
  readonly files: Files;
}

type Files = Readonly<Record<string, { readonly mode: string; readonly text: string }>>;

interface VaultInSnapshot {
  readonly keys?: Readonly<Record<string, { readonly deleted?: boolean }>>;
}

/** A random value and the name that replaces it. */
type Naming = readonly [random: string, name: string];

/** An emulator in memory, or the state of a directory. */
export interface Emulated {
  state(): AzureState;
  snapshot(): Promise<StateSnapshot>;
}

export async function snapshotOf(emulator: Emulated, output: string): Promise<Snapshot> {
  const raw = emulator.state();
  const files = filesIn(output);
  const state = withoutLiveKeys(withoutWhatRunsAdd(await emulator.snapshot()));
  const snapshot: Snapshot = { state: { ...state, credentials: credentialsIn(raw) }, files };
  const namings = [
    ...contentNamings(files),
    ...signingKeyNamings(files),
    ...arcNamings(files),
    ...externalDnsNamings(files),
    ...idNamings(raw),
  ];
  const named = namings.reduce((text, [random, name]) => text.replaceAll(escaped(random), name), JSON.stringify(snapshot));
  return JSON.parse(named.replace(inspected, "$1(time)")) as Snapshot;
}

/** When a destroy has read a vault: a rerun reads it again. */
const inspected = /("aro-hcp-inspected":")[^"]+/g;

interface DeletedVaultInSnapshot {
  readonly name: string;
  readonly type: string;
  readonly properties: { readonly purgeProtectionEnabled?: boolean };
}

/** Without the soft-deleted vaults that have purge protection: no client can purge them. */
export function withoutProtected(state: Snapshot["state"]): Snapshot["state"] {
  const resources = Object.entries(state.resources as Readonly<Record<string, DeletedVaultInSnapshot>>);
  const kept = resources.filter(([, { type, properties }]) => /deletedVaults$/i.test(type) && properties.purgeProtectionEnabled === true);
  const names = kept.map(([, { name }]) => name.toLowerCase());
  const isOther = (key: string) => !names.includes(key.split("/")[0]?.toLowerCase() ?? "");
  const others = (of: object = {}) => Object.fromEntries(Object.entries(of).filter(([key]) => isOther(key)));
  const { vaults: allVaults, ...rest } = state;
  const vaults = others(allVaults);
  return {
    ...rest,
    resources: Object.fromEntries(resources.filter((one) => !kept.includes(one))),
    ...(Object.keys(vaults).length > 0 && { vaults }),
    credentials: others(state.credentials),
  };
}

/** One line for each difference: its path, the value found, and the value after an undisturbed run. */
export function differences(found: unknown, wanted: unknown, at = ""): string[] {
  if (isDeepStrictEqual(found, wanted)) return [];
  if (found === undefined) return [`  ${at} is missing`];
  if (wanted === undefined) return [`  ${at} is left over`];
  if (!isObject(found) || !isObject(wanted)) return [`  ${at} is ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`];
  const keys = new Set([...Object.keys(found), ...Object.keys(wanted)]);
  return [...keys].flatMap((key) => differences(found[key], wanted[key], `${at} ${key}`.trim()));
}

/** A kill in the middle of a write leaves one, and nothing reads it. The next run removes those of private keys. */
const documentDraft = /^(?!serviceaccount-signer\.private|arc-onboarding-key\.pem).*\.([0-9a-f-]{36}|\d{1,10}|[0-9a-f-]{36}\.\d{1,10})$/;

function filesIn(directory: string): Files {
  const names = readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((name) => !documentDraft.test(name));
  const regular = names.sort().filter((name) => statSync(path.join(directory, name)).isFile());
  const entries = regular.map((name) => {
    const file = path.join(directory, name);
    return [name, { mode: (statSync(file).mode & 0o777).toString(8), text: readFileSync(file, "utf8") }] as const;
  });
  return Object.fromEntries(entries);
}

/** When a connected cluster's agents have reported, and what AKS stores with a pool as soon as it is updated: a run that goes on updates it. */
const addedByRuns = ["startedAt", "upgradeStrategy"];

function withoutWhatRunsAdd(snapshot: StateSnapshot): StateSnapshot {
  return JSON.parse(JSON.stringify(snapshot, (key, value: unknown) => (addedByRuns.includes(key) ? undefined : value))) as StateSnapshot;
}

/**
 * The resources of the state have the versions of each key. The emulator copies them into the vault at the first request to its keys, which may be one
 * that a run can do without.
 */
function withoutLiveKeys(snapshot: StateSnapshot): StateSnapshot {
  if (snapshot.vaults === undefined) return snapshot;
  const vaults = Object.entries(snapshot.vaults as Readonly<Record<string, VaultInSnapshot>>);
  return { ...snapshot, vaults: Object.fromEntries(vaults.map(([name, vault]) => [name, withDeletedKeysOnly(vault)])) };
}

function withDeletedKeysOnly({ keys = {}, ...vault }: VaultInSnapshot): VaultInSnapshot {
  const deleted = Object.entries(keys).filter(([, key]) => key.deleted === true);
  return { ...vault, ...(deleted.length > 0 && { keys: Object.fromEntries(deleted) }) };
}

function credentialsIn({ vaults = {} }: AzureState): Record<string, unknown> {
  const held = Object.entries(vaults).flatMap(([vault, { secrets }]) =>
    Object.values(secrets)
      .filter(({ managed, versions }) => managed === undefined && versions.every(({ contentType }) => contentType === "application/json"))
      .map(({ name, versions }) => [`${vault}/${name}`, versions.map(({ value }) => value)] as const),
  );
  return Object.fromEntries(held.map(([name, values]) => [name, values.map((value, index) => credentialIn(value, values[index - 1]))]));
}

/** `previous` is the version before: pods adopt a credential only if it begins later than theirs. */
function credentialIn(value: string, previous: string | undefined): unknown {
  const { client_secret, not_before, not_after, renew_after, cannot_renew_after, ...rest } = JSON.parse(value) as CredentialSecret;
  const begin = previous === undefined ? -Infinity : Date.parse((JSON.parse(previous) as CredentialSecret).not_before);
  const pem = Buffer.from(client_secret, "base64").toString("utf8");
  const certificate = new X509Certificate(pem);
  return {
    ...rest,
    certificate: certificate.fingerprint.replaceAll(":", ""),
    keyFits: certificate.checkPrivateKey(createPrivateKey(pem)),
    endsWithCertificate: Date.parse(not_after) === Date.parse(certificate.validTo) && cannot_renew_after === not_after,
    beginsLater: Date.parse(not_before) > begin && Date.parse(renew_after) > Date.parse(not_before),
  };
}

/** A published document equals the file of its name. The state contains it in base64, with its MD5 hash. */
function contentNamings(files: Files): Naming[] {
  return ["jwks", "openid-configuration"].flatMap((name): Naming[] => {
    const text = files[name]?.text;
    if (text === undefined) return [];
    return [
      [Buffer.from(text).toString("base64"), `content of the file ${name}`],
      [createHash("md5").update(text).digest("base64"), `hash of the file ${name}`],
    ];
  });
}

/** All values derive from the private key. The public file or JWKS of another key keeps its random values, so it differs. */
function signingKeyNamings(files: Files): Naming[] {
  const privatePem = files[signingKeyFile]?.text;
  if (privatePem === undefined) return [];
  const publicPem = publicHalf(privatePem, signingKeyFile);
  const { kid, n } = jwkOf(publicPem, signingKeyFile);
  return [
    [privatePem, "the private key"],
    [publicPem, "the public key"],
    [kid, "kid of the key"],
    [n, "modulus of the key"],
  ];
}

/** Of a connected cluster: its onboarding key, which a YAML file contains indented, and the client secret of its workloads. */
function arcNamings(files: Files): Naming[] {
  const privatePem = files[arcFiles.privateKey]?.text;
  const credential = files["arc-credential.json"]?.text;
  const { clientSecret, keyId, expiresOn } = (credential === undefined ? {} : JSON.parse(credential)) as Partial<ArcCredential>;
  return [
    ...(privatePem === undefined
      ? []
      : ([
          [privatePem.trimEnd().replaceAll("\n", "\n    "), "the indented onboarding key"],
          [privatePem, "the onboarding key"],
          [agentPublicKey(privatePem, arcFiles.privateKey), "public half of the onboarding key"],
        ] as const)),
    ...(clientSecret === undefined ? [] : [[clientSecret, "the client secret"] as const]),
    ...(keyId === undefined ? [] : [[keyId, "ID of the client secret"] as const]),
    ...(expiresOn === undefined ? [] : [[expiresOn, "end of the client secret"] as const]),
  ];
}

/** The azure.json of ExternalDNS has a client secret; its other values are those of the application. */
function externalDnsNamings(files: Files): Naming[] {
  const text = files["external-dns.json"]?.text;
  if (text === undefined) return [];
  // Without a secret, if the run ended before it existed.
  const { aadClientSecret } = JSON.parse(text) as { readonly aadClientSecret?: string };
  return aadClientSecret === undefined ? [] : [[aadClientSecret, "the client secret"]];
}

function idNamings({ applications, resources, roleAssignments, vaults = {}, managedHsms = {} }: AzureState): Naming[] {
  // The name of an assignment depends on its principal, so it is replaced before the principal.
  const assignments = Object.values(roleAssignments).map(({ name, roleDefinitionId, principalId, scope }): Naming => [
    name,
    `${roleDefinitionId} of ${principalId} on ${scope}`,
  ]);
  const directory = Object.values(applications).flatMap(({ appId, id, servicePrincipalId, displayName }): Naming[] => [
    [appId, `client ID of ${displayName}`],
    [id, `object ID of ${displayName}`],
    ...(servicePrincipalId === undefined ? [] : ([[servicePrincipalId, `principal of ${displayName}`]] as const)),
  ]);
  const identities = Object.values(resources)
    .filter(({ type }) => type === "Microsoft.ManagedIdentity/userAssignedIdentities")
    .flatMap(({ name, properties }): Naming[] => [
      [String(properties["clientId"]), `client ID of ${name}`],
      [String(properties["principalId"]), `principal of ${name}`],
    ]);
  const clusters = Object.values(resources).flatMap(aksNamings);
  // Azure assigns them in the order of the requests. The longest first: one may begin with another.
  const addresses = Object.values(resources)
    .filter(({ type }) => type === "Microsoft.Network/publicIPAddresses")
    .flatMap(({ name, properties }): Naming[] =>
      typeof properties["ipAddress"] === "string" ? [[properties["ipAddress"], `address of ${name}`]] : [],
    )
    .sort(([left], [right]) => right.length - left.length);
  const certificates = Object.values(vaults).flatMap((vault) =>
    Object.values(vault.certificates).flatMap(({ name, versions }) =>
      versions.map(({ x5t }, index): Naming => [
        Buffer.from(x5t, "base64url").toString("hex").toUpperCase(),
        `version ${String(index + 1)} of ${name}`,
      ]),
    ),
  );
  return [
    ...assignments,
    ...numbered([
      ...directory,
      ...identities,
      ...clusters,
      ...addresses,
      ...certificates,
      ...keyNamings({ resources, vaults, managedHsms }),
    ]),
  ];
}

/** Of a key that only Resource Manager has seen, its vault has no versions yet; of a deleted one, Resource Manager has none. */
function keyNamings({ resources, vaults, managedHsms }: Required<Pick<AzureState, "resources" | "vaults" | "managedHsms">>): Naming[] {
  const contents = [...Object.values(vaults), ...Object.values(managedHsms).map(({ content }) => content)];
  const inVaults = contents.flatMap(({ keys = {} }) =>
    Object.values(keys).flatMap(({ name, versions }) => versions.map(({ version }): Naming => [version, `version of key ${name}`])),
  );
  const inResources = Object.values(resources)
    .filter(({ type }) => type === "Microsoft.KeyVault/vaults/keys/versions")
    .map(({ id, name }): Naming => [name, `version of key ${id.split("/").at(-3) ?? ""}`]);
  return [...new Map([...inVaults, ...inResources])];
}

/** What AKS chooses at random for a cluster and its nodes. */
function aksNamings({ name, type, properties }: StoredResource): Naming[] {
  const text = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);
  const named = (value: string | undefined, what: string): Naming[] => (value === undefined ? [] : [[value, what]]);
  switch (type.toLowerCase()) {
    case "microsoft.containerservice/managedclusters": {
      const issuer = (properties["oidcIssuerProfile"] as { readonly issuerURL?: string } | undefined)?.issuerURL;
      return named(issuer?.split("/").at(-2), `issuer of ${name}`);
    }
    case "microsoft.compute/virtualmachinescalesets":
      return named(text(properties["uniqueId"]), `ID of ${name}`);
    default:
      return [];
  }
}

/** Adds a number to a name that is already taken. */
function numbered(namings: readonly Naming[]): Naming[] {
  const taken = new Map<string, number>();
  return namings.map(([random, name]) => {
    const times = (taken.get(name) ?? 0) + 1;
    taken.set(name, times);
    return [random, times === 1 ? name : `${name}, number ${String(times)}`];
  });
}

const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
