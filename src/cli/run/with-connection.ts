/** The run context and the connection of every command that uses Azure; closes both in any case. */
import type { Azure } from "../../azure/azure.js";
import { exitCodes } from "../../errors/exit-codes.js";
import { failuresText } from "../../render/failure.js";
import { printable } from "../../render/printable.js";
import type { ProcessPort } from "../process-port.js";
import { connect, type ConnectSettings } from "./connect.js";
import { openRunContext, type RunContext, type RunContextSettings } from "./run-context.js";

/**
 * `work` returns the exit code. If it is 0 and events were lost, the exit code is 1.
 * @throws the reason if Ctrl-C, SIGTERM or the time limit ended the run, whatever failed because of it
 */
export async function withConnection(
  settings: ConnectSettings & RunContextSettings,
  notices: readonly string[],
  port: ProcessPort,
  work: (azure: Azure, context: RunContext) => Promise<number>,
): Promise<number> {
  const context = await openRunContext(settings, port);
  let code: number;
  try {
    for (const notice of notices) context.say(`notice: ${printable(notice)}`);
    const connected = await connect(settings, port, context);
    try {
      code = await work(connected.azure, context);
    } finally {
      context.close();
      await connected.close();
    }
  } catch (error) {
    throw context.stopped() ?? error;
  } finally {
    context.close();
    reportLostEvents(context);
  }
  return context.lostEvents() === undefined || code !== exitCodes.done ? code : exitCodes.failed;
}

function reportLostEvents({ people, renderAdvice, lostEvents }: RunContext): void {
  const failure = lostEvents();
  if (failure) people.print(failuresText(people, [failure], { renderAdvice }));
}
