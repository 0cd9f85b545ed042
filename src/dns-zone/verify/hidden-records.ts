/** Checks whether the delegation of a zone hides records that its parent zone still has, or another delegation hides it. */
import { orRefused } from "../../azure/or-refused.js";
import { parentZonesOf } from "../../domain/dns-zone.js";
import { groupNameOf } from "../../domain/resource-id.js";
import { advise, joinAdvice, shell } from "../../errors/advice.js";
import { hiddenText, recordsAround } from "../../steps/hidden-records.js";
import { failed, notChecked, passed, type Finding } from "../../verify/check.js";
import type { DnsZoneSnapshot } from "./snapshot.js";

/** After the check of the delegation, which finds the parent zone. */
export async function noneHidden({ azure, spec: { zoneName }, graph }: DnsZoneSnapshot): Promise<Finding<undefined>> {
  const [parent] = parentZonesOf((await orRefused(graph.listed())) ?? [], zoneName);
  const around = parent && (await recordsAround(azure, parent, zoneName));
  if (around === undefined) return notChecked("the signed-in principal has no permission to list the records of the parent zone");
  const { id = "", name = "" } = parent ?? {};
  const { hidden, delegatedAbove } = around;
  if (delegatedAbove !== undefined)
    return failed(
      `${delegatedAbove}, so no resolver finds the delegation of ${zoneName} in zone ${name}`,
      `the owner of that zone must delegate ${zoneName} to its name servers`,
    );
  if (hidden.length === 0) return passed(`zone ${name} has no other record at or below ${zoneName}`);
  const deletions = hidden.map(({ kind, name: record }) => {
    const flags = ["--resource-group", groupNameOf(id) ?? "", "--zone-name", name, "--name", record];
    return shell`az network dns record-set ${kind.toLowerCase()} delete ${flags} --yes`;
  });
  return failed(
    `zone ${name} contains ${hiddenText(hidden)}, which no resolver finds any more`,
    advise`copy to zone ${zoneName} what is still needed, and delete the others: ${joinAdvice(deletions, ", ")}`,
  );
}
