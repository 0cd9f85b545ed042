/** The chart of the agents: the newest one that the region offers, or the version of --agent-version. */
import type { Azure } from "../../azure/azure.js";
import { agentChartIn, type AgentChart } from "../domain/agent-commands.js";
import { defineLookup, type Step } from "../../engine/step.js";
import { plainLocation, sameLocation } from "../../domain/location.js";
import { sameText } from "../../text/same-text.js";
import { refuse } from "../../steps/ownership-decision.js";
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
    // Without Azure Arc, a region has no such host, and a request would be repeated for minutes.
    read: async () => ((await isOffered(azure, location)) ? azure.arcAgentChart(plainLocation(location)) : undefined),
    decide(path) {
      if (path === undefined) return refuse("ARO-ARC-006", `Azure Arc is not available in ${location}`);
      return chartIn(path) === undefined
        ? refuse("ARO-ARC-006", `${location} does not name a chart with a version: ${path}`)
        : { act: "use" };
    },
    output: (path) => chartIn(path) ?? { repository: path, version: agentVersion ?? "" },
  });
}

async function isOffered(azure: Azure, location: string): Promise<boolean> {
  const { providers } = await azure.resources();
  const { resourceTypes = [] } = await providers.get("Microsoft.Kubernetes");
  const { locations = [] } = resourceTypes.find(({ resourceType }) => sameText(resourceType, "connectedClusters")) ?? {};
  return locations.some((offer) => sameLocation(offer, location));
}
