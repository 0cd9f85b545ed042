/** A page that is not Azure's, with the status of success. */
import { expect, test } from "vitest";
import { localAzure } from "../harness/local-azure.js";
import { always, create, destroy, run } from "./fault-runs.js";

test.each([
  ["a portal's page", "<html>please sign in</html>"],
  ["an object without entries", {}],
])("%s in place of a list stops destroy, which would else find nothing to do", async (_what, body) => {
  const azure = await localAzure();
  await run(azure, create, 0);
  const { stderr } = await run(azure, destroy, 1, {
    faults: [{ method: "GET", path: "/subscriptions/[^/]+/resource(group)?s$", ...always, answer: { status: 200, body } }],
  });
  expect(stderr).toContain("ARO-NET-003");
});
