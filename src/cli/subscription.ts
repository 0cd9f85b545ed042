/** In which subscription a command works: what was given for this run goes before what files and the environment hold for many. */
import { Failure } from "../errors/failure.js";
import { uuid } from "../files/fields.js";

export interface SubscriptionSources {
  /** Flag, our variable, or configuration file: checked with all settings. */
  readonly setting?: string | undefined;
  /** The credentials file's. */
  readonly credentials?: string | undefined;
  /** That of the document of --infra-json. */
  readonly document?: string | undefined;
  /** AZURE_SUBSCRIPTION_ID, which is often left over from other work. */
  readonly variable?: string | undefined;
}

/** Throws ARO-USAGE-001 where none says it, or the variable holds none. */
export function subscriptionOf({ setting, credentials, document, variable }: SubscriptionSources): string {
  const known = setting ?? credentials ?? document;
  if (known !== undefined) return known;
  if (variable === undefined || variable === "") {
    throw new Failure("ARO-USAGE-001", "no subscription is given", {
      next: ["pass --subscription, set AZURE_SUBSCRIPTION_ID, or pass a credentials file with --azure-creds"],
    });
  }
  if (!uuid.safeParse(variable).success) throw new Failure("ARO-USAGE-001", "AZURE_SUBSCRIPTION_ID is not a UUID");
  return variable;
}
