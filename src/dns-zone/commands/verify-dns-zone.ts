/** `verify dns-zone`: checks a public DNS zone, its delegation, and whether ExternalDNS can sign in and write its records. */
import { externalDnsCredentialsPath } from "../../domain/dns-zone.js";
import { signedIn } from "../../azure/signed-in.js";
import { readExternalDnsConfig } from "../files/external-dns.js";
import { readTextIfThere } from "../../files/text-file.js";
import type { Resolved } from "../../settings/settings.js";
import { dnsZoneGraph } from "../steps.js";
import { dnsZoneCheckInstances } from "../verify/check-instances.js";
import type { GivenCredentials } from "../verify/snapshot.js";
import { createDnsZoneAdvice, dnsZoneSpec, issuerOf } from "../inputs.js";
import { withExistingExternalDns } from "../existing-external-dns.js";
import { noStore, savedExternalDns } from "../external-dns-credentials.js";
import type { ProcessPort } from "../../run/process-port.js";
import { planGraph } from "../../run/plan-graph.js";
import { runVerification } from "../../run/verification.js";
import { inLocationOfGroup } from "../../run/location.js";
import { withConnection } from "../../run/with-connection.js";

const command = "verify dns-zone";

export async function run(given: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const { concurrency, baseDomain: name } = given.settings;
  const issuerUrl = await issuerOf(given.settings);
  return withConnection({ ...given.settings, command }, given.notices, port, async (azure, context) => {
    const [{ tenantId }, { resolved: found }] = await Promise.all([
      signedIn(azure.connection),
      withExistingExternalDns(azure, command, given, { issuerUrl, say: context.say }),
    ]);
    const resolved = await inLocationOfGroup(found, azure, found.settings.dnsZoneRgName);
    const spec = dnsZoneSpec(resolved.settings, azure, issuerUrl);
    const path = externalDnsCredentialsPath(resolved.settings);
    const hasSecret = spec.externalDns.kind === "service-principal";
    const credentials = hasSecret && path !== undefined ? await readCredentials(path) : undefined;
    const store = path === undefined ? noStore : savedExternalDns(path);
    const graph = dnsZoneGraph(azure, spec, store);
    const plan = await planGraph(graph.steps, concurrency, context);
    // The group of the settings is the wrong one, so nothing in it is worth a check.
    const elsewhere = plan.failures.find(({ failure }) => failure.code === "ARO-DNS-005");
    if (elsewhere) throw elsewhere.failure;
    const create = createDnsZoneAdvice(resolved);
    return runVerification(context, {
      command,
      instances: dnsZoneCheckInstances(azure, { spec, tenantId, graph, plan, create, credentials }),
      settings: given.settings,
      about: `public DNS zone ${name}`,
      places: [`subscription ${spec.subscriptionId}`, `resource group ${spec.groupName}`],
    });
  });
}

async function readCredentials(path: string): Promise<GivenCredentials> {
  return { path, config: (await readTextIfThere(path)) === undefined ? undefined : await readExternalDnsConfig(path) };
}
