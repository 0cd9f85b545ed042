/** Another server's page with a success status. */
import { expect, test } from "vitest";
import { testEmulator } from "../harness/test-emulator.js";
import { always, create, destroy, run } from "./fault-runs.js";

test.each([
  ["a portal's page", "<html>please sign in</html>"],
  ["an object without entries", {}],
])("%s instead of a list stops destroy; otherwise destroy would find nothing to delete", async (_what, body) => {
  const azure = await testEmulator();
  await run(azure, create, 0);
  const { stderr } = await run(azure, destroy, 1, {
    faults: [{ method: "GET", path: "/subscriptions/[^/]+/resource(group)?s$", ...always, answer: { status: 200, body } }],
  });
  expect(stderr).toContain("ARO-NET-003");
});

test("a token that no header can contain is no answer of Entra's", async () => {
  const azure = await testEmulator();
  const body = { access_token: "a\u0007b\nX-Other: 1", expires_in: 3600, token_type: "Bearer" };
  const { stderr } = await run(azure, create, 1, {
    faults: [{ host: "login.microsoftonline.com", path: "/token$", ...always, answer: { status: 200, body } }],
  });
  expect(stderr).toContain("ARO-NET-003");
});

test("a refusal with an unknown code names the request that was refused", async () => {
  const azure = await testEmulator();
  const body = { error: { code: "ContosoDenied", message: "denied by policy" } };
  const faults = [{ method: "GET", path: "/subscriptions/[^/]+/resource(group)?s$", ...always, answer: { status: 403, body } }];
  const { stderr } = await run(azure, create, 5, { faults });
  expect(stderr).toMatch(/GET \/subscriptions\/\S+\/resource(group)?s of management\.azure\.com failed/i);
});
