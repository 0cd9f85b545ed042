/** An extension of a connected cluster: created, updated where Azure allows it, refused where it would have to be replaced. */
import type { Extension } from "@azure/arm-kubernetesconfiguration";
import { clusterPath, listExtensions, readExtension } from "../arc-extensions.js";
import type { Azure } from "../../azure/azure.js";
import { expectedDuration } from "../../azure/expected-durations.js";
import { finish } from "../../azure/long-running.js";
import { OperationError } from "../../azure/operation-error.js";
import {
  defaultExtensionName,
  extensionDifferences,
  extensionUpdate,
  immutableDifferences,
  isSingleton,
  keptPin,
  wantedExtension,
  type ExtensionSpec,
} from "../domain/extension.js";
import { extensionProblems, problemAdvice, removeDriver, type ExtensionHealth } from "../domain/extension-problems.js";
import { isKeyVaultProvider } from "../domain/extension-types.js";
import { connectedClusterId, type ConnectedClusterPlace } from "../domain/names.js";
import { quotedTitleOf, titleOf } from "../../domain/resource-catalogue.js";
import { formatResourceId } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { byId, defineLookup, defineStep, type Decision, type Step } from "../../engine/step.js";
import { advise, aroHcp } from "../../errors/advice.js";
import { Failure } from "../../errors/failure.js";
import { sameText } from "../../text/same-text.js";
import { refuse } from "../../steps/ownership-decision.js";
import { busyState, failedState } from "../../steps/provisioning-state.js";
import { connectedClusterLookup, type ConnectedClusterOutput } from "./connected-cluster-lookup.js";
import { resourceProviders } from "./providers.js";

const row = resourceTypes.arcExtension;

/** A Secrets Store CSI driver that the extension did not install. */
export interface ForeignDriver {
  /** "Helm release csi-secrets-store in kube-system" */
  readonly origin: string;
}

export interface ExtensionGraphSpec {
  readonly place: ConnectedClusterPlace;
  readonly extension: ExtensionSpec;
  /** Looks for another driver on the cluster; undefined without access to it. */
  readonly foreignDriver: (() => Promise<ForeignDriver | undefined>) | undefined;
}

export function extensionGraph(azure: Azure, { place, extension, foreignDriver }: ExtensionGraphSpec): readonly Step<unknown>[] {
  const cluster = connectedClusterLookup(azure, place, { mustBeConnected: true });
  const { label, providers: namespaces } = extension.type;
  const providers =
    namespaces.length === 0
      ? []
      : [resourceProviders(azure, { id: "extension-providers", title: `resource providers of ${label}`, namespaces })];
  const driver = foreignDriver && isKeyVaultProvider(extension.type) ? [driverLookup(foreignDriver)] : [];
  return [cluster, ...providers, ...driver, extensionStep(azure, place, extension, cluster, [...providers, ...driver])];
}

/** The problems that Azure reports about an extension, as a failure. */
function extensionFailure(what: string, health: ExtensionHealth, cause?: unknown): Failure {
  const problems = extensionProblems(health);
  const texts = problems.map(({ code, message, time }) => [code, message, time && `(${time})`].filter(Boolean).join(" "));
  return new Failure("ARO-EXT-001", `${what} could not be installed`, {
    because: texts.length === 0 ? undefined : texts.join("; "),
    next: problems.length === 0 ? undefined : problemAdvice(problems),
    cause,
  });
}

interface Live {
  /** The extension with the name. */
  readonly named: Extension | undefined;
  /** Another one of the type. */
  readonly other: Extension | undefined;
}

