/** In which subscription a command works: what was given for this run goes before what files and the environment hold for many. */
import { advise, shell } from "../../errors/advice.js";
import { Failure } from "../../errors/failure.js";
import { uuid } from "../../files/fields.js";

/** What a file says, and which file. */
export interface SubscriptionInFile {
  readonly id: string;
  readonly file: string;
}

/** Undefined where there is no file, or it does not say. */
export function subscriptionInFile(id: string | undefined, file: string | undefined): SubscriptionInFile | undefined {
  return id === undefined || file === undefined ? undefined : { id, file };
}

export interface SubscriptionSources {
  /** Flag, our variable, or configuration file: checked with all settings. */
  readonly setting?: string | undefined;
  /** The credentials file's. */
  readonly credentials?: SubscriptionInFile | undefined;
  /** That of the document of --infra-json. */
  readonly document?: SubscriptionInFile | undefined;
  /** AZURE_SUBSCRIPTION_ID, which is often left over from other work. */
  readonly variable?: string | undefined;
}

/** The same as `subscriptionIfGiven`; throws ARO-USAGE-001 also where none says it. */
export function subscriptionOf(sources: SubscriptionSources): string {
  const id = subscriptionIfGiven(sources);
  if (id !== undefined) return id;
  throw new Failure("ARO-USAGE-001", "no subscription is given", {
    next: ["pass --subscription, set AZURE_SUBSCRIPTION_ID, or pass a credentials file with --azure-creds"],
  });
}

/** @throws ARO-USAGE-001 where the two files do not agree and no setting decides, or the variable holds none. */
export function subscriptionIfGiven({ setting, credentials, document, variable }: SubscriptionSources): string | undefined {
  if (setting !== undefined) return setting;
  if (credentials && document) requireAgreement(credentials, document);
  const known = credentials ?? document;
  if (known !== undefined) return known.id;
  if (variable === undefined || variable === "") return undefined;
  if (!uuid.safeParse(variable).success) throw new Failure("ARO-USAGE-001", "AZURE_SUBSCRIPTION_ID is not a UUID");
  return variable;
}

/** @throws ARO-USAGE-001 where a file is of another tenant than the one that is signed in to: nothing of it would be found here. */
export function requireTenant(signedInTo: string, inFile: string | undefined, file: string | undefined): void {
  if (inFile === undefined || inFile === "" || file === undefined || inFile.toLowerCase() === signedInTo.toLowerCase()) return;
  throw new Failure("ARO-USAGE-001", `${file} is of tenant ${inFile}, and tenant ${signedInTo} is signed in to`, {
    next: [advise`sign in to the other (${shell`az login --tenant ${inFile}`}), or correct tenantID in ${file}`],
  });
}

/** Of a service principal for many subscriptions the file names one: looked for there, a cluster of another seems to be gone already. */
function requireAgreement(credentials: SubscriptionInFile, document: SubscriptionInFile): void {
  if (credentials.id.toLowerCase() === document.id.toLowerCase()) return;
  throw new Failure("ARO-USAGE-001", "credentials file and infra document name different subscriptions", {
    problems: [
      { origin: credentials.file, message: `is for subscription "${credentials.id}"` },
      { origin: document.file, message: `is of a cluster in subscription "${document.id}"` },
    ],
    next: [`pass the credentials file of that subscription, or --subscription ${document.id} where these credentials reach it too`],
  });
}
