/** The chart of the agents: the newest one that the region offers, or the version of --agent-version. */
import { agentChartIn, type AgentChart } from "../../domain/arc/agent-commands.js";
import { defineLookup, type Step } from "../../engine/step.js";
import { refuse } from "../ownership-decision.js";
import type { ArcContext } from "./context.js";

export function agentChart({ azure, spec: { location, agentVersion } }: ArcContext): Step<AgentChart> {
  const chartIn = (path: string): AgentChart | undefined => {
    const chart = agentChartIn(path);
    return chart && { ...chart, version: agentVersion ?? chart.version };
  };
  return defineLookup({
    id: "agent-chart",
    title: `chart of the agents in ${location}`,
    subject: { kind: "offer" },
    needs: {},
    read: () => azure.arcAgentChart(location.replaceAll(" ", "").toLowerCase()),
    decide: (path) =>
      path !== undefined && chartIn(path) !== undefined
        ? { act: "adopt" }
        : refuse("ARO-ARC-006", `${location} does not name a chart with a version: ${path ?? "nothing"}`),
    output: (path) => chartIn(path) ?? { repository: path, version: agentVersion ?? "" },
  });
}