function extensionStep(
  azure: Azure,
  place: ConnectedClusterPlace,
  given: ExtensionSpec,
  cluster: Step<ConnectedClusterOutput>,
  before: readonly Step<unknown>[],
): Step<{ readonly id: string }> {
  const { groupName, name: clusterName } = place;
  const { name } = given;
  const what = quotedTitleOf(row, name);
  const id = formatResourceId(connectedClusterId(place), row.type, name);
  const apply = async (live: Extension | undefined): Promise<Extension> => {
    const { extensions } = await azure.arcExtensions();
    const spec = { ...given, version: (live && keptPin(live, given)) ?? given.version };
    // A repeated PUT installs a failed one again.
    const isUpdate = live !== undefined && failedState(live) === undefined;
    const body = live === undefined ? wantedExtension(spec) : { ...wantedExtension(spec), ...extensionUpdate(live, spec) };
    return finish(azure, expectedDuration("PUT", row.type), (options) =>
      isUpdate
        ? extensions.beginUpdate(groupName, ...clusterPath, clusterName, name, extensionUpdate(live as object, spec), options)
        : extensions.beginCreate(groupName, ...clusterPath, clusterName, name, body, options),
    );
  };
  return defineStep({
    id: row.use.step,
    title: titleOf(row, name),
    subject: { kind: "resource", type: row.type },
    resourceId: id,
    needs: { cluster, ...byId(before) },
    within: "cluster",
    seconds: expectedDuration("PUT", row.type).spread[1],
    async read(): Promise<Live | undefined> {
      const live = await listExtensions(azure, place);
      const named = live.find((one) => sameText(one.name, name));
      const other = isSingleton(given.type) ? live.find((one) => one !== named && sameText(one.extensionType, given.type.type)) : undefined;
      return named || other ? { named, other } : undefined;
    },
    busy: ({ named }) => named && busyState(named),
    wanted: () => wantedExtension(given),
    decide: (live) => decideExtension(live, given, clusterName),
    async apply(live): Promise<Live> {
      try {
        const named = await apply(live?.named);
        if (failedState(named) !== undefined) throw extensionFailure(what, named);
        return { named, other: undefined };
      } catch (error) {
        if (!(error instanceof OperationError)) throw error;
        // The operation has one sentence; the extension has what the agent and Helm said.
        const failed = (await readExtension(azure, place, name)) ?? {};
        const { statuses, errorInfo } = failed as ExtensionHealth;
        const own = { code: error.detail.code ?? "", message: error.detail.message ?? "" };
        throw extensionFailure(what, { ...(statuses && { statuses }), errorInfo: errorInfo ?? own }, error);
      }
    },
    output: ({ named }) => ({ id: named?.id ?? id }),
  });
}

function decideExtension(live: Live | undefined, given: ExtensionSpec, clusterName: string): Decision {
  const what = quotedTitleOf(row, given.name);
  const { named, other } = live ?? {};
  if (other !== undefined && named === undefined) {
    return refuse(
      "ARO-EXT-003",
      `the cluster has an extension of type ${given.type.type} already: ${quotedTitleOf(row, other.name ?? "")}`,
      {
        because: "a cluster can have only one of this type",
        next: [`to use it, pass --extension-name ${other.name ?? ""}`],
      },
    );
  }
  if (named === undefined) return { act: "create" };
  const pin = keptPin(named, given);
  const spec = { ...given, version: pin ?? given.version };
  const stays =
    pin === undefined
      ? undefined
      : `it stays pinned to ${pin}: to upgrade it automatically, pass --release-train ${named.releaseTrain ?? "Stable"}`;
  const why = (text: string) => (stays === undefined ? text : `${text}; ${stays}`);
  const immutable = immutableDifferences(named, spec);
  if (immutable.length > 0) {
    const texts = immutable.map(({ path, from, to }) => `${path} is ${String(from)}, not ${String(to)}`);
    return refuse("ARO-OWN-002", `${what} differs in what Azure cannot change`, {
      because: texts.join("; "),
      next: [
        advise`to replace it, delete it first: ${aroHcp("destroy arc extension", { name: clusterName, extensionName: spec.name })}`,
        ...(immutable.some(({ path }) => path === "releaseTrain") ? [`or pass --release-train ${named.releaseTrain ?? "Stable"}`] : []),
        ...(spec.name === defaultExtensionName(spec.type) ? [] : ["or choose another --extension-name"]),
      ],
    });
  }
  const differences = extensionDifferences(named, spec);
  const failed = failedState(named);
  if (failed !== undefined) {
    const retried = { path: "provisioningState", from: failed, to: "Succeeded" };
    return {
      act: "update",
      why: why("its installation failed, so it is installed again"),
      changes: [retried, ...differences],
    };
  }
  if (differences.length > 0) return { act: "update", why: why("it differs"), changes: differences };
  return { act: "keep", ...(stays !== undefined && { why: stays }) };
}

/** Needs access to the cluster. Without it, the failed installation reports the driver. */
function driverLookup(read: () => Promise<ForeignDriver | undefined>): Step<unknown> {
  return defineLookup({
    id: "csi-driver",
    title: "Secrets Store CSI driver on the cluster",
    subject: { kind: "offer" },
    needs: {},
    read: async () => ({ foreign: await read() }),
    decide: (live) =>
      live?.foreign === undefined
        ? { act: "use" }
        : refuse("ARO-EXT-003", "the cluster has a Secrets Store CSI driver already", {
            because: `it belongs to ${live.foreign.origin}, and the extension cannot take it over`,
            next: removeDriver,
          }),
    output: () => undefined,
  });
}
