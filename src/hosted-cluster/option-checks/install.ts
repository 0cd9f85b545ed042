/** Checks of the installation of HyperShift's operator. */
import { nameProblem } from "../../domain/name-rules.js";
import type { Check } from "../../settings/option-check.js";

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** A DNS name of at least two labels. */
const domainName = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

export const checkInstall: Check = ({ command, values, given, problem }) => {
  if (command !== "render hypershift-install") return;
  const { externalDnsCredentials, externalDnsDomainFilter, dnsZoneRgName, hypershiftImage } = values;
  if (externalDnsCredentials === undefined) {
    for (const key of ["externalDnsDomainFilter", "dnsZoneRgName"] as const) {
      if (values[key] !== undefined) problem(key, "requires --external-dns-credentials");
    }
  } else if (externalDnsDomainFilter === undefined) {
    problem(
      "externalDnsCredentials",
      "requires --external-dns-domain-filter: without it, external-dns would manage every zone that it can read",
    );
  }
  if (externalDnsDomainFilter !== undefined && !domainName.test(externalDnsDomainFilter)) {
    problem("externalDnsDomainFilter", `"${externalDnsDomainFilter}" is not a DNS zone such as hcp.example.com`);
  }
  const group = dnsZoneRgName === undefined ? undefined : nameProblem("resourceGroup", dnsZoneRgName);
  if (group !== undefined) problem("dnsZoneRgName", group);
  if (hypershiftImage !== undefined && !/^[\w./:@-]+$/.test(hypershiftImage)) {
    problem("hypershiftImage", `"${hypershiftImage}" is not an image reference such as quay.io/hypershift/hypershift-operator:latest`);
  }
  const { azurePlsManagedIdentityClientId: clientId, privatePlatform } = values;
  if (clientId !== undefined && !uuid.test(clientId)) problem("azurePlsManagedIdentityClientId", `"${clientId}" is not a UUID`);
  for (const key of ["azurePlsResourceGroup", "azurePlsManagedIdentityClientId"] as const) {
    if (privatePlatform !== "Azure" && given(key)) problem(key, "requires --private-platform Azure");
  }
};
