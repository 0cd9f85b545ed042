/** Checks that nothing on the subnet overrides the chosen egress, and that its outbound rule has enough ports. */
import type { LoadBalancer, Subnet } from "@azure/arm-network";
import { portsOfAddress } from "../../domain/egress.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { resourceOf } from "../../engine/step.js";
import { advise, aroHcp } from "../../errors/advice.js";
import type { PrefixOutput } from "../steps/egress-outputs.js";
import { plural } from "../../text/plural.js";
import { failed, passed, type Finding } from "../../verify/check.js";
import { checkInstance, type CheckInstance } from "../../verify/check-instance.js";
import { liveOf } from "../../verify/planned-step.js";
import type { ResourceLinks } from "../../verify/planned-resources.js";
import { infraChecks } from "./checks.js";
import type { InfraSnapshot } from "./snapshot.js";

/** The owner of an existing subnet decides what is attached to it. */
export function precedenceCheck({ spec, create }: InfraSnapshot, subject: string, subnet: CheckInstance<Subnet>): CheckInstance<undefined> {
  return checkInstance(infraChecks["outbound-precedence"], subject, { subnet }, ({ subnet: { natGateway } }) => {
    const isExisting = spec.existing.vnetId !== undefined || spec.existing.subnetId !== undefined;
    const gateway = natGateway?.id;
    if (isExisting || spec.egress.type !== "load-balancer" || gateway === undefined) return passed(spec.egress.type);
    return failed(
      `${gateway} is attached to the subnet, and a NAT gateway has precedence over the outbound rule of the load balancer`,
      advise`to detach it, choose the egress: ${aroHcp("create infra", { ...create.settings, egress: "load-balancer", changeEgress: true })}; or choose the NAT gateway`,
    );
  });
}

/** Before the general comparison of the load balancer, which has the ports among its properties. */
export function portsCheck({ spec, names, plan, create }: InfraSnapshot, balancer: ResourceLinks): CheckInstance<undefined> {
  return checkInstance(
    infraChecks["outbound-ports"],
    balancer.subject,
    { balancer: balancer.sound },
    ({ balancer: seen }): Finding<undefined> => {
      const { outboundRules = [], frontendIPConfigurations = [] } = liveOf<LoadBalancer>(seen);
      const rule = outboundRules.find(({ name }) => name === names.loadBalancer);
      if (spec.egress.type !== "load-balancer" || rule === undefined) return passed("the workers do not use an outbound rule");
      const own = frontendIPConfigurations.filter(({ id }) => rule.frontendIPConfigurations?.some((one) => one.id === id));
      const prefixes = plan.steps.filter(({ step }) => resourceOf(step)?.type === resourceTypes.publicIpPrefix.type);
      const ofPrefixes = prefixes.reduce((sum, { output }) => sum + ((output?.value as PrefixOutput | undefined)?.addresses ?? 0), 0);
      const addresses = own.filter(({ publicIPAddress }) => publicIPAddress !== undefined).length + ofPrefixes;
      const { allocatedOutboundPorts: ports = 0 } = rule;
      if (ports === 0) return passed("Azure chooses the ports of each worker by their number");
      const most = Math.floor((addresses * portsOfAddress) / ports);
      const found = `${plural(ports, "port")} each, of ${plural(addresses, "address", "addresses")}: enough for ${plural(most, "worker")}`;
      const { expectedNodes } = spec.egress;
      if (expectedNodes === undefined || expectedNodes <= most) return passed(found);
      return failed(
        `${found}, not for ${String(expectedNodes)}`,
        advise`${aroHcp("create infra", { ...create.settings, changeEgress: true })} divides the ports among that many`,
      );
    },
  );
}
