/** Formats failures: plain lines for people (src/render adds color), an object for machines. */
import type { Advice, RenderAdvice } from "./advice.js";
import { catalogue, type CatalogueEntry } from "./catalogue.js";
import type { AzureDetail, Failure, Problem } from "./failure.js";

export type FailureLabel = "error" | "also" | "problem" | "because" | "next" | "done" | "azure" | "more";

export interface FailureLine {
  readonly label: FailureLabel;
  readonly text: string;
}

/**
 * The lines of the failure block. `done` is the progress of the run, and what a rerun does. `also` contains the messages of other failures with the
 * same reason, which is shown once, with their number. The last line leads to the page of the code.
 */
export function failureLines(failure: Failure, render: RenderAdvice, done?: string, also: readonly string[] = []): readonly FailureLine[] {
  const width = Math.max(0, ...failure.problems.map(({ origin }) => origin.length));
  const azure = failure.azure && azureText(failure.azure);
  return [
    { label: "error", text: also.length === 0 ? failure.message : `${failure.message}, and ${also.length} more for the same reason` },
    ...(also.length === 0 ? [] : [{ label: "also", text: alsoText(also) } as const]),
    ...failure.problems.map(({ origin, message }) => ({ label: "problem", text: `${origin.padEnd(width)}  ${message}` }) as const),
    ...(failure.because === undefined ? [] : [{ label: "because", text: failure.because } as const]),
    ...adviceFor(failure).map((advice) => ({ label: "next", text: render(advice) }) as const),
    ...(done === undefined ? [] : [{ label: "done", text: done } as const]),
    ...(azure ? [{ label: "azure", text: azure } as const] : []),
    { label: "more", text: `aro-hcp help ${failure.code}` },
  ];
}

const mostNamed = 3;

/** "role a, role b, role c and 20 more" */
function alsoText(messages: readonly string[]): string {
  const named = messages.slice(0, mostNamed).map((message) => message.replace(/ failed$/, ""));
  const others = messages.length - named.length;
  return `${named.join(", ")}${others > 0 ? ` and ${others} more` : ""}`;
}

/** The title of a step that failed with what happened, in a line that says already that it failed. */
export function failedText({ message }: Failure, title: string): string {
  if (message === `${title} failed`) return title;
  // Most messages already start with the title.
  return message.startsWith(title) ? message : `${title}: ${message}`;
}

/** Renders advice for comparison only. */
const asData: RenderAdvice = JSON.stringify;

/** Removes duplicates: steps that fail for the same reason, such as a rejected sign-in, report identical failures. */
export function distinctFailures(failures: readonly Failure[]): Failure[] {
  return [...new Map(failures.map((failure) => [JSON.stringify(failureJson(failure, asData)), failure])).values()];
}

/** Groups failures with the same reason, in order of first occurrence: an invalid location fails every resource group. */
export function failuresByReason(failures: readonly Failure[]): (readonly [Failure, ...Failure[]])[] {
  const groups = new Map<unknown, [Failure, ...Failure[]]>();
  for (const failure of failures) {
    const reason = reasonOf(failure);
    const group = groups.get(reason);
    if (group === undefined) groups.set(reason, [failure]);
    else group.push(failure);
  }
  return [...groups.values()];
}

/**
 * Equal for failures with the same reason and advice. Azure's own messages name the resource and the request, so they are compared without names,
 * IDs and times. Without a reason, only the same message is the same.
 */
export function reasonOf(failure: Failure): unknown {
  const { code, message, because, problems, azure } = failure;
  if (because === undefined) return JSON.stringify([code, message, problems, adviceFor(failure)]);
  return JSON.stringify([code, azure ? withoutNames(because) : because, problems, adviceFor(failure), azure?.status, azure?.code]);
}

function withoutNames(message: string): string {
  return message
    .replace(/'[^']*'|"[^"]*"|\/subscriptions\/\S+/g, "...")
    .replace(/[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z?/gi, "...");
}

export interface FailureJson {
  readonly code: string;
  readonly title: string;
  readonly message: string;
  readonly exit: number;
  readonly because?: string;
  readonly problems?: readonly Problem[];
  readonly next: readonly string[];
  readonly done?: string;
  readonly azure?: AzureDetail;
}

/** The same fields as an object, for `--output json` and the event file. */
export function failureJson(failure: Failure, render: RenderAdvice, done?: string): FailureJson {
  const { title, exit } = catalogue[failure.code];
  const next = adviceFor(failure).map(render);
  return {
    code: failure.code,
    title,
    message: failure.message,
    exit,
    ...(failure.because !== undefined && { because: failure.because }),
    ...(failure.problems.length > 0 && { problems: failure.problems }),
    next,
    ...(done !== undefined && { done }),
    ...(failure.azure && { azure: failure.azure }),
  };
}

/** The advice for a failure: its own, otherwise the catalogue's. `reading`: the command only reads. */
export function adviceFor({ code, next }: Failure, reading = false): readonly Advice[] {
  const entry: CatalogueEntry = catalogue[code];
  return next ?? (reading ? entry.nextToRead : undefined) ?? entry.next;
}

/** The details that Azure support asks for: "403 AuthorizationFailed, request 6f1c..., 2026-01-31T12:04:31Z". */
function azureText({ status, code, requestId, at }: AzureDetail): string {
  const answer = [status, code].filter((part) => part !== undefined).join(" ");
  return [answer, requestId && `request ${requestId}`, at].filter(Boolean).join(", ");
}
