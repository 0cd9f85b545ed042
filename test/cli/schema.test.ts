/** `schema`: the JSON Schemas of our files. */
import { expect, test } from "vitest";
import { testEmulator } from "../harness/test-emulator.js";
import { exits } from "./expectations.js";

test("`schema` lists the documents, prints the schema of each one, and rejects an unknown name", async () => {
  const azure = await testEmulator();
  const names = exits(await azure.cli(["schema"]), 0)
    .stdout.trim()
    .split("\n");
  expect(names).toContain("infra-output");
  expect(names).toContain("identities");
  for (const name of names) {
    const schema = JSON.parse(exits(await azure.cli(["schema", name]), 0).stdout) as object;
    expect(schema).toMatchObject({ $schema: "https://json-schema.org/draft/2020-12/schema", type: "object" });
  }
  const { stderr } = exits(await azure.cli(["schema", "identites"]), 2);
  expect(stderr).toContain("identities");
});
