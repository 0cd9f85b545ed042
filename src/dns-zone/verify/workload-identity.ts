/** Checks of what the managed identity of ExternalDNS trusts: the tokens of its service account, of a readable issuer. */
import type { FederatedIdentityCredential } from "@azure/arm-msi";
import { all } from "../../azure/pages.js";
import { externalDnsName } from "../../domain/dns-zone.js";
import { serviceAccountSubject, workloadAudience } from "../../domain/service-account-tokens.js";
import { advise, aroHcp, blank, shell } from "../../errors/advice.js";
import { failed, notChecked, passed, type Finding } from "../../verify/check.js";
import { checkInstance, type CheckInstance } from "../../verify/check-instance.js";
import type { ResourceLinks } from "../../verify/planned-resources.js";
import { documentsServed } from "../../verify/served-documents.js";
import { dnsZoneChecks } from "./checks.js";
import type { DnsZoneSnapshot } from "./snapshot.js";

export function issuerChecks(snapshot: DnsZoneSnapshot, identity: ResourceLinks): CheckInstance[] {
  const trusted = checkInstance(dnsZoneChecks["issuer-trusted"], identity.subject, { identity: identity.exists }, () =>
    checkTrust(snapshot),
  );
  const documents = checkInstance(dnsZoneChecks["issuer-documents"], identity.subject, { trusted }, ({ trusted: found }) =>
    checkDocuments(snapshot, found),
  );
  return [trusted, documents];
}

/** Several management clusters may share the zone: without an issuer in the settings, one that is trusted is enough. */
async function checkTrust({ azure, spec, create }: DnsZoneSnapshot): Promise<Finding<readonly FederatedIdentityCredential[]>> {
  const { externalDns: access, groupName } = spec;
  if (access.kind !== "workload-identity") return notChecked("ExternalDNS does not sign in with tokens");
  const { federatedIdentityCredentials } = await azure.identities();
  const live = await all(federatedIdentityCredentials.list(groupName, externalDnsName(spec)));
  const subject = serviceAccountSubject(access);
  // Entra compares all three exactly.
  const found = live.filter(
    (one) =>
      one.subject === subject &&
      one.audiences?.join() === workloadAudience &&
      (access.issuerUrl === undefined || one.issuer === access.issuerUrl),
  );
  if (found.length > 0) return passed(`${subject}, with tokens of ${found.map(({ issuer = "" }) => issuer).join(", ")}`, found);
  const trusts = live.map(({ issuer, subject: of, audiences }) => `${of ?? ""} of ${issuer ?? ""} for ${audiences?.join() ?? ""}`);
  const wanted = `${subject} of ${access.issuerUrl ?? "any issuer"} for ${workloadAudience}`;
  return failed(
    `it trusts ${trusts.length === 0 ? "nobody" : trusts.join("; ")}, not ${wanted}: ExternalDNS cannot sign in`,
    access.issuerUrl === undefined
      ? advise`${aroHcp("create dns-zone", { ...create.settings, managementClusterFile: blank("file") })} adds the credential, with the output file of create management-cluster`
      : advise`${create} adds the credential`,
  );
}

async function checkDocuments(
  { azure, spec }: DnsZoneSnapshot,
  trusted: readonly FederatedIdentityCredential[],
): Promise<Finding<undefined>> {
  const read: string[] = [];
  for (const { name = "", issuer = "" } of trusted) {
    const flags = ["--name", name, "--identity-name", externalDnsName(spec), "--resource-group", spec.groupName];
    const remove = shell`az identity federated-credential delete ${flags} --yes`;
    const finding = await documentsServed(
      azure,
      issuer,
      advise`make the issuer's address public, or, if its management cluster no longer exists, delete the credential: ${remove}`,
    );
    if (finding.passed !== true) return finding;
    read.push(finding.evidence);
  }
  return passed(read.join("; "));
}
