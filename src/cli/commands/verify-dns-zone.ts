/** `verify dns-zone`: checks a public DNS zone, its delegation, and whether ExternalDNS can sign in and write its records. */
import { signedIn } from "../../azure/signed-in.js";
import { readExternalDnsConfig } from "../../files/external-dns.js";
import { readTextIfThere } from "../../files/text-file.js";
import type { Resolved } from "../../settings/settings.js";
import { dnsZoneGraph } from "../../steps/dns-zone.js";
import { dnsZoneCheckInstances } from "../../verify/dns-zone/check-instances.js";
import type { GivenCredentials } from "../../verify/dns-zone/snapshot.js";
import { createDnsZoneAdvice, credentialsFileOf, dnsZoneSpec, externalDnsAccess, externalDnsPlace } from "../inputs/dns-zone.js";
import { externalDnsStore, noStore } from "../outputs/external-dns-credentials.js";
import type { ProcessPort } from "../process-port.js";
import { planGraph } from "../run/plan-graph.js";
import { runVerification } from "../run/verification.js";
import { withConnection } from "../run/with-connection.js";

const command = "verify dns-zone";

export async function run(resolved: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const { settings, notices } = resolved;
  const { concurrency, only, output, baseDomain: name } = settings;
  const access = await externalDnsAccess(settings);
  const path = credentialsFileOf(settings);
  const credentials = access.kind === "service-principal" && path !== undefined ? await readCredentials(path) : undefined;
  return withConnection({ ...settings, command }, notices, port, async (azure, context) => {
    const { tenantId } = await signedIn(azure.connection);
    const spec = dnsZoneSpec(settings, azure, access);
    const store = path === undefined ? noStore : externalDnsStore(path, externalDnsPlace(azure, spec, tenantId));
    const graph = dnsZoneGraph(azure, spec, store);
    const plan = await planGraph(graph.steps, concurrency, context);
    const create = createDnsZoneAdvice(resolved);
    const { code } = await runVerification(context, {
      ...{ command, instances: dnsZoneCheckInstances(azure, { spec, tenantId, graph, plan, create, credentials }) },
      ...{ chosen: { subjects: [], checks: only }, concurrency, output },
      heading: `public DNS zone ${name}: subscription ${spec.subscriptionId}, resource group ${spec.groupName}`,
    });
    return code;
  });
}

async function readCredentials(path: string): Promise<GivenCredentials> {
  return { path, config: (await readTextIfThere(path)) === undefined ? undefined : await readExternalDnsConfig(path) };
}
