// Creates everything that a cluster needs, verifies it, and prints what a pipeline passes on.
//   node create-cluster.mjs [NAME] [INFRA_ID] [BASE_DOMAIN]
import { AroHcpError, run } from "aro-hcp";

const [name = "demo", infraId = "x7k2", baseDomain = "hcp.example.com"] = process.argv.slice(2);
const cluster = { name, infraId, baseDomain, location: "eastus", dnsZoneRgName: "dns" };

// Ctrl-C ends the run as in a terminal: what is in flight ends, and a rerun continues.
const stop = new AbortController();
process.once("SIGINT", () => stop.abort());

/** @param {import("aro-hcp").Event} event */
function onEvent(event) {
  if (event.type === "step.done" && event.act === "create") console.error(`created ${event.title} in ${event.elapsedMs} ms`);
  if (event.type === "step.note") console.error(`${event.step} waits: ${event.text}`);
}

try {
  const options = { onEvent, signal: stop.signal };
  const plan = await run("create all", { ...cluster, outputDir: name, dryRun: true }, options);
  if ("changes" in plan) console.error(`${plan.changes} changes`);

  const created = await run("create all", { ...cluster, outputDir: name, yes: true }, options);
  const verified = await run("verify all", { inputDir: name }, { signal: stop.signal });
  const wrong = verified.results.filter(({ state }) => state === "failed");
  for (const { check, subject, evidence, next } of wrong) console.error(`${check} of ${subject}: ${evidence}. ${next ?? ""}`);

  if ("counts" in created) console.log(JSON.stringify({ created: created.counts.created, checks: verified.counts }));
  process.exitCode = verified.ok ? 0 : 6;
} catch (error) {
  if (!(error instanceof AroHcpError)) throw error;
  for (const { code, message, because, next } of error.failures) {
    console.error(`${code}: ${message}`);
    if (because !== undefined) console.error(`  because ${because}`);
    for (const advice of next) console.error(`  next ${advice}`);
  }
  process.exitCode = error.exitCode;
}
