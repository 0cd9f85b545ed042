/** Checks of a service cluster's gateways: a ready pod, and Services at the addresses that were created for them. */
import type { V1Node, V1Service } from "@kubernetes/client-node";
import { advise, aroHcp, blank, shell } from "../../errors/advice.js";
import type { Kubernetes } from "../../kubernetes/kubernetes.js";
import { azureAnnotations } from "../manifests/ingress.js";
import { externalGateway, ingressNamespace } from "../manifests/ingress-facts.js";
import { opsGatewayService } from "../manifests/ingress-gateways.js";
import type { AddressOutput } from "../steps/public-address.js";
import { plural } from "../../text/plural.js";
import { failed, notChecked, passed, type Finding } from "../../verify/check.js";
import { checkInstance, type CheckInstance } from "../../verify/check-instance.js";
import { aksChecks } from "./checks.js";
import type { AksSnapshot } from "./snapshot.js";
import { isReady } from "../../verify/ready.js";

export function gatewayChecks(
  snapshot: AksSnapshot,
  kubernetes: Kubernetes,
  subject: string,
  reached: CheckInstance<readonly V1Node[]>,
): CheckInstance[] {
  const { names, spec } = snapshot;
  const ready = checkInstance(aksChecks["gateway-ready"], subject, { reached }, async () => {
    const pods = (await kubernetes.pods(ingressNamespace)).filter(({ metadata }) => metadata?.labels?.["app"] === externalGateway);
    const count = pods.filter(isReady).length;
    if (count > 0) return passed(`${String(count)} of ${plural(pods.length, "pod")}`);
    return failed(
      pods.length === 0
        ? `namespace ${ingressNamespace} has no pod of ${externalGateway}`
        : `none of ${plural(pods.length, "pod")} is ready`,
      shell`kubectl --kubeconfig ${kubernetes.kubeconfig} describe deployment --namespace ${ingressNamespace}`,
    );
  });
  const gateways = [
    { service: externalGateway, address: names.ingressAddress },
    ...(spec.ingress?.ops === true ? [{ service: opsGatewayService, address: names.opsIngressAddress }] : []),
  ];
  const addresses = gateways.map(({ service, address }) =>
    checkInstance(aksChecks["gateway-address"], `service ${service}`, { reached }, async () =>
      checkService(snapshot, address, await kubernetes.service(ingressNamespace, service)),
    ),
  );
  return [ready, ...addresses];
}

function checkService({ plan, names }: AksSnapshot, name: string, service: V1Service | undefined): Finding<undefined> {
  const planned = plan.steps.find(({ step }) => step.resourceId?.endsWith(`/publicIPAddresses/${name}`));
  const wanted = (planned?.output?.value as AddressOutput | undefined)?.ipAddress;
  if (wanted === undefined) return notChecked(`Azure does not show the address ${name}`);
  const render = aroHcp(
    "render ingress",
    { serviceClusterFile: blank("service-cluster.json") },
    shell`kubectl apply --server-side --force-conflicts --filename -`,
  );
  if (service === undefined) return failed("it does not exist", advise`create it: ${render}`);
  const has = service.metadata?.annotations ?? {};
  const wrong = Object.entries(azureAnnotations({ name, group: names.group })).filter(([key, value]) => has[key] !== value);
  if (wrong.length > 0)
    return failed(
      wrong.map(([key, value]) => `${key} is ${has[key] ?? "not set"}, not ${value}`).join("; "),
      advise`annotate it: ${render}`,
    );
  const ips = (service.status?.loadBalancer?.ingress ?? []).map(({ ip = "" }) => ip);
  if (ips.includes(wanted)) return passed(`${wanted}, the address ${name}`);
  return failed(
    `it is annotated, but it is at ${ips.join(", ") || "no address"}, and ${name} is ${wanted}`,
    "its events show why the cloud provider could not attach the address: the identity of the cluster needs its role there, and no other resource may use it",
  );
}
