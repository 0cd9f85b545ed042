/** Path templates of the emulator's routes, as in API documentation: "/secrets/{name}/{version}". */

/** The values of the template's parameters in a path. */
export type Parameters = Readonly<Record<string, string>>;

/**
 * The parameters of a path that fits the template, compared by segment and case-insensitively; undefined if it does not fit.
 * A leading "{scope}" matches any number of segments, including none.
 */
export function matchTemplate(template: string, path: readonly string[]): Parameters | undefined {
  const segments = template.split("/").filter((segment) => segment !== "");
  const scoped = segments[0] === "{scope}";
  const wanted = scoped ? segments.slice(1) : segments;
  const start = path.length - wanted.length;
  if (start < 0 || (!scoped && start > 0)) return undefined;
  const parameters: Record<string, string> = scoped ? { scope: `/${path.slice(0, start).join("/")}` } : {};
  for (const [index, segment] of wanted.entries()) {
    const sent = path[start + index] ?? "";
    if (segment.startsWith("{")) parameters[segment.slice(1, -1)] = sent;
    else if (segment.toLowerCase() !== sent.toLowerCase()) return undefined;
  }
  return parameters;
}
