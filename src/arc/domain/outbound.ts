/** The addresses that the agents must reach, and the variables of a proxy. */
import { plainLocation } from "../../domain/location.js";
import type { ArcProxy } from "./spec.js";

/** Only the public names: the others are wildcards, whose hosts the services choose. */
export function outboundHosts(location: string, arcSuffix: string): readonly string[] {
  const region = plainLocation(location);
  return [
    "management.azure.com",
    `${region}.${arcSuffix}`,
    "login.microsoftonline.com",
    "mcr.microsoft.com",
    "gbl.his.arc.azure.com",
    "guestnotificationservice.azure.com",
  ];
}

export function proxyVariables(proxy: ArcProxy | undefined): Record<string, string> {
  const { http, https, noProxy = [] } = proxy ?? {};
  return {
    ...(http !== undefined && { HTTP_PROXY: http, http_proxy: http }),
    ...(https !== undefined && { HTTPS_PROXY: https, https_proxy: https }),
    ...(noProxy.length > 0 && { NO_PROXY: noProxy.join(","), no_proxy: noProxy.join(",") }),
  };
}
