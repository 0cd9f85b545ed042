/** The checks of the settings of a sweep. */
import type { Check } from "../settings/option-check.js";

/** A cap of 0 would look like a sweep that found nothing. */
const checkCap: Check = ({ values: { max }, problem }) => {
  if (max !== undefined && max < 1) problem("max", `${max} is not at least 1`);
};

export const checks: readonly Check[] = [checkCap];
