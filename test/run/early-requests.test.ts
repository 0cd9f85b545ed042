/** A command ends after the requests that it started early: it sends the same ones in every run, and none is in flight at its end. */
import { expect, test } from "vitest";
import type { FaultRule } from "../faults/fault-runs.js";
import { demo, testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { groupId } from "../cli/demo-cluster.js";
import { exits } from "../cli/expectations.js";
import { placePrivateKey, testKey } from "../issuer/signing-keys.js";

/** Requests that start before their results are needed, slower than all others. The first token is that of the sign-in. */
const slow = { times: 100, delay: 2 } as const;
const slowSet: readonly FaultRule[] = [{ method: "POST", host: "login.microsoftonline.com", nth: 2, ...slow }];

/** The requests of a run that were answered, in the order of the alphabet. */
async function answered(azure: TestEmulator, args: readonly string[], says: string, faults: readonly FaultRule[]): Promise<string[]> {
  await azure.traffic();
  const { stderr } = exits(await azure.cli(args, { faults, env: { ARO_HCP_LOCAL_TIME_SCALE: "10" } }), says.startsWith("ARO-") ? 5 : 0);
  expect(stderr).toContain(says);
  const requests = await azure.traffic();
  return requests.map(({ method, url, status }) => `${method} ${url.replace(/client-request-id=.*/, "")} ${String(status)}`).toSorted();
}

/** Runs the command once for each of `slowed`; it must change nothing. */
async function sendsTheSame(azure: TestEmulator, args: readonly string[], says: string, slowed: readonly FaultRule[]): Promise<string[]> {
  const requests = await answered(azure, args, says, []);
  for (const fault of slowed) expect(await answered(azure, args, says, [fault]), JSON.stringify(fault)).toEqual(requests);
  return requests;
}

test("destroys of a set that a cluster uses", async () => {
  const azure = await testEmulator();
  await placePrivateKey(azure.path("demo"), testKey());
  const files = ["--base-domain", "hcp.example.com", "--dns-zone-rg-name", "dns", "--output-dir", azure.path("demo")];
  exits(await azure.cli(["create", "all", ...demo, ...files]), 0);
  const set = ["--cloud", "local", "--name", "demo"];
  await sendsTheSame(azure, ["destroy", "all", ...set, "--infra-id", "demo-x7k3", "--yes"], "nothing to do", slowSet);
  await sendsTheSame(azure, ["destroy", "identities", ...set, "--resource-group-name", "demo-common", "--yes"], "ARO-OWN-006", slowSet);
  await sendsTheSame(azure, ["destroy", "encryption-key", ...set, "--resource-group-name", "demo-common", "--yes"], "ARO-OWN-006", slowSet);
  await sendsTheSame(azure, ["destroy", "oidc-issuer", ...set, "--yes"], "ARO-OWN-006", slowSet);
  expect(await azure.snapshot()).toMatchObject({ resources: { [groupId("demo-common").toLowerCase()]: {} } });
});
