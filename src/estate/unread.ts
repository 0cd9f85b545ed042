/** Shows what could not be read: to people as errors, to programs as a part of the document. */
import type { RenderAdvice } from "../errors/advice.js";
import { failureJson } from "../errors/format.js";
import { failuresText } from "../render/failure-text.js";
import type { RunContext } from "../run/run-context.js";
import type { Unread } from "./domain/estate.js";

export function showUnread(unread: readonly Unread[], context: RunContext): void {
  const failures = unread.map(({ failure }) => failure);
  if (failures.length > 0) context.show(failuresText(context.people, failures, context));
}

export function unreadJson(unread: readonly Unread[], renderAdvice: RenderAdvice) {
  return unread.map(({ subscriptionId, failure }) => ({ subscriptionID: subscriptionId, failure: failureJson(failure, renderAdvice) }));
}
