/** `doctor` as a command: its words, forms and exit codes. */
import { expect, test } from "vitest";
import { localAzure, demo, writes } from "../harness/local-azure.js";

test("doctor tells what is wrong by text, JSON and exit code, asks little, and writes nothing but what --register says", async () => {
  const azure = await localAzure();
  const all = ["doctor", ...demo, "--dns-zone-rg-name", "dns", "--base-domain", "hcp.example.com"];
  const well = await azure.cli(all);
  expect(well).toMatchObject({ code: 0, stdout: expect.stringMatching(/\d+ passed\n$/) as string });
  const traffic = await azure.traffic();
  expect(traffic.length).toBeLessThanOrEqual(30);
  expect(writes(traffic)).toEqual([]);

  await azure.seed({ providers: { "Microsoft.Network": "NotRegistered" }, knobs: { subscriptionState: "PastDue" } });
  const ill = await azure.cli([...all, "--output", "json"]);
  expect(ill.code).toBe(6);
  expect(JSON.parse(ill.stdout)).toMatchObject({ ok: false, command: "doctor", counts: { failed: 1, warning: 1 } });
  // A warning alone.
  await azure.seed({ knobs: { subscriptionState: "Enabled" } });
  expect((await azure.cli(["doctor", "infra", "--cloud", "local", "--only", "providers"])).code).toBe(3);
  await azure.traffic();
  expect((await azure.cli(["doctor", "infra", "--cloud", "local", "--register"])).code).toBe(0);
  expect(
    writes(await azure.traffic()).map(({ method, url }) => `${method} ${new URL(url).pathname.split("/").slice(3).join("/")}`),
  ).toEqual(["POST providers/Microsoft.Network/register"]);
});

test("a check or a word that there is none of is wrong usage", async () => {
  const azure = await localAzure();
  const check = await azure.cli(["doctor", "--cloud", "local", "--only", "clok"]);
  expect(check).toMatchObject({ code: 2, stderr: expect.stringContaining('there is no check "clok"; did you mean "clock"?') as string });
  const word = await azure.cli(["doctor", "everything", "--cloud", "local"]);
  expect(word).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('"everything" is nothing that is made: all, infra, identities, oidc-issuer') as string,
  });
});
