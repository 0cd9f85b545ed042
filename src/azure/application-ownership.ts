/** Decides whether an application belongs to the cluster. */
import type { Application, ObjectOwner } from "./applications.js";
import type { Azure } from "./azure.js";
import { azureCodeOf } from "./azure-error.js";
import type { SignedIn } from "./signed-in.js";
import { thumbprintIn } from "../domain/credential-secret.js";
import { advise, type Advice } from "../errors/advice.js";
import { Failure } from "../errors/failure.js";
import { plural } from "../text/plural.js";
import { sameText } from "../text/same-text.js";

/** The files of the operator that name applications of earlier runs. */
export interface EarlierFiles {
  /** Their flags, for messages: "--output-dir". */
  readonly flags: string;
  /** Read each time: another run in the same directory may have written them. */
  clientIds(): Promise<readonly string[]>;
  /** The names of the vaults that they name. */
  vaultNames?(): Promise<readonly string[]>;
}

/** What the vault of an identity set shows of the application of a component. Nothing if the caller may not read it. */
export interface VaultEvidence {
  readonly vaultName: string;
  /** The client IDs in the credential secret. */
  clientIds(): Promise<readonly string[]>;
  /** The thumbprints of the certificates whose keys are in the vault. */
  thumbprints(): Promise<readonly string[]>;
}

/** Whoever may register applications can take the unique name first, and keep a way to sign in as the application. */
export interface ApplicationProof {
  readonly caller: Pick<SignedIn, "objectId">;
  readonly files?: EarlierFiles | undefined;
  readonly vault?: VaultEvidence;
}

/** The parts of an application that others may control. */
export interface ForeignParts {
  /** Nobody may add any later if there are no owners but the signed-in principal. */
  readonly owners: readonly string[];
  /** Client secrets and certificates on the application itself. */
  readonly secrets: readonly { readonly keyId: string; readonly title: string }[];
  /** Other ways to sign in as it. */
  readonly others: readonly string[];
}

/**
 * Undefined if the application is ours. Either an earlier run recorded its client ID in a file of the operator. Or all of its credentials are in
 * the vault of its set, and either nobody else owns it, or the vault records its client ID. To be one of the owners proves nothing: any owner can
 * add others.
 */
export async function foreignParts(azure: Azure, live: Application, proof: ApplicationProof): Promise<ForeignParts | undefined> {
  const { caller, files, vault } = proof;
  const isThis = (clientId: string) => sameText(clientId, live.appId);
  if ((await files?.clientIds())?.some(isThis)) return undefined;
  const control = await (await azure.directory()).controlOf(live);
  const own = live.keyCredentials.length === 0 ? [] : ((await vault?.thumbprints()) ?? []);
  const keys = live.keyCredentials.map(({ key, keyId = "" }) => ({ keyId, thumbprint: thumbprintIn(Buffer.from(key ?? "", "base64")) }));
  const found: ForeignParts = {
    owners: control.owners.filter(({ id }) => !sameText(id, caller.objectId)).map((owner) => `owner ${ownerTitle(owner)}`),
    secrets: [
      ...control.passwords.map(({ keyId }) => ({ keyId, title: `client secret ${keyId}` })),
      ...keys
        .filter(({ thumbprint }) => thumbprint === undefined || !own.includes(thumbprint))
        .map(({ keyId, thumbprint = keyId }) => ({ keyId, title: `certificate ${thumbprint}` })),
    ],
    others: [
      ...control.federated.map(({ name, issuer, subject }) => `federated identity credential ${name} for ${subject} of ${issuer}`),
      ...control.ofPrincipal.map(({ keyId }) => `credential ${keyId} of its service principal`),
    ],
  };
  if (isEmpty(found)) return undefined;
  // Whoever may write secrets to the vault can record any client ID there. So it replaces only the proof by the owners, who may be colleagues.
  const mayBeRecorded = isEmpty({ ...found, owners: [] }) && keys.some(({ thumbprint = "" }) => own.includes(thumbprint));
  return mayBeRecorded && (await vault?.clientIds())?.some(isThis) ? undefined : found;
}

/**
 * What an inventory says of an application that another run may be deleting: `undefined` if it is gone. That one of its parts was not found proves
 * nothing, because Entra replicates late.
 */
export async function unlessGone<T>(azure: Azure, uniqueName: string, prove: () => Promise<T>): Promise<T | undefined> {
  try {
    return await prove();
  } catch (error) {
    if (azureCodeOf(error) !== "Request_ResourceNotFound") throw error;
    if ((await (await azure.directory()).application(uniqueName)) === undefined) return undefined;
    return prove();
  }
}

