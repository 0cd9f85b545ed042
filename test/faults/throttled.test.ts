/** A command that Resource Manager throttles: another client has used up the requests that it accepts. */
import { request } from "node:https";
import { expect, test } from "vitest";
import { systemClock, type SystemClock } from "../../src/azure/clock.js";
import { systemRandom } from "../../src/azure/random.js";
import { agentFor, type Emulator } from "../../src/emulator/index.js";
import { readAzureCreds } from "../../src/files/azure-creds.js";
import { clusterFlags, domainFlags } from "../../tools/demo-cluster.js";
import { exits } from "../cli/expectations.js";
import { testEmulator } from "../harness/test-emulator.js";

const scale = 20;
const recordedTimes = { env: { ARO_HCP_LOCAL_LATENCY: "recorded", ARO_HCP_LOCAL_TIME_SCALE: String(scale) } };

/** Reads the subscription this many times, as the principal of the emulator's credentials file. */
async function read(server: Emulator, times: number): Promise<void> {
  const { subscriptionId = "", tenantId = "", servicePrincipal } = await readAzureCreds(server.credentialsFile);
  const { clientId = "", clientSecret = "" } = { ...servicePrincipal };
  const agent = agentFor(server);
  const send = (host: string, path: string, headers: Readonly<Record<string, string>>, body = ""): Promise<string> =>
    new Promise((resolve, reject) => {
      const sent = request({ agent, host, path, headers: { host, ...headers }, method: body === "" ? "GET" : "POST" }, (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (part: string) => (text += part));
        answer.on("end", () => {
          resolve(text);
        });
      });
      sent.on("error", reject).end(body);
    });
  const form = new URLSearchParams({ grant_type: "client_credentials", scope: "https://management.azure.com/.default" });
  form.set("client_id", clientId);
  form.set("client_secret", clientSecret);
  const type = { "content-type": "application/x-www-form-urlencoded" };
  const token = await send("login.microsoftonline.com", `/${tenantId}/oauth2/v2.0/token`, type, form.toString());
  const { access_token: accessToken } = JSON.parse(token) as { readonly access_token: string };
  const path = `/subscriptions/${subscriptionId}?api-version=2022-12-01`;
  const headers = { authorization: `Bearer ${accessToken}` };
  await Promise.all(Array.from({ length: times }, () => send("management.azure.com", path, headers)));
  agent.destroy();
}

test("a throttled command waits as long as Retry-After asks, and then succeeds", async () => {
  const azure = await testEmulator();
  // The emulator's time passes only while the program waits.
  let nowMs = Date.now();
  const waits: number[] = [];
  const clock: SystemClock = {
    ...systemClock,
    now: () => new Date(nowMs),
    sleep(ms) {
      waits.push(ms * scale);
      nowMs += ms;
      return Promise.resolve();
    },
  };
  const server = await azure.serve({ ...systemClock, now: () => new Date(nowMs) }, recordedTimes);
  await read(server, 250);
  await azure.traffic();
  // Retry-After is 1 s. The program adds up to a tenth, at random, so that parallel steps do not retry at the same moment.
  const random = { ...systemRandom, fraction: () => 0.5 };
  exits(await azure.cli(["create", "infra", ...clusterFlags, ...domainFlags, "--dry-run"], { ...recordedTimes, clock, random }), 0);
  const throttled = (await azure.traffic()).filter(({ status }) => status === 429);
  expect(throttled.length).toBeGreaterThan(0);
  expect(JSON.stringify(throttled[0]?.responseBody)).toContain("SubscriptionRequestsThrottled");
  expect(waits).toHaveLength(throttled.length);
  for (const ms of waits) expect(ms).toBeCloseTo(1050, 3);
});
