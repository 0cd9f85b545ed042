/** Sign-in: create explains refusals of Entra and waits for temporary errors. */
import { readFile, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { always, create, run, undisturbedState, type FaultRule } from "./fault-runs.js";
import { recorded } from "./recorded-answers.js";

const token = { method: "POST", host: "login.microsoftonline.com" } as const;

/** The flags of a copy of the emulator's credentials file with this change. */
async function credentials(azure: TestEmulator, change: Readonly<Record<string, string>>): Promise<string[]> {
  const known = JSON.parse(await readFile(`${azure.directory}/azure-creds.json`, "utf8")) as Record<string, string>;
  const file = azure.path("creds.json");
  await writeFile(file, JSON.stringify({ ...known, ...change }), { mode: 0o600 });
  return ["--azure-creds", file];
}

test.each([
  ["a wrong secret", { clientSecret: "not-the-secret" }, "AADSTS7000215"],
  ["an unknown application", { clientId: "0b0b0000-0000-4000-8000-00000000dead" }, "AADSTS700016"],
  ["an unknown tenant", { tenantId: "7e7a0000-0000-4000-8000-00000000dead" }, "AADSTS90002"],
])(
  "create explains %s with the code of Entra and exit code 4, and sends no request to Resource Manager",
  async (_title, change, aadsts) => {
    const azure = await testEmulator();
    const { stderr } = await run(azure, [...create, "--debug", ...(await credentials(azure, change))], 4);
    expect(stderr).toContain("[ARO-AUTH-002]");
    expect(stderr).toContain(aadsts);
    expect(stderr).not.toContain("not-the-secret");
    const asked = (await azure.traffic()).map(({ url }) => new URL(url).host);
    expect(new Set(asked)).toEqual(new Set(["login.microsoftonline.com"]));
  },
);

test("create recovers from lost connections, an HTML page with 503, and 429 at sign-in", async () => {
  const azure = await testEmulator();
  const faults: readonly FaultRule[] = [
    { ...token, times: 2, reset: true },
    { ...token, nth: 3, times: 2, answer: recorded.html503 },
    { ...token, nth: 5, answer: { status: 429, headers: { "retry-after": "30" }, body: { error: "temporarily_unavailable" } } },
  ];
  await run(azure, create, 0, { faults });
  expect(await azure.snapshot()).toEqual(await undisturbedState());
});

const permanent: readonly (readonly [string, readonly FaultRule[], string])[] = [
  ["a lost network connection", [{ ...token, ...always, reset: true }], "ARO-NET-001"],
  ["Entra that stays down", [{ ...token, ...always, answer: recorded.html503 }], "ARO-AZURE-002"],
];

test.each(permanent)("create explains %s at sign-in, not as a wrong secret", async (_title, faults, code) => {
  const azure = await testEmulator();
  const { stderr } = await run(azure, create, 1, { faults });
  expect(stderr).toContain(`[${code}]`);
});

test("all steps share one token, and a refused token is replaced once", async () => {
  const azure = await testEmulator();
  const refused = { method: "GET", path: "/subscriptions/", times: 1, answer: recorded.expiredToken };
  await run(azure, create, 0, { faults: [refused] });
  const tokens = (await azure.traffic()).filter(({ url }) => url.includes("/oauth2/v2.0/token"));
  expect(tokens).toHaveLength(2);
});
