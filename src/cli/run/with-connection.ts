/** The run context and the connection of every command that uses Azure; closes both in any case. */
import type { Azure } from "../../azure/azure.js";
import type { ProcessPort } from "../process-port.js";
import { connect, type ConnectSettings } from "./connect.js";
import { openRunContext, type RunContext, type RunContextSettings } from "./run-context.js";

/**
 * `work` returns the exit code.
 * @throws the reason if Ctrl-C, SIGTERM or the time limit ended the run, whatever failed because of it
 */
export async function withConnection(
  settings: ConnectSettings & RunContextSettings,
  notices: readonly string[],
  port: ProcessPort,
  work: (azure: Azure, context: RunContext) => Promise<number>,
): Promise<number> {
  const context = await openRunContext(settings, port);
  try {
    for (const notice of notices) context.say(`notice: ${notice}`);
    const connected = await connect(settings, port, context);
    try {
      return await work(connected.azure, context);
    } finally {
      context.close();
      await connected.close();
    }
  } catch (error) {
    throw context.stopped() ?? error;
  } finally {
    context.close();
  }
}
