/** docs/versions.md: the API versions of Azure are those that commands send, and Node.js is that of the package. */
import { expect, test } from "vitest";
import { clusterFlags, managementFlags, wholeFlags } from "../../tools/demo-cluster.js";
import { testEmulator, type Exchange } from "../harness/test-emulator.js";
import { inlineCode, readPageText } from "./markdown-pages.js";

const page = readPageText("docs/versions.md");

/** The service of a request, and the version that it names: "Microsoft.Network 2025-05-01". */
function versionOf({ url, requestHeaders }: Exchange): string[] {
  const { host, pathname, searchParams } = new URL(url);
  const version = searchParams.get("api-version") ?? requestHeaders["x-ms-version"];
  if (host.startsWith("graph.")) return [`Microsoft Graph ${pathname.split("/")[1] ?? ""}`];
  if (version === undefined) return [];
  if (host.includes(".vault.")) return [`Key Vault ${version}`];
  if (host.includes(".blob.")) return [`Blob storage ${version}`];
  const provider = /.*\/providers\/([\w.]+)\//i.exec(`${pathname}/`)?.[1] ?? "Microsoft.Resources";
  return [`${provider} ${version}`];
}

/** Of the table with services. */
const documented = page
  .split("\n")
  .filter((line) => /^\| (Microsoft[. ]|Key Vault|Blob)/.test(line))
  .flatMap((line) => inlineCode(line).map((version) => `${line.split("|")[1]?.trim() ?? ""} ${version}`));

test("the API versions are those that commands send", async () => {
  const azure = await testEmulator();
  const output = azure.path("demo");
  for (const words of [
    ["create", "all", ...wholeFlags, "--output-dir", output, "--yes"],
    ["verify", "all", "--cloud", "local", "--input-dir", output],
    ["doctor", ...wholeFlags],
    ["create", "management-cluster", ...managementFlags, "--preset", "dev", "--yes"],
    ["destroy", "all", ...clusterFlags, "--purge", "--yes"],
  ]) {
    const { code, stderr } = await azure.cli(words, { env: { ARO_HCP_LOCAL_TIME_SCALE: "1000" } });
    expect([0, 3], stderr).toContain(code);
  }
  const sent = new Set((await azure.traffic()).flatMap(versionOf));
  expect([...sent].toSorted()).toEqual(documented.toSorted());
});
