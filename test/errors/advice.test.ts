/** Advice is data until it is rendered: our parser accepts each advised command, and text is never treated as a command. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { adviceRenderer } from "../../src/run/connection-flags.js";
import { aroHcp, type Advice } from "../../src/errors/advice.js";
import { catalogue, type CatalogueEntry } from "../../src/errors/catalogue.js";
import { Failure } from "../../src/errors/failure.js";
import { adviceFor, failureJson } from "../../src/errors/format.js";
import { printDocument } from "../../src/render/document.js";
import { createEventsFile } from "../../src/render/events-file.js";
import { commandNames, optionsOf } from "../../src/settings/commands.js";
import { allOptions } from "../../src/settings/options.js";
import { createInfraAdvice } from "../../src/infra/verify-infra.js";
import { resolveSettings } from "../../src/settings/resolve.js";
import { checkOwnLine, linesIn } from "../harness/own-line.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";
import { fakeScreen } from "../render/fakes.js";

const entries = Object.entries<CatalogueEntry>(catalogue);
/** All connection flags: a rendered command gets those that it accepts. */
const everywhere = adviceRenderer({ cloud: "local", azureCreds: "my creds.json", subscription: "5b5c0000-0000-4000-8000-000000000001" });

/** Returns the number of advised commands. */
function check(advice: Advice): number {
  const own = linesIn(everywhere(advice)).filter((line) => line.startsWith("aro-hcp "));
  own.forEach(checkOwnLine);
  return own.length;
}

