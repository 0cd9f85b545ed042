/** Checks the address and IP tags that Kubernetes gave the shared ingress of a management cluster. */
import type { V1Node } from "@kubernetes/client-node";
import { found } from "../../azure/long-running.js";
import { all } from "../../azure/pages.js";
import { advise, shell } from "../../errors/advice.js";
import { ipTagAnnotation } from "../../domain/ip-tags.js";
import type { Kubernetes } from "../../kubernetes/kubernetes.js";
import { ipTagsOf } from "../steps/public-address.js";
import { failed, notChecked, passed } from "../../verify/check.js";
import { checkInstance, type CheckInstance } from "../../verify/check-instance.js";
import { aksChecks } from "./checks.js";
import type { AksSnapshot } from "./snapshot.js";

/** HyperShift's operator creates it with the first hosted cluster. */
const ingress = { namespace: "hypershift-sharedingress", name: "router" } as const;
const tagAnnotation = "service.beta.kubernetes.io/azure-pip-ip-tags";

export function sharedIngressCheck(
  { azure, names }: AksSnapshot,
  kubernetes: Kubernetes,
  subject: string,
  reached: CheckInstance<readonly V1Node[]>,
): CheckInstance<undefined> {
  return checkInstance(aksChecks["shared-ingress"], subject, { reached }, async () => {
    const { namespace, name } = ingress;
    const service = await kubernetes.service(namespace, name);
    if (service === undefined) return notChecked("the operator creates it with the first hosted cluster");
    const events = shell`kubectl --kubeconfig ${kubernetes.kubeconfig} describe service ${name} --namespace ${namespace}`;
    const ip = service.status?.loadBalancer?.ingress?.[0]?.ip;
    if (ip === undefined) return failed("its Service has no public address", advise`the events show why: ${events}`);
    const { publicIPAddresses } = await azure.network();
    const addresses = (await found(all(publicIPAddresses.list(names.nodeGroup)))) ?? [];
    const address = addresses.find((one) => one.ipAddress === ip);
    if (address === undefined)
      return failed(
        `its Service is at ${ip}, which is no address in resource group ${names.nodeGroup}`,
        advise`wait until Kubernetes has created the address; otherwise the events show why: ${events}`,
      );
    const wanted = service.metadata?.annotations?.[tagAnnotation] ?? "";
    const annotation = ipTagAnnotation(ipTagsOf(address));
    const has = "value" in annotation ? annotation.value : annotation.problem;
    if (sameTags(wanted, has)) return passed(`${ip}, ${has === "" ? "without IP tags" : has}`);
    return failed(
      `its Service wants the IP tags ${wanted || "none"}, and its address ${ip} has ${has || "none"}: Azure never changes them`,
      advise`delete the Service, and the operator creates it with a new address: ${shell`kubectl --kubeconfig ${kubernetes.kubeconfig} delete service ${name} --namespace ${namespace}`}; every hosted cluster is unreachable until DNS has the new address`,
    );
  });
}

/** Compares them in any order. */
function sameTags(one: string, other: string): boolean {
  const sorted = (text: string) => text.split(",").sort().join(",");
  return sorted(one) === sorted(other);
}
