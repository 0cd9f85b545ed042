/** The subscription of a command: settings of this run override values of files and of the environment. */
import { advise, shell } from "../errors/advice.js";
import { Failure } from "../errors/failure.js";
import { uuid } from "../files/fields.js";
import type { ProcessPort } from "./process-port.js";
import { sameText } from "../text/same-text.js";

/** A value from a file, and the path of the file. */
export interface SubscriptionInFile {
  readonly id: string;
  readonly file: string;
  /** The flag of the file, if it is not that of its kind. */
  readonly flag?: `--${string}`;
}

/** Undefined if there is no file, or if it has no value. */
export function subscriptionInFile(id: string | undefined, file: string | undefined): SubscriptionInFile | undefined {
  return id === undefined || file === undefined ? undefined : { id, file };
}

export interface SubscriptionSources {
  /** The value of a flag, this program's variable or the configuration file, validated with all settings. */
  readonly setting?: string | undefined;
  /** The subscription in the credentials file. */
  readonly credentials?: SubscriptionInFile | undefined;
  /** The subscription in the document of --infra-file or --management-cluster-file. */
  readonly document?: SubscriptionInFile | undefined;
  /** AZURE_SUBSCRIPTION_ID, which is often left over from other work. */
  readonly variable?: string | undefined;
  /** The subscription that az has selected, if az signs in. */
  readonly az?: string | undefined;
}

/**
 * Like `subscriptionIfGiven`. `isUnseen`: the command changes what exists, and nobody sees its plan before.
 * @throws ARO-USAGE-001 also if no source has one
 */
export function subscriptionOf(sources: SubscriptionSources, isUnseen = false): string {
  const id = subscriptionIfGiven(sources);
  if (id !== undefined) return id;
  throw new Failure("ARO-USAGE-001", "no subscription specified", {
    ...(isUnseen && {
      because: "without a terminal, or with --yes, a change of what exists does not use the subscription that az has selected",
    }),
    next: [
      "pass --subscription, set AZURE_SUBSCRIPTION_ID, or pass a credentials file with --azure-creds",
      advise`${shell`az account show --query id --output tsv`} prints the one of az, after ${shell`az login`}`,
    ],
  });
}

/** Where the subscription of a run comes from, for people: the flag, the variable, the file, or az. */
export function subscriptionSource(
  { setting, credentials, document, variable }: SubscriptionSources,
  { args, environment }: Pick<ProcessPort, "args" | "environment">,
): string {
  if (setting !== undefined) {
    if (args.some((arg) => /^--subscription(?:=|$)/.test(arg))) return "--subscription";
    return sameText(environment["ARO_HCP_SUBSCRIPTION"], setting) ? "ARO_HCP_SUBSCRIPTION" : "the setting subscription";
  }
  return (credentials ?? document)?.file ?? (variable ? "AZURE_SUBSCRIPTION_ID" : "az");
}

/** @throws ARO-USAGE-001 if the two files differ and no setting decides, or if the variable is not a UUID */
export function subscriptionIfGiven({ setting, credentials, document, variable, az }: SubscriptionSources): string | undefined {
  if (setting !== undefined) return setting;
  if (credentials && document) requireSameSubscription(credentials, document);
  const known = credentials ?? document;
  if (known !== undefined) return known.id;
  if (variable === undefined || variable === "") return az;
  if (!uuid.safeParse(variable).success) throw new Failure("ARO-USAGE-001", "AZURE_SUBSCRIPTION_ID is not a UUID");
  return variable;
}

/** @throws ARO-USAGE-001 if a file belongs to another tenant than the signed-in one: its resources would not be found */
export function requireTenant(signedInTo: string, inFile: string | undefined, file: string | undefined): void {
  if (inFile === undefined || inFile === "" || file === undefined || sameText(inFile, signedInTo)) return;
  throw new Failure("ARO-USAGE-001", `${file} belongs to tenant ${inFile}, but you are signed in to tenant ${signedInTo}`, {
    next: [advise`sign in to that tenant (${shell`az login --tenant ${inFile}`}), or correct tenantID in ${file}`],
  });
}

/** @throws ARO-USAGE-001 if a file belongs to another cloud than that of the run */
export function requireCloud(ofRun: string, inFile: string, file: string | undefined): void {
  if (file === undefined || sameText(inFile, ofRun)) return;
  throw new Failure("ARO-USAGE-001", `${file} belongs to ${inFile}, but this run uses ${ofRun}`, {
    next: [`pass --cloud ${inFile}, or correct cloud in ${file}`],
  });
}

/** The credentials file of a service principal names one of its subscriptions: a cluster in another one would seem to be deleted. */
function requireSameSubscription(credentials: SubscriptionInFile, document: SubscriptionInFile): void {
  if (sameText(credentials.id, document.id)) return;
  throw new Failure(
    "ARO-USAGE-001",
    `the credentials file and the ${document.flag ?? "--infra-file"} file are for different subscriptions`,
    {
      problems: [
        { origin: credentials.file, message: `is for subscription "${credentials.id}"` },
        { origin: document.file, message: `belongs to a cluster in subscription "${document.id}"` },
      ],
      next: [`pass the credentials file of that subscription, or --subscription ${document.id} if these credentials have access to it`],
    },
  );
}
