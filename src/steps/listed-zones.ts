/** The DNS zones of the subscription, listed once for all steps. */
import type { Zone } from "@azure/arm-dns";
import type { Azure } from "../azure/azure.js";
import { oncePerKey } from "../azure/concurrency.js";
import { all } from "../azure/pages.js";

export type ZoneList = () => Promise<Zone[]>;

export function listedZones(azure: Azure): ZoneList {
  const listed = oncePerKey<Zone[]>();
  return () => listed.get("zones", async () => all((await azure.dns()).zones.list()));
}
