/** `create dns-zone`: a public DNS zone, its delegation, and the identity of ExternalDNS with its azure.json. */
import { signedIn } from "../../azure/signed-in.js";
import type { Azure } from "../../azure/azure.js";
import { externalDnsCredentialsPath, type DnsZoneSpec } from "../../domain/dns-zone.js";
import { advise, aroHcp, blank, type Advice, type OwnCommand } from "../../errors/advice.js";
import { delegationOutput, dnsZoneFile, dnsZoneOutput, recordLines, type KnownDnsZone } from "../files/dns-zone-output.js";
import { checkOutputs, checkWritable, writeDocument } from "../../files/write.js";
import type { OutputFile } from "../../files/output-file.js";
import { externalDnsConfig, externalDnsFile } from "../files/external-dns.js";
import type { Resolved } from "../../settings/settings.js";
import { dnsZoneGraph, type DnsZoneOutput } from "../steps.js";
import type { DelegationOutput } from "../../steps/zone-delegation.js";
import { createDnsZoneAdvice, dnsZoneSpec, externalDnsPlace, issuerOf } from "../inputs.js";
import { earlierDnsZone } from "../earlier-external-dns.js";
import { withExistingExternalDns, type ChangedZoneOption } from "../existing-external-dns.js";
import { externalDnsStore, noStore } from "../external-dns-credentials.js";
import { written } from "../../run/written-files.js";
import type { ProcessPort } from "../../run/process-port.js";
import { applyGraph } from "../../run/apply.js";
import { preflight } from "../../run/create-preflight.js";
import { withLocation } from "../../run/location.js";
import { targetOf } from "../../run/target.js";
import { withConnection } from "../../run/with-connection.js";

const command = "create dns-zone";

export async function run(given: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const { outputFile, externalDnsCredentialsFile, baseDomain: name } = given.settings;
  const issuerUrl = await issuerOf(given.settings);
  if (outputFile !== undefined) await checkWritable(outputFile);
  if (externalDnsCredentialsFile !== undefined) await checkWritable(externalDnsCredentialsFile);
  return withConnection({ ...given.settings, command }, given.notices, port, async (azure, context) => {
    const files = earlierDnsZone(given.settings);
    const [caller, { resolved, changed }] = await Promise.all([
      signedIn(azure.connection),
      withExistingExternalDns(azure, command, given, { issuerUrl, files, say: context.say }),
    ]);
    const { tenantId } = caller;
    const { settings } = await withLocation(command, resolved, azure, context, resolved.settings.dnsZoneRgName);
    // The default file of an existing service principal is known only now.
    const credentialsFile = externalDnsCredentialsPath(settings);
    const spec = dnsZoneSpec(settings, azure, issuerUrl);
    const place = externalDnsPlace(azure, spec, tenantId);
    let known = knownFrom(azure, spec, tenantId);
    /** Before the client secret exists: a run after a crash finds the client ID in the file, which proves that the secret is ours. */
    const nameClient = async (credentials: OutputFile, clientId: string) => {
      if (spec.externalDns.kind === "workload-identity") return writeDocument(credentials, externalDnsConfig(place, undefined));
      if ((await store.read()) !== undefined) return;
      clientIds.add(clientId);
      await writeDocument(credentials, externalDnsConfig(place, { clientId }), 0o600);
    };
    const file = outputFile === undefined ? undefined : dnsZoneFile(outputFile, known);
    await checkOutputs([file]);
    // Before the plan reads the file: what is not ours is refused, with no advice to correct it.
    if (credentialsFile !== undefined) await checkOutputs([externalDnsFile(credentialsFile, place)]);
    const clientIds = new Set<string>();
    const credentials = credentialsFile === undefined ? undefined : externalDnsFile(credentialsFile, place, clientIds);
    const store = credentials === undefined ? noStore : externalDnsStore(credentials, place, clientIds);
    const graph = dnsZoneGraph(azure, spec, store, { caller, files });
    const { code, done } = await applyGraph(azure, context, settings, {
      command,
      subject: name,
      about: { name },
      target: targetOf(azure, { location: spec.location, dnsZone: name }),
      steps: graph.steps,
      changed,
      warnings: [...changed.map(changeText), ...warningsOf(spec, createDnsZoneAdvice(resolved))],
      preflight: preflight(azure, port, { parts: ["dns"], location: spec.location, steps: graph.steps }),
      async requireOwnFiles(live) {
        const existing = graph.externalDns && live.get(graph.externalDns.identity);
        if (existing !== undefined) clientIds.add(existing.clientId);
        // After a destroy, the file has the secret of an application that is gone.
        const { clientId } = (await store.read()) ?? {};
        if (clientId !== undefined && (await (await azure.directory()).servicePrincipals([clientId])).length === 0) clientIds.add(clientId);
        await checkOutputs([credentials]);
      },
      async onDone(step, output) {
        if (step === graph.zone) known = withZone(known, output as DnsZoneOutput);
        else if (step === graph.delegation) known = { ...known, delegation: delegationOutput(known, output as DelegationOutput) };
        else if (step === graph.externalDns?.identity && known.externalDNS !== null) {
          const { clientId } = output as { readonly clientId: string };
          known = { ...known, externalDNS: { ...known.externalDNS, clientID: clientId } };
          if (credentials !== undefined) await nameClient(credentials, clientId);
        } else return;
        if (file !== undefined) await writeDocument(file, dnsZoneOutput(known));
      },
      document: () => ({ dnsZone: dnsZoneOutput(known), ...(credentialsFile !== undefined && { credentialsFile }) }),
      written: [...written(outputFile, "dnsZone"), ...written(credentialsFile, "externalDns")],
    });
    if (settings.output === "text" && done && known.delegation?.isDelegated === false) {
      context.say(`the owner of the parent zone must add these records: ${known.delegation.reason ?? ""}`);
      context.result.print(recordLines(known.delegation).join("\n"));
    }
    return code;
  });
}

function withZone(known: KnownDnsZone, { id, nameServers }: DnsZoneOutput): KnownDnsZone {
  return { ...known, zoneID: id, nameServers: [...nameServers] };
}

function knownFrom({ connection }: Azure, spec: DnsZoneSpec, tenantID: string): KnownDnsZone {
  const { zoneName: name, subscriptionId: subscriptionID, groupName: resourceGroupName, externalDns: access } = spec;
  const isWorkload = access.kind === "workload-identity";
  return {
    name,
    cloud: connection.cloud.name,
    subscriptionID,
    tenantID,
    resourceGroupName,
    zoneID: "",
    nameServers: [],
    delegation: null,
    externalDNS:
      access.kind === "none"
        ? null
        : {
            identityKind: access.kind,
            clientID: "",
            oidcIssuerURL: isWorkload ? (access.issuerUrl ?? null) : null,
            namespace: isWorkload ? access.namespace : null,
            serviceAccountName: isWorkload ? access.serviceAccount : null,
          },
  };
}

function changeText({ option, recorded, now }: ChangedZoneOption): string {
  return `${option}: ${recorded} exists for the zone; now ${now}; an identity that this replaces stays until destroy dns-zone`;
}

function warningsOf({ externalDns: access }: DnsZoneSpec, create: OwnCommand): Advice[] {
  if (access.kind !== "workload-identity" || access.issuerUrl !== undefined) return [];
  const again = aroHcp(command, { ...create.settings, managementClusterFile: blank("file") });
  return [advise`ExternalDNS cannot sign in yet: its identity trusts no issuer; when the management cluster exists, run ${again}`];
}
