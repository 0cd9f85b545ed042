/** Consent to a change that must never be made by mistake: the subject is typed at a prompt, or --yes is passed. */
import { Failure } from "../../errors/failure.js";
import { askForText, canAsk } from "../../render/prompt.js";
import type { RunContext } from "./run-context.js";

export interface ConsentSettings {
  readonly dryRun: boolean;
  readonly yes: boolean;
}

/**
 * Checks before any request to Azure that a required prompt is possible. `doing`: "destroying demo-x7k2".
 * @throws ARO-RUN-003
 */
export function requireConsent(
  doing: string,
  { dryRun = false, yes = false }: Partial<ConsentSettings>,
  { people, port }: RunContext,
): void {
  if (dryRun || yes || canAsk({ input: port.stdin, output: people.stream })) return;
  throw new Failure("ARO-RUN-003", `${doing} requires confirmation, but there is no terminal to prompt on`);
}

/**
 * Only exactly the subject confirms, without a second try. `what`: "the deletion".
 * @throws ARO-RUN-002
 */
export async function confirmByTyping(subject: string, what: string, { people, port, signal }: RunContext): Promise<void> {
  const typed = await askForText(`Type ${subject} to confirm ${what}:`, {
    input: port.stdin,
    output: people.stream,
    signal,
  });
  if (typed === subject) return;
  throw new Failure("ARO-RUN-002", `${typed === "" ? "declined" : `${typed} does not match ${subject}`}; nothing was changed`);
}
