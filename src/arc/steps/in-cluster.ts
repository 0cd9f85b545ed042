/** The steps in the cluster itself: checks, OpenShift's permission, and the agents. */
import type { ArcAccess, ClusterObject } from "../domain/cluster-access.js";
import { installArguments } from "../domain/agent-commands.js";
import { releaseNamespace, securityContextBinding } from "../domain/cluster-objects.js";
import { agents, isSamePlace, type ConnectedClusterPlace } from "../domain/names.js";
import type { ArcSpec, ArcProxy } from "../domain/spec.js";
import { defineLookup, defineStep, type Step } from "../../engine/step.js";
import { advise, aroHcp, rerun } from "../../errors/advice.js";
import { Failure } from "../../errors/failure.js";
import { refuse } from "../../steps/ownership-decision.js";
import type { AgentFilesOutput } from "./agent-files.js";
import type { ArcContext } from "./context.js";
import { plainLocation } from "../../domain/location.js";

interface Found {
  readonly as: ConnectedClusterPlace | undefined;
}

export interface ClusterSteps {
  /** Before the connected cluster exists in Azure. */
  readonly before: Readonly<Record<string, Step<unknown>>>;
  install(needs: { readonly files: Step<AgentFilesOutput>; readonly cluster: Step<unknown> }): Step<unknown>[];
}

export function inCluster({ azure, spec }: ArcContext, access: ArcAccess, skipDiagnostics: boolean): ClusterSteps {
  const elsewhere = notElsewhere(spec, access);
  const namespace = object("arc-namespace", `namespace ${releaseNamespace.metadata.name}`, access, releaseNamespace, { elsewhere });
  const { arcSuffix } = azure.connection.cloud;
  const checked = skipDiagnostics ? undefined : diagnostics(spec, access, arcSuffix, { elsewhere, namespace });
  const title = `security context constraints of ${agents.proxyServiceAccount}`;
  const permission = object("arc-scc", title, access, securityContextBinding, { elsewhere });
  return {
    before: { elsewhere, namespace, ...(checked && { checked }), permission },
    install: ({ files, cluster }) => (access.hasHelm ? [installed(access, { files, cluster, namespace, permission })] : []),
  };
}

/** Agents that belong to another connected cluster would be taken from it. */
function notElsewhere(spec: ArcSpec, access: ArcAccess): Step<Found> {
  return defineLookup({
    id: "arc-elsewhere",
    title: `agents in ${access.server}`,
    subject: { kind: "offer" },
    needs: {},
    read: async (): Promise<Found> => ({ as: await access.connectedAs() }),
    decide: (live: Found | undefined) => {
      const as = live?.as;
      if (as === undefined || isSamePlace(placeOf(spec), as)) return { act: "use" };
      const { subscriptionId, groupName, name } = as;
      return refuse(
        "ARO-ARC-002",
        `${access.server} is connected as ${name} in resource group "${groupName}" of subscription ${subscriptionId}`,
        {
          because: `the ConfigMap ${agents.configMap} in ${agents.namespace} says so`,
          next: [
            advise`disconnect it there first: ${aroHcp("destroy arc", { name, resourceGroupName: groupName })}`,
            "or pass its --name, --resource-group-name and --subscription",
          ],
        },
      );
    },
    output: (live) => live,
  });
}

function placeOf({ subscriptionId, group, name }: ArcSpec): ConnectedClusterPlace {
  return { subscriptionId, groupName: group.name, name };
}

function object(
  id: string,
  title: string,
  access: ArcAccess,
  wanted: ClusterObject,
  needs: Readonly<Record<string, Step<unknown>>>,
): Step<unknown> {
  return defineStep({
    id,
    title,
    subject: { kind: "directory-object" },
    needs,
    read: async () => ((await access.has(wanted)) ? wanted : undefined),
    decide: (live) => (live === undefined ? { act: "create" } : { act: "keep" }),
    async apply() {
      await access.create(wanted);
      return wanted;
    },
    predict: () => wanted,
    output: (live) => live,
  });
}

/** Before anything is written in Azure. Agents that run have reached it. */
function diagnostics(
  spec: ArcSpec,
  access: ArcAccess,
  arcSuffix: string,
  needs: { readonly elsewhere: Step<Found>; readonly namespace: Step<unknown> },
): Step<unknown> {
  const hosts = outboundHosts(spec.location, arcSuffix);
  return defineStep({
    id: "arc-diagnostics",
    title: `outbound reach of ${access.server}`,
    subject: { kind: "offer" },
    needs,
    seconds: 30,
    read: ({ elsewhere }) => Promise.resolve(elsewhere.as),
    decide: (live) => (live === undefined ? { act: "create", why: "a Job checks DNS and the addresses of Azure" } : { act: "keep" }),
    async apply(live, _outputs, { note }) {
      note("waiting for the Job");
      const wrong = await access.diagnose(hosts, proxyVariables(spec.proxy));
      if (wrong.length === 0) return live ?? placeOf(spec);
      const because = wrong.map(
        ({ host, reason }) => `${host}: ${reason === "name" ? "its name is not resolved" : "it does not answer on port 443"}`,
      );
      throw new Failure("ARO-ARC-003", `the cluster does not reach ${wrong.map(({ host }) => host).join(", ")}`, {
        because: because.join("; "),
        next: [advise`open them in the firewall or pass --https-proxy, then ${rerun}`, "or pass --skip-diagnostics, if the check is wrong"],
      });
    },
    output: () => undefined,
  });
}

type InstallNeeds = {
  readonly files: Step<AgentFilesOutput>;
  readonly cluster: Step<unknown>;
  readonly namespace: Step<unknown>;
  readonly permission: Step<unknown>;
};

/** Azure upgrades the agents itself, so that a newer version is kept. */
function installed(access: ArcAccess, needs: InstallNeeds): Step<unknown> {
  return defineStep({
    id: "arc-agents",
    title: `agents in ${access.server}`,
    subject: { kind: "directory-object" },
    needs,
    seconds: 300,
    read: () => access.release(),
    decide(live) {
      if (live === undefined) return { act: "create", why: "helm knows no release of them" };
      if (live.status === "deployed") return { act: "keep" };
      return { act: "update", why: "helm did not finish", changes: [{ path: "status", from: live.status, to: "deployed" }] };
    },
    async apply(_live, { files: { values, chart } }) {
      await access.helm("install the agents", installArguments(chart, values));
      return { status: "deployed", chart: `${chart.repository.split("/").at(-1) ?? ""}-${chart.version}` };
    },
    output: (live) => live,
  });
}

/** The public names; the others are wildcards, whose hosts the services choose. */
function outboundHosts(location: string, arcSuffix: string): readonly string[] {
  const region = plainLocation(location);
  return [
    "management.azure.com",
    `${region}.${arcSuffix}`,
    "login.microsoftonline.com",
    "mcr.microsoft.com",
    "gbl.his.arc.azure.com",
    "guestnotificationservice.azure.com",
  ];
}

function proxyVariables(proxy: ArcProxy | undefined): Record<string, string> {
  const { http, https, noProxy = [] } = proxy ?? {};
  return {
    ...(http !== undefined && { HTTP_PROXY: http, http_proxy: http }),
    ...(https !== undefined && { HTTPS_PROXY: https, https_proxy: https }),
    ...(noProxy.length > 0 && { NO_PROXY: noProxy.join(","), no_proxy: noProxy.join(",") }),
  };
}
