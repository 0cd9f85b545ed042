/** The variables that the program reads. */
import type { Problem } from "../errors/failure.js";
import { didYouMean } from "../text/did-you-mean.js";
import { variableOf } from "./option.js";
import { allOptions } from "./options.js";

type Environment = Readonly<Record<string, string | undefined>>;

const prefix = "ARO_HCP_";

/** Variables of the emulator, which have no flag. */
export const emulatorVariables = [
  "ARO_HCP_LOCAL_DIR",
  "ARO_HCP_LOCAL_LATENCY",
  "ARO_HCP_LOCAL_TIME_SCALE",
  "ARO_HCP_LOCAL_RECORD",
  "ARO_HCP_LOCAL_FAULTS",
  "ARO_HCP_LOCAL_RESPONSE_LIMIT",
] as const;

/**
 * One problem for each variable with our prefix, in any casing, that no command reads. An empty variable is not set. An unknown variable
 * is refused: a mistyped ARO_HCP_DRY_RUN would let the command write.
 */
export function variableProblems(environment: Environment): Problem[] {
  const known: readonly string[] = [...allOptions.map(variableOf), ...emulatorVariables];
  return Object.entries(environment)
    .filter(
      ([variable, value]) => variable.toUpperCase().startsWith(prefix) && value !== undefined && value !== "" && !known.includes(variable),
    )
    .map(([variable]) => ({
      origin: variable,
      message: `is not a variable of aro-hcp${didYouMean(variable, known) || "; unset it"}`,
    }));
}
