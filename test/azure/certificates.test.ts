/** A server with a certificate of another authority receives no secret, and the failure explains the certificate. */
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openAzure } from "../../src/azure/azure.js";
import { clouds } from "../../src/azure/cloud.js";
import { earlyRequests } from "../../src/azure/early-requests.js";
import { systemRandom } from "../../src/azure/random.js";
import { signIn } from "../../src/azure/sign-in.js";
import { toFailure } from "../../src/azure/to-failure.js";
import type { Operation } from "../../src/azure/operation.js";
import { agentFor, openEmulator, wellKnown } from "../../src/emulator/index.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";
import { notedClock } from "./answers.js";

async function server() {
  const { path: directory } = temporaryDirectory();
  const opened = await openEmulator({ directory, environment: { ARO_HCP_LOCAL_RECORD: join(directory, "record") } });
  onTestFinished(() => opened.close());
  return opened;
}

test("sign-in and requests fail on a certificate of another authority, and the failure explains it", async () => {
  const [real, other] = [await server(), await server()];
  const agent = agentFor({ port: real.port, ca: other.ca });
  const clock = notedClock();
  const { signal } = new AbortController();
  const operations = new Set<Operation>();
  const transport = { clock, random: systemRandom, agent, operations, early: earlyRequests(), signal, current: () => undefined };
  const { tenantId, subscriptionId, clientId } = wellKnown;
  const credential = await signIn({ tenantId, clientId, clientSecret: "never-sent" }, clouds.local, transport);
  const failed = await credential.getToken(clouds.local.resourceManagerScope).catch((error: unknown) => toFailure(error, "sign-in"));
  expect(failed).toMatchObject({ code: "ARO-NET-002" });

  const known = { getToken: async () => ({ token: "t", expiresOnTimestamp: Infinity }), forget: () => undefined };
  const azure = openAzure({ ...transport, cloud: clouds.local, tenantId, subscriptionId, credential: known, userAgent: "test" });
  const { resourceGroups } = await azure.resources();
  const refused = await resourceGroups.get("dns").catch((error: unknown) => toFailure(error, "group"));
  expect(refused).toMatchObject({ code: "ARO-NET-002" });
  expect(clock.waits).toEqual([]);
});
