/** The run context and the connection of every command that uses Azure; closes both in any case. */
import type { Azure } from "../azure/azure.js";
import { toFailure } from "../azure/to-failure.js";
import { exitCodes } from "../errors/exit-codes.js";
import type { Failure } from "../errors/failure.js";
import { failuresText } from "../render/failure-text.js";
import { printable } from "../render/printable.js";
import type { ProcessPort } from "./process-port.js";
import { requireConsent, type ConsentSettings } from "./consent.js";
import { connect, type Connected, type ConnectSettings } from "./connect.js";
import { checkReports } from "./reports.js";
import { openRunContext, type RunContext, type RunContextSettings } from "./run-context.js";
import { failuresIn, markSummarized, noSummary } from "./show-failure.js";
import { placeOf, targetOf } from "./target.js";
import { catalogue } from "../errors/catalogue.js";

/** For a command that asks before it acts: a missing terminal is found before any request. */
interface Consent extends Partial<ConsentSettings> {
  /** "destroying demo-x7k2" */
  readonly consentTo?: string;
  /** Whether it deletes: a refusal then says that nothing was deleted. */
  readonly deletes?: true;
}

/** @throws the reason if Ctrl-C, SIGTERM or the time limit ended the run, whatever failed because of it */
export function withConnection(
  settings: ConnectSettings & RunContextSettings & Consent,
  notices: readonly string[],
  port: ProcessPort,
  work: (azure: Azure, context: RunContext) => Promise<number>,
): Promise<number> {
  return withRunContext(settings, notices, port, async (context) => {
    if (settings.consentTo !== undefined) requireConsent(settings.consentTo, settings, context);
    const connected = await connect(settings, port, context);
    try {
      // The doctor reports the sign-in as a check of its own.
      if (settings.command !== "doctor") await requireSignIn(connected.azure);
      if (settings.outputReport !== undefined) {
        const { early } = connected.azure.connection;
        void early.start(async () => context.report({ connectedTo: placeOf(await targetOf(connected.azure, {})) }));
      }
      return await work(connected.azure, context);
    } catch (error) {
      throw withSubscription(error, connected);
    } finally {
      await connected.azure.connection.early.end();
      context.close();
      await connected.close();
    }
  });
}

/**
 * The same without a connection. `work` returns the exit code. If it is 0 and events or a report were lost, the exit code is 1.
 * @throws the reason if Ctrl-C, SIGTERM or the time limit ended the run, whatever failed because of it
 */
export async function withRunContext(
  settings: RunContextSettings & Pick<Consent, "deletes">,
  notices: readonly string[],
  port: ProcessPort,
  work: (context: RunContext) => Promise<number>,
): Promise<number> {
  await checkReports(settings);
  const context = await openRunContext(settings, port);
  let code: number;
  let lost: readonly Failure[] = [];
  try {
    for (const notice of notices) context.say(`notice: ${printable(notice)}`);
    code = await work(context);
  } catch (error) {
    const isEarly = settings.deletes === true && !context.hasStarted();
    const thrown = context.stopped() ?? (isEarly ? sayNothingDeleted(error) : error);
    context.report({ failures: failuresIn(thrown) });
    throw thrown;
  } finally {
    context.close();
    markSummarized(port);
    const unwritten = await context.summarize();
    if (unwritten !== undefined) context.people.print(noSummary(unwritten));
    lost = [...(await context.writeReports()), ...context.lostEvents()];
    if (lost.length > 0) context.people.show(failuresText(context.people, lost, context));
  }
  return lost.length === 0 || code !== exitCodes.done ? code : exitCodes.failed;
}

/** Every request for an unknown subscription fails, whatever it is about. */
function withSubscription(error: unknown, connected: Connected): unknown {
  if (error instanceof AggregateError) return new AggregateError(error.errors.map((one: unknown) => withSubscription(one, connected)));
  const failure = toFailure(error);
  if (failure.code !== "ARO-AUTH-004") return error;
  const { subscriptionId } = connected.azure.connection;
  return failure.withMessage(`subscription ${subscriptionId}, from ${connected.subscriptionSource}, was not found`);
}

/** One request before all others, which would fail for the same reason. */
async function requireSignIn(azure: Azure): Promise<void> {
  const { credential, cloud } = azure.connection;
  try {
    // The client of the first request takes as long to import as the response to this one.
    await Promise.all([credential.getToken(cloud.resourceManagerScope), azure.resources()]);
  } catch (error) {
    throw toFailure(error, "sign-in");
  }
}

/** For an error before the first removal. Only a refusal raises the question. */
function sayNothingDeleted(error: unknown): unknown {
  if (error instanceof AggregateError) return error;
  const failure = toFailure(error);
  return catalogue[failure.code].exit === exitCodes.refused ? failure.withMessage(`${failure.message}; nothing was deleted`) : failure;
}
