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
