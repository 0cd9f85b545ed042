/** The markers by which a CI system folds part of a log. */

export interface Fold {
  begin(title: string): string;
  readonly end: string;
}

/** Undefined if the environment is not of a system that knows such markers. */
export function foldIn(environment: NodeJS.ProcessEnv): Fold | undefined {
  if (environment["GITHUB_ACTIONS"] === "true") {
    // GitHub decodes percent signs in the title.
    return { begin: (title) => `::group::${title.replaceAll("%", "%25")}`, end: "::endgroup::" };
  }
  // Azure Pipelines.
  if (/^true$/i.test(environment["TF_BUILD"] ?? "")) return { begin: (title) => `##[group]${title}`, end: "##[endgroup]" };
  return undefined;
}
