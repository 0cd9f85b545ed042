/** What `local` does: serves, resets, seeds and shows the emulator. */
import { stateSnapshot, resetState, seedState, serve as openAndServe } from "../../emulator/index.js";
import { Failure } from "../../errors/failure.js";
import { readDocument } from "../../files/read.js";
import { processScreens } from "../../render/screen.js";
import { table } from "../../render/table.js";
import { localDirectory, orLocalFailure } from "../run/local-emulator.js";

export async function serve(
  ports: { readonly port?: string; readonly proxyPort?: string },
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  const { result } = processScreens("auto", environment);
  const server = await orLocalFailure(() =>
    openAndServe({
      directory: localDirectory(environment),
      environment,
      ...(ports.port !== undefined && { port: portIn("--port", ports.port) }),
      ...(ports.proxyPort !== undefined && { proxyPort: portIn("--proxy-port", ports.proxyPort) }),
    }),
  );
  result.print(JSON.stringify(server.ready));
  await new Promise<void>((resolve) => {
    process.once("SIGINT", resolve).once("SIGTERM", resolve);
  });
  await server.close();
  return 0;
}

export async function reset(environment: NodeJS.ProcessEnv): Promise<number> {
  const directory = localDirectory(environment);
  await orLocalFailure(() => {
    resetState(directory);
  });
  processScreens("auto", environment).people.print(`the world in ${directory} is a fresh one`);
  return 0;
}

export async function seed(file: string, environment: NodeJS.ProcessEnv): Promise<number> {
  const document = await readDocument(file);
  const directory = localDirectory(environment);
  await orLocalFailure(() => seedState(directory, document.value));
  processScreens("auto", environment).people.print(`added what ${file} holds to the world in ${directory}`);
  return 0;
}

export async function status(output: "text" | "json", environment: NodeJS.ProcessEnv): Promise<number> {
  const { result } = processScreens("auto", environment);
  const snapshot = await orLocalFailure(() => stateSnapshot(localDirectory(environment)));
  if (output === "json") {
    result.print(JSON.stringify(snapshot, undefined, 2));
    return 0;
  }
  const { resources, roleAssignments, applications } = snapshot;
  const count = (entries: object) => String(Object.keys(entries).length);
  result.print(
    table(
      result,
      ["RESOURCE"],
      Object.keys(resources).map((id) => [id]),
    ),
  );
  result.print(`\n${count(resources)} resources, ${count(roleAssignments)} role assignments, ${count(applications)} applications`);
  return 0;
}

function portIn(flag: string, text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65535) return port;
  throw new Failure("ARO-USAGE-001", `${flag} is "${text}", not a port from 0 to 65535`);
}
