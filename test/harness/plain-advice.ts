/** Renders advice as on the default cloud, without connection flags. */
import { adviceRenderer } from "../../src/run/connection-flags.js";

export const plainAdvice = adviceRenderer({});
