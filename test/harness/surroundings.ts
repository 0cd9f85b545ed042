/** The variables and the time of the test's own process, for what reads a kubeconfig. */
import { systemClock } from "../../src/azure/clock.js";

export const ownSurroundings = { environment: process.env, clock: systemClock };
