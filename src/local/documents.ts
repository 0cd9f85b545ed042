/** The documents of the emulator: loaded where a schema or the reader of a file is needed. */
import { emulatorState } from "../files/results/reads.js";

/** What each command prints with `--output json`. One that fails before it has a result prints only its failures. */
export const results = {
  "local status": emulatorState,
};
