/** Writes docs/pictures: screenshots of real runs on the emulator, and the drawing of a real report. Needs tmux. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { buildIfStale } from "./bundle/build.js";
import { plainEnvironment, program } from "./cli-process.js";
import { wellKnown } from "../src/emulator/index.js";
import { createDirectory, removeDirectory } from "./temporary-directory.js";
import { terminalSvg } from "./terminal-image.js";

interface Shot {
  /** In docs/pictures, without `.svg`. */
  readonly name: string;
  /** Taken when the screen has this. */
  readonly until: RegExp;
}

interface Session {
  readonly rows: number;
  /** Typed first, in the same window, and not shown. */
  readonly before?: string;
  readonly command: string;
  readonly shots: readonly Shot[];
  /** Typed after the screenshots. */
  readonly answer?: string;
}

const widths = [120, 80] as const;
const cluster = "--name demo --infra-id x7k2";
const all = `aro-hcp create all ${cluster} --base-domain ${wellKnown.dnsZone} --dns-zone-rg-name ${wellKnown.dnsGroup} --output-dir demo`;
const broken = path.resolve("examples", "broken.yaml");

/** On one emulator for each width, in this order. */
const sessions: readonly Session[] = [
  { rows: 40, command: all, shots: [{ name: "plan", until: /\? .*\(y\/N\)/is }], answer: "n" },
  {
    ...{ rows: 34, command: `${all} --yes` },
    shots: [
      { name: "create-all", until: /certificates [1-7]\/8, / },
      { name: "create-all-done", until: /is done in/ },
    ],
  },
  { rows: 30, command: `${all} --yes`, shots: [{ name: "create-all-again", until: /is done in/ }] },
  {
    ...{ rows: 34, before: `aro-hcp local seed ${broken}`, command: "aro-hcp verify infra --input-dir demo" },
    shots: [{ name: "verify-infra", until: /\d+ passed/ }],
  },
  {
    ...{ rows: 44, command: `aro-hcp destroy all ${cluster}` },
    shots: [{ name: "destroy-plan", until: /Type x7k2 to confirm/ }],
    answer: "n",
  },
];
/** Before the later ones break and destroy the cluster. */
const flowAfter = sessions[2];

const folder = "docs/pictures";
const home = createDirectory("pictures");
const environment = {
  ...plainEnvironment(home),
  PATH: `${path.join(home, "bin")}:${process.env["PATH"] ?? ""}`,
  ARO_HCP_CLOUD: "local",
  ARO_HCP_LOCAL_LATENCY: "recorded",
  ARO_HCP_LOCAL_TIME_SCALE: "4",
};

/** A terminal with a shell in it. */
const tmux = (...args: readonly string[]) =>
  execFileSync("tmux", ["-S", path.join(home, "tmux"), "-f", "/dev/null", ...args], { env: environment, cwd: home, encoding: "utf8" });

/** The directory of the runs of one width, with its emulator and its output. */
const directoryOf = (columns: number) => path.join(home, String(columns));

async function take(columns: number, { rows, before, command, shots, answer }: Session): Promise<void> {
  const directory = directoryOf(columns);
  const own = ["-c", directory, "-e", `ARO_HCP_LOCAL_DIR=${path.join(directory, "azure")}`];
  tmux("new-session", "-d", "-x", String(columns), "-y", String(rows), ...own, "bash --noprofile --rcfile ../shell");
  if (before !== undefined) {
    type(before);
    await waitFor(prompt);
    tmux("send-keys", "C-l");
  }
  type(command);
  for (const { name, until } of shots) {
    await waitFor(until);
    const screen = tmux("capture-pane", "-e", "-p").trimEnd().split("\n");
    const title = command.split(" --")[0] ?? "";
    writeFileSync(path.join(folder, `${name}-${String(columns)}.svg`), terminalSvg({ title, columns, rows: screen }));
  }
  if (answer !== undefined) type(answer);
  await waitFor(prompt);
  tmux("kill-session");
}

function type(line: string): void {
  tmux("send-keys", "-l", line);
  tmux("send-keys", "Enter");
}

/** The last line of the screen, when the shell waits for a command. */
const prompt = /\n\$\s*$/;

/** @throws Error after ten minutes, which the keys need on a busy computer */
async function waitFor(text: RegExp): Promise<void> {
  for (let waited = 0; !text.test(tmux("capture-pane", "-p")); waited++) {
    if (waited > 12000) throw new Error(`the screen never had ${String(text)}:\n${tmux("capture-pane", "-p")}`);
    await delay(50);
  }
}

/** The drawing of the identities, from the report of a verification, with its style and a ground of its own. */
function writeDrawing(): void {
  const report = path.join(home, "report.html");
  const directory = directoryOf(widths[0]);
  execFileSync(
    process.execPath,
    [program, "verify", "identities", "--input-dir", path.join(directory, "demo"), "--output-report", report],
    {
      env: { ...environment, ARO_HCP_LOCAL_DIR: path.join(directory, "azure") },
      stdio: "ignore",
    },
  );
  const page = readFileSync(report, "utf8");
  const [, style = ""] = /<style>([\s\S]*?)<\/style>/.exec(page) ?? [];
  const [, attributes = "", content = ""] = /<svg([^>]*)>([\s\S]*?)<\/svg>/.exec(page) ?? [];
  const ground = '<rect x="-1" y="-1" width="100%" height="100%" style="stroke: none"/>';
  writeFileSync(
    path.join(folder, "identities.svg"),
    `<svg xmlns="http://www.w3.org/2000/svg"${attributes}>\n<style>${style}</style>\n${ground}${content}</svg>\n`,
  );
}

try {
  await buildIfStale();
  mkdirSync(folder, { recursive: true });
  mkdirSync(path.join(home, "bin"));
  symlinkSync(path.resolve(program), path.join(home, "bin", "aro-hcp"));
  writeFileSync(path.join(home, "shell"), "PS1='$ '\n");
  for (const columns of widths) {
    mkdirSync(directoryOf(columns));
    for (const session of sessions) {
      await take(columns, session);
      if (columns === widths[0] && session === flowAfter) writeDrawing();
    }
  }
} finally {
  spawnSync("tmux", ["-S", path.join(home, "tmux"), "kill-server"]);
  await removeDirectory(home);
}
