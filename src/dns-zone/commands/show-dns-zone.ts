/** `show dns-zone`: a public DNS zone, its delegation, and the identity of ExternalDNS, as far as they exist. */
import type { Azure } from "../../azure/azure.js";
import { externalDnsCredentialsPath, type DnsZonePlace } from "../../domain/dns-zone.js";
import type { Plan } from "../../engine/plan.js";
import { advise, aroHcp } from "../../errors/advice.js";
import { Failure } from "../../errors/failure.js";
import { delegationOutput, recordLines } from "../files/dns-zone-output.js";
import type { Resolved } from "../../settings/settings.js";
import { dnsZoneGraph, type DnsZoneGraph, type DnsZoneOutput } from "../steps.js";
import type { DelegationOutput } from "../../steps/zone-delegation.js";
import { dnsZoneSpec, issuerOf } from "../inputs.js";
import { noSuchDnsZone } from "../not-found.js";
import { withExistingExternalDns } from "../existing-external-dns.js";
import { noStore, savedExternalDns } from "../external-dns-credentials.js";
import type { ProcessPort } from "../../run/process-port.js";
import { planGraph } from "../../run/plan-graph.js";
import { showResources } from "../../run/show-resources.js";
import { inLocationOfGroup } from "../../run/location.js";
import { withConnection } from "../../run/with-connection.js";

const command = "show dns-zone";

export async function run(given: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const { baseDomain: name, concurrency, output } = given.settings;
  const issuerUrl = await issuerOf(given.settings);
  return withConnection({ ...given.settings, command }, given.notices, port, async (azure, context) => {
    const { resolved } = await withExistingExternalDns(azure, command, given, { issuerUrl, say: context.say });
    const { settings } = await inLocationOfGroup(resolved, azure, resolved.settings.dnsZoneRgName);
    const file = externalDnsCredentialsPath(settings);
    const spec = dnsZoneSpec(settings, azure, issuerUrl);
    const store = file === undefined ? noStore : savedExternalDns(file);
    const graph = dnsZoneGraph(azure, spec, store);
    const plan = await planGraph(graph.steps, concurrency, context);
    if (isNothing(plan, graph)) throw await noZone(azure, spec);
    const outputOf = (wanted: unknown) => plan.steps.find(({ step }) => step === wanted)?.output?.value;
    const nameServers = (outputOf(graph.zone) as DnsZoneOutput | undefined)?.nameServers ?? [];
    const found = nameServers.length === 0 ? undefined : (outputOf(graph.delegation) as DelegationOutput | undefined);
    const delegation = found && delegationOutput({ name, nameServers: [...nameServers] }, found);
    const code = showResources(
      plan,
      { command, about: { name }, more: { nameServers, delegation: delegation ?? null }, settings },
      context,
    );
    if (output === "text" && delegation?.isDelegated === false) {
      context.say(`the owner of the parent zone must add these records: ${delegation.reason ?? ""}`);
      for (const line of recordLines(delegation)) context.say(line);
    }
    return code;
  });
}

/** Neither the zone nor anything that its create makes beside it. A delegation is no part of it, and the group may be of others. */
function isNothing({ failures, steps }: Plan, { zone, delegation }: DnsZoneGraph): boolean {
  const others: readonly string[] = ["create", "use"];
  return (
    failures.length === 0 &&
    steps.every(({ step, decision: { act } }) => step === delegation || (step === zone ? act === "create" : others.includes(act)))
  );
}

async function noZone(azure: Azure, place: DnsZonePlace): Promise<Failure> {
  const { zoneName, groupName } = place;
  return new Failure("ARO-USAGE-001", `no DNS zone ${zoneName} was found in resource group ${groupName}`, {
    because: await noSuchDnsZone(azure, place),
    next: [
      "check --base-domain, --dns-zone-rg-name and --subscription",
      advise`or create it: ${aroHcp("create dns-zone", { baseDomain: zoneName, dnsZoneRgName: groupName })}`,
    ],
  });
}
