/** The documents of the emulator: loaded where a schema or the reader of a file is needed. */
import { emulatorState } from "../files/results/reads.js";

export const results = {
  "local status": emulatorState,
};
