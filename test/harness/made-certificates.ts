/** The emulator's certificates, created once for all tests, because keys cost more than most tests. */
import { systemRandom } from "../../src/emulator/common/random.js";
import { ensureCertificates } from "../../src/emulator/listeners/server-certificates.js";
import { madeOnce } from "./made-once.js";

/** Their directory, which callers copy or read but do not change. */
export function madeCertificates(): Promise<string> {
  return madeOnce("certificates", async (empty) => void (await ensureCertificates(empty, Date.now(), systemRandom)));
}
