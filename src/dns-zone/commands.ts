/** The commands for a public DNS zone, as part of the table of commands. */
import type { Command } from "../settings/command.js";
import { changes, creates, reads, verifies } from "../settings/shared-options.js";

const externalDns = [
  "externalDnsIdentity",
  "externalDnsIssuerUrl",
  "externalDnsClusterJson",
  "externalDnsNamespace",
  "externalDnsServiceAccount",
  "externalDnsCredentialsFile",
] as const;

export const commands = {
  "create dns-zone": {
    summary: "create a public DNS zone, its delegation and the identity of ExternalDNS",
    description:
      "Creates the zone, and its NS records in the parent zone if this subscription has that zone; otherwise prints the records for its owner. Creates an identity " +
      "for ExternalDNS with the roles DNS Zone Contributor on the zone and Reader on the resource group. An existing zone is used as it is.",
    examples: [
      "aro-hcp create dns-zone --cloud local --base-domain blue.hcp.example.com --dns-zone-rg-name blue-dns --dry-run",
      "aro-hcp create dns-zone --azure-creds creds.json --base-domain blue.example.com --dns-zone-rg-name dns --management-cluster-file mgmt.json",
    ],
    required: ["zoneName", "zoneGroup"],
    options: [...creates, ...externalDns, "dnsZoneOutputFile"],
    usual: ["location", "externalDnsIdentity", "externalDnsClusterJson", "dryRun", "yes", "dnsZoneOutputFile", "output"],
  },
  "show dns-zone": {
    summary: "show a public DNS zone, its delegation and the identity of ExternalDNS",
    description:
      "Reads the zone, its name servers, its NS records in the parent zone, and the identity of ExternalDNS with its roles. Read-only.",
    examples: ["aro-hcp show dns-zone --cloud local --base-domain blue.hcp.example.com --dns-zone-rg-name blue-dns"],
    required: ["zoneName", "existingZoneGroup"],
    options: [...reads, "location", ...externalDns, "shownExitCode"],
  },
  "verify dns-zone": {
    summary: "check a public DNS zone, its delegation and the identity of ExternalDNS",
    description:
      "Checks the zone and its delegation, and whether the identity of ExternalDNS can sign in and has its roles. Takes the options of create dns-zone. With " +
      "the azure.json of a service principal, it signs in as it. Read-only. Exits with 6 if a check failed, or with 3 if there are only warnings.",
    examples: [
      "aro-hcp verify dns-zone --cloud local --base-domain blue.hcp.example.com --dns-zone-rg-name blue-dns",
      "aro-hcp verify dns-zone --azure-creds creds.json --base-domain blue.example.com --dns-zone-rg-name dns --management-cluster-file mgmt.json",
    ],
    required: ["zoneName", "existingZoneGroup"],
    options: [...verifies, "location", ...externalDns],
    usual: ["externalDnsIdentity", "externalDnsClusterJson", "externalDnsCredentialsFile", "only", "verifyOutput"],
  },
  "destroy dns-zone": {
    summary: "delete the resources of create dns-zone",
    description:
      "Deletes the identities of ExternalDNS with their roles, the NS records in the parent zone if they refer to this zone, and the zone. The resource " +
      "group is deleted if create dns-zone created it and it is empty. Refuses to delete a zone that contains records.",
    examples: ["aro-hcp destroy dns-zone --cloud local --base-domain blue.hcp.example.com --dns-zone-rg-name blue-dns"],
    required: ["zoneName", "existingZoneGroup"],
    options: [...changes, "externalDnsCredentialsFile", "deleteRecords", "purge"],
  },
} as const satisfies Readonly<Record<string, Command>>;
