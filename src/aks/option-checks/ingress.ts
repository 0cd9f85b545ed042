/** Checks of the ingress of a service cluster: its hostnames, its TLS certificate, and the Services behind it. */
import { subdomain } from "../../domain/cluster-label.js";
import { parseResourceId, sameType } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { Failure } from "../../errors/failure.js";
import type { SettingKey } from "../../settings/settings.js";
import type { Check } from "../../settings/option-check.js";

/** The settings that have no meaning without a zone. */
const ofZone = ["ingressHost", "opsHost", "delegateZone"] as const satisfies readonly SettingKey[];
/** The settings that have no meaning without a vault. */
const ofCertificate = ["certificateName", "certificateIssuer", "certificateHostname"] as const satisfies readonly SettingKey[];

const hostnameRule = "use lowercase letters, digits, inner hyphens and periods";

export const checkIngressNames: Check = ({ values, problem }) => {
  const { regionalZone, ingressHost, opsHost = [] } = values;
  if (regionalZone !== undefined && !(subdomain.test(regionalZone) && regionalZone.includes(".")))
    problem("regionalZone", `"${regionalZone}" is not the name of a DNS zone: ${hostnameRule}`);
  const isName = (host: string) => host === "@" || subdomain.test(host);
  if (ingressHost !== undefined && !isName(ingressHost))
    problem("ingressHost", `"${ingressHost}" is not the name of a record: ${hostnameRule}, or @ for the zone itself`);
  for (const host of opsHost) {
    if (!isName(host)) problem("opsHost", `"${host}" is not the name of a record: ${hostnameRule}, or @ for the zone itself`);
    else if (host === ingressHost) problem("opsHost", `"${host}" is also --ingress-host: a hostname has one address`);
  }
};

export const checkIngressOutput: Check = ({ command, values, problem }) => {
  if (command === "render ingress" && values.outputDir !== undefined && values.outputFile !== undefined)
    problem("outputDir", "cannot be combined with --output-file: it gets one file for each manifest");
};

/** `render ingress` takes from the cluster's file what is not set. */
export const checkIngress: Check = ({ command, values, given, incomplete }) => {
  if (!command.endsWith("service-cluster")) return;
  for (const key of ofZone) {
    if (values.regionalZone === undefined && given(key))
      incomplete(key, "requires --regional-zone: the hostnames are records of that zone");
  }
  for (const key of ofCertificate) {
    if (values.certificateVaultId === undefined && given(key))
      incomplete(key, "requires --certificate-vault-id: a Key Vault creates the certificate");
  }
  if (values.certificateVaultId !== undefined && values.regionalZone === undefined && values.certificateHostname?.length === 0)
    incomplete("certificateVaultId", "requires --regional-zone or --certificate-hostname: the certificate needs a hostname");
};

export const checkIngressCertificate: Check = ({ values, problem }) => {
  const { certificateVaultId, certificateName, certificateIssuer, certificateHostname = [] } = values;
  const wrong = certificateVaultId === undefined ? undefined : vaultProblem(certificateVaultId);
  if (wrong !== undefined) problem("certificateVaultId", wrong);
  if (certificateName !== undefined && !/^[a-z0-9-]{1,127}$/i.test(certificateName))
    problem("certificateName", `"${certificateName}" is not the name of a certificate: use 1 to 127 letters, digits and hyphens`);
  if (certificateIssuer === "Unknown")
    problem("certificateIssuer", '"Unknown" leaves the signing to you, so the vault cannot create or renew the certificate');
  for (const hostname of certificateHostname) {
    if (!subdomain.test(hostname.replace(/^\*\./, "")))
      problem("certificateHostname", `"${hostname}" is not a hostname: ${hostnameRule}; a wildcard may be the first label`);
  }
};

function vaultProblem(id: string): string | undefined {
  const { keyVault } = resourceTypes;
  try {
    const { type } = parseResourceId(id);
    return sameType(type, keyVault.type) ? undefined : `"${id}" is the ID of a resource of type ${type}, not of a ${keyVault.label}`;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}
