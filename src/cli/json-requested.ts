/** Whether a command was asked for JSON, read directly from its arguments and variables: for failures outside of its settings. */
import type { ProcessPort } from "./process-port.js";

export function isJsonRequested({ args, environment }: Pick<ProcessPort, "args" | "environment">): boolean {
  const flag = [...args.join(" ").matchAll(/(?:^| )(?:--output[= ]|-o[= ]?)(\w+)/g)].at(-1)?.[1];
  return (flag ?? environment["ARO_HCP_OUTPUT"]) === "json";
}
