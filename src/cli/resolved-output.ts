/** In which form this process was told to give its result, once its settings are known: a failure after that is told in the same form. */
export let resolvedOutput: "text" | "json" | undefined;

export function setResolvedOutput(output: "text" | "json"): void {
  resolvedOutput = output;
}
