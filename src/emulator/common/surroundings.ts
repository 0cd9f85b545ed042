/** The time and the random values of an emulator. */
import type { EmulatorClock } from "./clock.js";
import type { EmulatorRandom } from "./random.js";

export interface Surroundings {
  readonly clock: EmulatorClock;
  readonly random: EmulatorRandom;
}
