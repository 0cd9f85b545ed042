/** The check of the settings of the emulator. */
import type { Check } from "../settings/option-check.js";

const highestPort = 65_535;

const checkPorts: Check = ({ values, problem }) => {
  for (const key of ["port", "proxyPort"] as const) {
    const port = values[key];
    if (port !== undefined && port > highestPort) problem(key, `${port} is not a port from 0 to ${highestPort}`);
  }
};

export const checks: readonly Check[] = [checkPorts];
