/** The markers by which a CI system folds part of a log. */

export interface Fold {
  begin(title: string): string;
  /** Of what began last. */
  end(): string;
}

/** Undefined if the environment is not of a system that knows such markers. `now` is for GitLab, which shows how long a section took. */
export function foldIn(environment: NodeJS.ProcessEnv, now: () => Date): Fold | undefined {
  if (environment["GITHUB_ACTIONS"] === "true") {
    // GitHub decodes percent signs in the title.
    return { begin: (title) => `::group::${title.replaceAll("%", "%25")}`, end: () => "::endgroup::" };
  }
  // Azure Pipelines.
  if (/^true$/i.test(environment["TF_BUILD"] ?? "")) return { begin: (title) => `##[group]${title}`, end: () => "##[endgroup]" };
  if (environment["GITLAB_CI"] === "true") return gitlabFold(now);
  return undefined;
}

const clearLine = "\u001b[0K";

/** https://docs.gitlab.com/ci/jobs/job_logs/#custom-collapsible-sections */
function gitlabFold(now: () => Date): Fold {
  const seconds = () => String(Math.floor(now().getTime() / 1000));
  let sections = 0;
  let name = "";
  const marker = (what: string) => `${clearLine}section_${what}\r${clearLine}`;
  return {
    begin(title) {
      sections += 1;
      // A job can run several commands, and a name that is used twice is one section.
      name = `aro_hcp_${seconds()}_${String(sections)}`;
      return `${marker(`start:${seconds()}:${name}[collapsed=true]`)}${title}`;
    },
    end: () => marker(`end:${seconds()}:${name}`),
  };
}

/** Exactly what GitLab's markers are: text of others must not move the cursor. */
const gitlabMarker = /(\u001b\[0Ksection_(?:start|end):\d+:aro_hcp_\d+_\d+(?:\[collapsed=true\])?\r\u001b\[0K)/u;

/** Changes the text between markers. */
export function mapOutsideMarkers(text: string, change: (part: string) => string): string {
  return text
    .split(gitlabMarker)
    .map((part, index) => (index % 2 === 1 ? part : change(part)))
    .join("");
}
