/** Whoever answers in Azure's name with a certificate of another authority is told nothing, and it is explained. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openAzure } from "../../src/azure/azure.js";
import { clouds } from "../../src/azure/cloud.js";
import { signIn } from "../../src/azure/sign-in.js";
import { toFailure } from "../../src/azure/to-failure.js";
import { agentFor, openEmbeddedAzure, wellKnown } from "../../src/embedded-azure/index.js";
import { notedPace } from "./answers.js";

async function door() {
  const directory = mkdtempSync(join(tmpdir(), "aro-hcp-door-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const opened = await openEmbeddedAzure({ directory, environment: { ARO_HCP_LOCAL_RECORD: join(directory, "record") } });
  onTestFinished(() => opened.close());
  return opened;
}

test("a certificate of another authority ends the sign-in and any request, and is explained", async () => {
  const [real, other] = [await door(), await door()];
  const agent = agentFor({ port: real.port, ca: other.ca });
  const pace = notedPace();
  const wire = { pace, agent, current: () => undefined };
  const { tenantId, subscriptionId, clientId } = wellKnown;
  const credential = await signIn({ tenantId, clientId, clientSecret: "never-sent" }, clouds.local, wire);
  const failed = await credential.getToken(clouds.local.resourceManagerScope).catch((error: unknown) => toFailure(error, "sign-in"));
  expect(failed).toMatchObject({ code: "ARO-NET-002" });

  const known = { getToken: async () => ({ token: "t", expiresOnTimestamp: Infinity }), forget: () => undefined };
  const azure = openAzure({ ...wire, cloud: clouds.local, tenantId, subscriptionId, credential: known, userAgent: "test" });
  const { resourceGroups } = await azure.resources();
  const refused = await resourceGroups.get("dns").catch((error: unknown) => toFailure(error, "group"));
  expect(refused).toMatchObject({ code: "ARO-NET-002" });
  expect(pace.waits).toEqual([]);
});
