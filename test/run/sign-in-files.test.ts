/** The files that variables of the SDK name. test/cli/odd-files.test.ts passes odd files to commands. */
import { expect, test } from "vitest";
import { checkSignInFiles } from "../../src/run/connect.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";

test.each(["AZURE_CLIENT_CERTIFICATE_PATH", "AZURE_FEDERATED_TOKEN_FILE"])(
  "%s is checked, and a missing file is left to the SDK",
  async (variable) => {
    const { path } = temporaryDirectory();
    await expect(checkSignInFiles({ [variable]: path })).rejects.toMatchObject({
      code: "ARO-FILE-002",
      message: `${variable}: ${path} is a directory`,
    });
    await expect(checkSignInFiles({ [variable]: `${path}/missing` })).resolves.toBeUndefined();
  },
);
