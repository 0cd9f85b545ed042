/** `doctor management-cluster` and `doctor service-cluster`: the prerequisites of the create with the same settings. */
import { aksClusterGraph, aksClusterSpec, clusterAsFound, withClusterRecord, type ClusterRecord } from "../aks/index.js";
import { defaultEgress } from "../domain/egress.js";
import type { Azure } from "../azure/azure.js";
import { signedIn } from "../azure/signed-in.js";
import type { AksClusterKey, ClusterKind } from "../domain/cluster-kind.js";
import { Failure } from "../errors/failure.js";
import type { Resolved } from "../settings/settings.js";
import { doctorCheckInstances } from "./check-instances.js";
import type { DoctorRequest } from "../preflight/request.js";
import type { ProcessPort } from "../run/process-port.js";
import { machineOf } from "../run/create-preflight.js";
import type { RunContext } from "../run/run-context.js";
import { runVerification } from "../run/verification.js";
import { isKnown, noLocation } from "../run/location.js";
import { withConnection } from "../run/with-connection.js";

type Command = "doctor management-cluster" | "doctor service-cluster";

export async function run(kind: ClusterKind, given: Resolved<Command>, port: ProcessPort): Promise<number> {
  const command: Command = `doctor ${kind}`;
  const { settings, notices } = given;
  const { name } = settings;
  // Settings validation ensures it, which types cannot express.
  if (name === undefined) throw new Failure("ARO-USAGE-001", "no cluster specified");
  return withConnection({ ...settings, command, subscriptionOptional: true }, notices, port, async (azure, context) => {
    const cluster = { kind, name };
    const resolved = await withClusterRecord(given, kind, (await existing(azure, cluster, settings.resourceGroupName, context)).record);
    if (!isKnown(resolved)) context.say(noLocation);
    const instances = doctorCheckInstances(azure, request(azure, cluster, resolved, port));
    return runVerification(context, { command, instances, settings });
  });
}

/** The settings that a create keeps for an existing cluster. A failure to read them is left to the checks, which say why. */
async function existing(azure: Azure, cluster: AksClusterKey, groupName: string | undefined, context: RunContext): Promise<ClusterRecord> {
  const read = async () => {
    await signedIn(azure.connection);
    return clusterAsFound(azure, cluster, groupName, { access: false });
  };
  const found = await read().catch((): ClusterRecord => ({ exists: false, record: undefined }));
  context.signal.throwIfAborted();
  return found;
}

function request(azure: Azure, cluster: AksClusterKey, { settings, origins }: Resolved<Command>, port: ProcessPort): DoctorRequest {
  const { subscriptionId, tenantId } = azure.connection;
  const stepsFor = (tenant: string) => {
    const spec = aksClusterSpec(cluster.kind, { ...settings, name: cluster.name }, { subscriptionId, tenantId: tenant }, origins);
    return { spec, steps: aksClusterGraph(azure, spec).steps };
  };
  const { spec, steps } = stepsFor(tenantId);
  return {
    machine: machineOf(port),
    parts: new Set(["aks"]),
    location: spec.location,
    groups: { aks: spec.group.name, dns: spec.ingress?.domain?.zoneGroup },
    egress: defaultEgress,
    existing: new Set(),
    wanted: { aksCluster: cluster },
    aksSteps: steps,
    planned: (caller) => [{ part: "aks", steps: stepsFor(caller.tenantId).steps, missing: [] }],
    clusters: 1,
    register: settings.register,
  };
}