function isEmpty({ owners, secrets, others }: ForeignParts): boolean {
  return owners.length + secrets.length + others.length === 0;
}

/** "owner mallory, client secret 1234" */
function titlesOf({ owners, secrets, others }: ForeignParts): string {
  return [...owners, ...secrets.map(({ title }) => title), ...others].join(", ");
}

function ownerTitle({ id, userPrincipalName, displayName }: ObjectOwner): string {
  const name = userPrincipalName ?? displayName ?? "";
  return name === "" ? id : `${name} (${id})`;
}

/** An application that a create refuses to use. A create reports all of them in one failure. */
export class UnprovenFailure extends Failure {
  readonly application: Pick<Application, "displayName" | "appId">;
  readonly foreign: ForeignParts;
  readonly proof: Partial<ApplicationProof>;

  constructor(application: Pick<Application, "displayName" | "appId">, foreign: ForeignParts, proof: Partial<ApplicationProof> = {}) {
    const { displayName, appId } = application;
    super("ARO-OWN-001", `application "${displayName}" with client ID ${appId} exists, and nothing proves that it is yours`, {
      because: `it has ${titlesOf(foreign)}; its unique name proves nothing, because whoever registers an application chooses it`,
      next: [
        ...waysToProve(proof),
        ...(foreign.owners.length === 0 ? ["if it is yours and these credentials are not needed, remove them from it"] : []),
        "otherwise choose another name; delete the application only if its owner agrees",
      ],
    });
    this.application = application;
    this.foreign = foreign;
    this.proof = proof;
  }
}

function waysToProve({ files, vault }: Partial<ApplicationProof>, it: "it is" | "they are" = "it is"): Advice[] {
  const its = it === "it is" ? "its client ID" : "their client IDs";
  return [
    ...(files ? [advise`if ${it} yours, run the command with a file of an earlier run that has ${its}: ${files.flags}`] : []),
    ...(vault
      ? [
          advise`if ${it} yours, get a role to read the certificates and secrets of vault ${vault.vaultName}, such as "Key Vault Certificate User": they have the credentials`,
        ]
      : []),
  ];
}

/** The failures, with one for all applications: an identity set has eight. It has what they have in common once. */
export function mergedUnproven(failures: readonly Failure[]): readonly Failure[] {
  const unproven = failures.filter((failure) => failure instanceof UnprovenFailure);
  const [first] = unproven;
  if (first === undefined || unproven.length === 1) return failures;
  const haveSame = new Set(unproven.map(({ foreign }) => titlesOf(foreign))).size === 1;
  const merged = new Failure("ARO-OWN-001", `${plural(unproven.length, "application")} exist, and nothing proves that they are yours`, {
    problems: unproven.map(({ application: { displayName, appId }, foreign }) => {
      return { origin: displayName, message: `client ID ${appId}${haveSame ? "" : `: ${titlesOf(foreign)}`}` };
    }),
    because: `${haveSame ? `they have ${titlesOf(first.foreign)}; ` : ""}their unique names prove nothing, because whoever registers an application chooses it`,
    next: [
      ...waysToProve(first.proof, "they are"),
      ...(unproven.some(({ foreign }) => foreign.owners.length === 0)
        ? ["if they are yours and these credentials are not needed, remove them"]
        : []),
      "otherwise choose another name; delete an application only if its owner agrees",
    ],
  });
  return failures.flatMap((failure) => (failure === first ? [merged] : failure instanceof UnprovenFailure ? [] : [failure]));
}

/** Why a destroy keeps an application that a create refuses to use, and what to do. */
export interface Unproven {
  readonly why: string;
  /** The same of several, without what differs. */
  readonly whySeveral: string;
}

export function unprovenReason(appId: string, foreign: ForeignParts, { files, vault }: Partial<ApplicationProof>): Unproven {
  const role = vault
    ? [`get a role to read the certificates and secrets of vault ${vault.vaultName}, such as "Key Vault Certificate User"`]
    : [];
  const ways = [...(files ? [`pass a file of its create that has the client ID ${appId}: ${files.flags}`] : []), ...role];
  const waysOfSeveral = [...(files ? [`pass a file of their create: ${files.flags}`] : []), ...role];
  return {
    why: `nothing proves that it is yours: it has ${titlesOf(foreign)}; if it is, ${ways.join(", or ")}`,
    whySeveral: `nothing proves that they are yours (--full-plan says what they have); if they are, ${waysOfSeveral.join(", or ")}`,
  };
}
