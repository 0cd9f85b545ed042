/** The pages for a reader who has `aro-hcp` on the path: each block works as printed, in order, and prints what the page shows. */
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { wellKnown } from "../../src/emulator/index.js";
import { placePrivateKey, testKey } from "../issuer/signing-keys.js";
import { examples } from "../../tools/error-examples.js";
import { cloneOfRepository, type Clone } from "./clone.js";
import { readPage } from "./reading.js";

test.each(["first-cluster", "own-network", "several-clusters", "least-privilege", "own-tests"])("docs/%s.md", async (page) => {
  const clone = await cloneOfRepository();
  clone.link();
  expect((await readPage(clone, clone.read(`docs/${page}.md`))).size).toBeGreaterThan(0);
});

test.skipIf(spawnSync("curl", ["--version"]).error !== undefined)("docs/using-the-emulator.md, with curl", async () => {
  const clone = await cloneOfRepository();
  clone.link();
  expect((await readPage(clone, clone.read("docs/using-the-emulator.md"))).size).toBeGreaterThan(0);
});

const flags = `--cloud local --name demo --infra-id x7k2 --base-domain ${wellKnown.dnsZone} --dns-zone-rg-name ${wellKnown.dnsGroup}`;

/** With the cluster of docs/first-run.md. */
async function cloneWithCluster(): Promise<Clone> {
  const clone = await cloneOfRepository();
  clone.link();
  const demo = path.join(clone.directory, "demo");
  mkdirSync(demo);
  await placePrivateKey(demo, testKey());
  const { code, output } = await clone.run(`aro-hcp create all ${flags} --output-dir demo`);
  expect(code, output).toBe(0);
  return clone;
}

test.each(["rotate", "recover", "troubleshooting", "upgrade"])("docs/%s.md, with a cluster", async (page) => {
  const clone = await cloneWithCluster();
  await readPage(clone, clone.read(`docs/${page}.md`));
});

test("docs/errors: what is printed, and the exit code", async () => {
  const clone = await cloneWithCluster();
  for (const code of Object.keys(examples)) await readPage(clone, clone.read(`docs/errors/${code.toLowerCase()}.md`));
});
