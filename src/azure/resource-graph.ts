/** Azure Resource Graph: rows of many subscriptions by one query, all of them or an error. */
import { z } from "zod";
import type { Azure } from "./azure.js";

const path = "/providers/Microsoft.ResourceGraph/resources";
const version = "2024-04-01";
/** Azure takes no more rows a page. */
const pageSize = 1000;

/** https://learn.microsoft.com/azure/governance/resource-graph/concepts/work-with-data */
const answer = z.object({
  totalRecords: z.number(),
  resultTruncated: z.string(),
  $skipToken: z.string().optional(),
  data: z.array(z.unknown()),
});

/** @throws Error if the answer is cut, or has another number of rows than it says */
export async function resourceGraphRows<T>(azure: Azure, subscriptions: readonly string[], query: string, row: z.ZodType<T>): Promise<T[]> {
  const manager = await azure.manager();
  const rows: T[] = [];
  for (let token: string | undefined, total = Infinity; rows.length < total;) {
    const options = { $top: pageSize, resultFormat: "objectArray", ...(token !== undefined && { $skipToken: token }) };
    const page: z.infer<typeof answer> = await manager.ask(path, version, { query, subscriptions, options }, answer);
    rows.push(...page.data.map((one) => row.parse(one)));
    token = page.$skipToken;
    total = page.totalRecords;
    const isLast = token === undefined;
    if (isLast ? page.resultTruncated !== "false" || rows.length !== total : page.data.length === 0) throw new Error("incomplete");
  }
  return rows;
}
