/** A program in a real pseudo-terminal, for what an injected stream cannot show: its size, its line editing, and Ctrl-C as a key. */
import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const script = fileURLToPath(new URL("terminal.py", import.meta.url));

/** Python's standard library has the only pseudo-terminal that a runner usually has. */
export const hasTerminals = process.platform !== "win32" && spawnSync("python3", ["-c", "import pty"]).status === 0;

export interface TerminalOptions {
  readonly columns: number;
  readonly rows?: number;
  readonly env: NodeJS.ProcessEnv;
}

export interface Terminal {
  /** Everything printed so far, with its control sequences, and line ends as the program wrote them. */
  output(): string;
  /** Ctrl-C is "\u0003", Enter is "\r". */
  type(keys: string): void;
  resize(columns: number, rows: number): void;
  /** The exit code. */
  readonly ended: Promise<number>;
}

export function openTerminal(command: readonly string[], { columns, rows = 40, env }: TerminalOptions): Terminal {
  const child = spawn("python3", [script, String(columns), String(rows), ...command], { env, stdio: ["pipe", "pipe", "inherit"] });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  // A key that is typed when the program has ended is lost.
  child.stdin.on("error", () => undefined);
  const ended = new Promise<number>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      resolve(code ?? -1);
    });
  });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const control = (value: unknown) => void child.stdin.write(`${JSON.stringify(value)}\n`);
  return {
    output: () => output.replaceAll("\r\n", "\n"),
    type: control,
    resize(toColumns, toRows) {
      control([toColumns, toRows]);
    },
    ended,
  };
}
