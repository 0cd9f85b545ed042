/** What every command that speaks to Azure is run in: a stage and a connection, both closed whatever happens. */
import type { Azure } from "../azure/azure.js";
import { connect, type ConnectSettings } from "./connect.js";
import { openStage, type Stage, type StageSettings } from "./stage.js";

/** `work` returns the exit code. */
export async function inSession(
  settings: ConnectSettings & StageSettings,
  notices: readonly string[],
  environment: NodeJS.ProcessEnv,
  work: (azure: Azure, stage: Stage) => Promise<number>,
): Promise<number> {
  const stage = openStage(settings, environment);
  try {
    for (const notice of notices) stage.say(`notice: ${notice}`);
    const session = await connect(settings, environment, stage);
    try {
      return await work(session.azure, stage);
    } finally {
      stage.close();
      await session.close();
    }
  } finally {
    stage.close();
  }
}
