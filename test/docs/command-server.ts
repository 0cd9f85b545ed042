/** Runs the `aro-hcp` of a shell in the process of the test, where the program is loaded already: the shell starts only a small client. */
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import path from "node:path";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import { startCli } from "../harness/cli.js";

interface Command {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** What runs until a signal, may be killed by a fault rule, or reads an open file of the shell runs in a process of its own. */
const command = (client: string, program: string): string => `#!/bin/sh
case "\${ARO_HCP_LOCAL_FAULTS:+faults} $*" in
  faults* | " local serve"* | */dev/*) exec '${program}' "$@" ;;
  *) exec node '${client}' "$@" ;;
esac
`;

/** Each line of the answer has the number of a stream and a text, or 0 and the exit code. The program reads standard input only from a terminal. */
const client = (socket: string): string => `
const { writeSync } = require("node:fs");
const { argv, env } = process;
let rest = "";
const server = require("node:net").connect(${JSON.stringify(socket)}).setEncoding("utf8");
server.write(JSON.stringify({ args: argv.slice(2), cwd: process.cwd(), env }) + "\\n");
server.on("data", (text) => {
  const lines = (rest + text).split("\\n");
  rest = lines.pop();
  for (const [to, what] of lines.map((line) => JSON.parse(line))) to === 0 ? process.exit(what) : writeSync(to, what);
});
server.on("end", () => process.exit(70));
`;

/** Returns the path of a program that does what `program` does. */
export async function serveCommands(folder: string, program: string): Promise<string> {
  const [socket, clientFile, commandFile] = [path.join(folder, "socket"), path.join(folder, "client.cjs"), path.join(folder, "aro-hcp")];
  mkdirSync(folder);
  writeFileSync(clientFile, client(socket));
  writeFileSync(commandFile, command(clientFile, program), { mode: 0o755 });
  const home = process.cwd();
  let running = 0;
  const answer = async (connection: Socket, { args, cwd, env }: Command): Promise<void> => {
    const send = (to: number, what: string | number) => void connection.write(`${JSON.stringify([to, what])}\n`);
    running += 1;
    try {
      // A process has one working directory.
      if (running > 1 && process.cwd() !== cwd) throw new Error("commands that run at once need the same directory");
      process.chdir(cwd);
      const started = startCli(args, { env, written: send });
      connection.on("close", () => started.signal("SIGTERM"));
      send(0, (await started.ended).code);
    } catch (error) {
      send(2, `${String(error)}\n`);
      send(0, 70);
    } finally {
      running -= 1;
      if (running === 0) process.chdir(home);
    }
  };
  const commands = new Set<Promise<void>>();
  const server = createServer((connection) => {
    // The shell may end a client.
    connection.on("error", () => undefined);
    createInterface(connection).once("line", (line) => commands.add(answer(connection, JSON.parse(line) as Command)));
  }).listen(socket);
  await once(server, "listening");
  onTestFinished(async () => {
    server.close();
    await Promise.all(commands);
  });
  return commandFile;
}
