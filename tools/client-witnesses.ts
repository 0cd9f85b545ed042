/**
 * Which operations unmodified clients attest: those of the traffic in a directory that were answered without a refusal. Fails if one that
 * witnesses.json names is missing; with `--write`, writes them there.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { plural } from "../src/text/plural.js";
import { operationOf } from "./fidelity-operations.js";
import { lostWitnesses, writeWitnesses } from "./witnesses.js";

const [directory = "", write] = process.argv.slice(2);

interface Line {
  readonly method: string;
  readonly url: string;
  readonly status: number;
}

const lines = readdirSync(directory, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ndjson"))
  .flatMap((file) => readFileSync(path.join(directory, file), "utf8").trimEnd().split("\n"))
  .map((line) => JSON.parse(line) as Line);
const served = lines.filter(({ url, status }) => status < 400 && url.startsWith("https://management.azure.com/"));
const attested = new Set(served.flatMap(({ method, url }) => operationOf(method, new URL(url).pathname) ?? []));

console.log(`attested by unmodified clients: ${plural(attested.size, "operation")}`);
if (write === "--write") writeWitnesses({ client: attested });
else {
  for (const problem of lostWitnesses("client", attested)) {
    console.error(problem);
    process.exitCode = 1;
  }
}
