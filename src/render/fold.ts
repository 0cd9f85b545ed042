/** The markers by which a CI system folds part of a log. */
import { uncoloredText } from "../text/control.js";

export interface Fold {
  begin(title: string): string;
  end(): string;
  /** Whether the line is a marker that was made here: a line of others is none. */
  isMarker(line: string): boolean;
}

type Markers = Pick<Fold, "begin" | "end">;

/** Undefined if the environment is not of a system that knows such markers. `now` is for GitLab, which shows how long a section took. */
export function foldIn(environment: NodeJS.ProcessEnv, now: () => Date): Fold | undefined {
  const markers = markersIn(environment, now);
  if (markers === undefined) return undefined;
  const made = new Set<string>();
  const noted = (marker: string): string => {
    made.add(marker);
    return marker;
  };
  return {
    begin: (title) => noted(markers.begin(uncoloredText(title))),
    end: () => noted(markers.end()),
    isMarker: (line) => made.has(line),
  };
}

function markersIn(environment: NodeJS.ProcessEnv, now: () => Date): Markers | undefined {
  if (environment["GITHUB_ACTIONS"] === "true") {
    // GitHub decodes percent signs in the title.
    return { begin: (title) => `::group::${title.replaceAll("%", "%25")}`, end: () => "::endgroup::" };
  }
  // Azure Pipelines.
  if (/^true$/i.test(environment["TF_BUILD"] ?? "")) return { begin: (title) => `##[group]${title}`, end: () => "##[endgroup]" };
  if (environment["GITLAB_CI"] === "true") return gitlabMarkers(now);
  return undefined;
}

const clearLine = "\u001b[0K";

/** https://docs.gitlab.com/ci/jobs/job_logs/#custom-collapsible-sections */
function gitlabMarkers(now: () => Date): Markers {
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
