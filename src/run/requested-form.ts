/** The requested form of the result, read directly from arguments and variables: for failures outside of the settings. */
import type { ProcessPort } from "./process-port.js";

/** The choices of `--output`. Only commands that run checks have the last two. */
export const resultForms = ["text", "json", "junit", "sarif"] as const;
export type ResultForm = (typeof resultForms)[number];

/** Text, if the requested form does not exist. */
export function requestedForm({ args, environment }: Pick<ProcessPort, "args" | "environment">): ResultForm {
  const flag = [...args.join(" ").matchAll(/(?:^| )(?:--output[= ]|-o[= ]?)(\w+)/g)].at(-1)?.[1];
  return resultForms.find((form) => form === (flag ?? environment["ARO_HCP_OUTPUT"])) ?? "text";
}