test("our parser accepts every command that the catalogue advises, with the connection flags", () => {
  const own = entries.map(([, { next, nextToRead = [] }]) => [...next, ...nextToRead].reduce((sum, advice) => sum + check(advice), 0));
  expect(own.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(3);
});

test("no command that the catalogue advises lacks a required setting", async () => {
  const lines = entries.flatMap(([, { next, nextToRead = [] }]) =>
    [...next, ...nextToRead].flatMap((advice) => linesIn(everywhere(advice))),
  );
  const own = lines.filter((one) => one.startsWith("aro-hcp "));
  expect(own.length).toBeGreaterThanOrEqual(3);
  for (const line of own) {
    const name = commandNames.find((command) => line.startsWith(`aro-hcp ${command}`));
    if (name === undefined) continue;
    const flags = Object.fromEntries(
      optionsOf(name).flatMap(({ flag, key }) => (line.includes(` ${flag} <`) ? [[key, valueOf(key)]] : [])),
    );
    await resolveSettings(name, { flags, environment: {}, readConfig: () => Promise.reject(new Error("there is none")) });
  }
});

function valueOf(key: string): string {
  return { baseDomain: "hcp.example.com", oidcIssuerUrl: "https://issuer.example.com/demo" }[key] ?? "demo";
}

/** What the settings of a run contain if everything is passed. */
const everything: Readonly<Record<string, unknown>> = Object.fromEntries(
  allOptions.map(({ key, kind, choices = [] }) => [
    key,
    ["text", "file", "directory", "choice"].includes(kind) ? (choices[0] ?? "x") : undefined,
  ]),
);

/** Flags of every command, also of those that print texts before a command is known. */
const flagsOfAll: ReadonlySet<string> = new Set(["--help", "--help-all", "--debug"]);

test.each(commandNames)(
  "all advice of the catalogue can be followed after `%s`: each flag exists there, and no known value is left blank",
  (command) => {
    const settings = Object.fromEntries(optionsOf(command).map(({ key }) => [key, everything[key]]));
    const render = adviceRenderer({ command, cloud: "local", known: settings });
    const accepted = new Set<string>([...flagsOfAll, ...optionsOf(command).map(({ flag }) => flag)]);
    for (const [code, { next, nextToRead = [] }] of entries) {
      const texts = [...next, ...nextToRead].map(render);
      expect(texts, code).not.toContain("");
      for (const text of texts) {
        // Outside of commands, a flag is one of the running command.
        const mentioned = text.replace(/`[^`]*`/g, "").match(/--[a-z][a-z-]+/g) ?? [];
        expect({ code, unknown: mentioned.filter((flag) => !accepted.has(flag)) }).toEqual({ code, unknown: [] });
        for (const line of linesIn(text).filter((one) => one.startsWith("aro-hcp "))) {
          checkOwnLine(line);
          const name = commandNames.find((one) => line.startsWith(`aro-hcp ${one}`));
          const known = name === undefined ? [] : optionsOf(name).filter(({ key }) => settings[key] !== undefined);
          expect({ code, blank: known.filter(({ flag }) => line.includes(` ${flag} <`)) }).toEqual({ code, blank: [] });
        }
      }
    }
  },
);

test("the parser rejects unknown commands and unknown flags", () => {
  expect(() => {
    checkOwnLine("aro-hcp create everything");
  }).toThrow();
  expect(() => {
    checkOwnLine("aro-hcp show infra --infra-jsn x");
  }).toThrow(/--infra-jsn is not an option of show infra; did you mean "--infra-file"/);
});

const withOptions = commandNames.filter((name) => optionsOf(name).length > 0);
test.each(withOptions)("each setting of `%s` is rendered as a flag that it accepts", (name) => {
  for (const { key, kind, choices = [] } of optionsOf(name)) {
    const [choice = "x"] = choices;
    const values = {
      switch: true,
      integer: 3,
      duration: 90_000,
      list: [choice],
      files: ["x"],
      texts: ["x"],
      tags: { a: "b" },
      choice,
      text: "x",
      file: "x",
      directory: "x",
    };
    const [line = ""] = linesIn(everywhere({ ...aroHcp(name), settings: { [key]: values[kind] } }));
    expect(() => checkOwnLine(line)).not.toThrow();
  }
});

test("a failure's own advice takes precedence; otherwise a read-only command gets the catalogue's advice for reads", () => {
  const denied = new Failure("ARO-AUTHZ-001", "no");
  expect(adviceFor(new Failure("ARO-AUTHZ-001", "no", { next: ["own"] }), true)).toEqual(["own"]);
  expect(everywhere(adviceFor(denied)[0] ?? "")).toContain('"Contributor"');
  expect(everywhere(adviceFor(denied, true)[0] ?? "")).toContain('"Reader"');
});

const looksLikeCommands = "`aro-hcp doctor` and `aro-hcp create infra --name demo`";

test("text in a result document is written unchanged, even if it looks like a command", () => {
  const { screen, text } = fakeScreen();
  printDocument(screen, { ok: true, tags: { note: looksLikeCommands }, list: [looksLikeCommands] });
  expect(JSON.parse(text())).toEqual({ schemaVersion: 1, ok: true, tags: { note: looksLikeCommands }, list: [looksLikeCommands] });
});

test("in an event only the advice is rendered; other text is written unchanged", () => {
  const path = join(temporaryDirectory().path, "events.ndjson");
  const file = createEventsFile({
    path,
    result: fakeScreen().screen,
    today: () => new Date(0),
    renderAdvice: everywhere,
    header: { command: "doctor", version: "0", subject: undefined },
  });
  const failure = new Failure("ARO-AZURE-001", looksLikeCommands, {
    because: looksLikeCommands,
    next: [looksLikeCommands, aroHcp("doctor")],
  });
  file.emit({ type: "step.note", step: "a", text: looksLikeCommands, reason: looksLikeCommands, elapsedMs: 0 });
  file.emit({ type: "step.failed", step: "a", title: looksLikeCommands, elapsedMs: 0, failure });
  const result = { check: "a", subject: "b", state: "failed", severity: "error", evidence: looksLikeCommands } as const;
  file.emit({ type: "check.result", ...result, next: aroHcp("doctor", { register: true }) });
  file.stop();
  const lines = readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines).toContainEqual(expect.objectContaining({ type: "step.note", text: looksLikeCommands }));
  expect(lines).toContainEqual(expect.objectContaining({ title: looksLikeCommands, failure: failureJson(failure, everywhere) }));
  expect(lines).toContainEqual(
    expect.objectContaining({ ...result, next: expect.stringMatching(/--cloud local .*--register`$/) as string }),
  );
  expect(failureJson(failure, everywhere)).toMatchObject({
    message: looksLikeCommands,
    because: looksLikeCommands,
    next: [looksLikeCommands, expect.stringContaining("`aro-hcp doctor --cloud local --azure-creds 'my creds.json' --subscription 5b5c")],
  });
});

test("an advised create infra repeats every setting of the run except those that control the run itself", async () => {
  const flags = { name: "demo", infraId: "demo-x7k2", baseDomain: "hcp.example.com", disableClusterCapabilities: ["ImageRegistry"] };
  const given = { ...flags, naming: "hypershift", cloud: "local", output: "json", concurrency: "3", resourceGroupTags: ["a=b"] };
  const { settings } = await resolveSettings("create infra", {
    flags: given,
    environment: {},
    readConfig: () => Promise.reject(new Error()),
  });
  expect(linesIn(adviceRenderer({})(createInfraAdvice(settings)))).toEqual([
    "aro-hcp create infra --name demo --infra-id demo-x7k2 --base-domain hcp.example.com --location eastus --naming hypershift " +
      "--resource-group-tags a=b --disable-cluster-capabilities ImageRegistry",
  ]);
});
