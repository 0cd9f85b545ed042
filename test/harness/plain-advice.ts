/** Advice as a run on the default cloud writes it out: no flag of the connection. */
import { adviceRenderer } from "../../src/cli/run/connection-flags.js";

export const plainAdvice = adviceRenderer({});
