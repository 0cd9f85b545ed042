/** The `local` commands: serve, reset, seed and show the emulator. */
import { largestSeed, stateSnapshot, resetState, seedState, serve as openAndServe } from "../emulator/index.js";
import { screensOf } from "../render/screen.js";
import { table } from "../render/table.js";
import type { Resolved } from "../settings/settings.js";
import { jsonText } from "../text/control.js";
import { plural } from "../text/plural.js";
import { localDirectory, orLocalFailure } from "../run/local-emulator.js";
import { endSignals, type ProcessPort } from "../run/process-port.js";

export async function serve({ settings }: Resolved<"local serve">, port: ProcessPort): Promise<number> {
  const { result, people } = screensOf(port, settings.color);
  const server = await orLocalFailure(() =>
    openAndServe({
      directory: localDirectory(port),
      environment: port.environment,
      clock: port.clock,
      random: port.random,
      proxyAddress: settings.proxyAddress,
      ...(settings.port !== undefined && { port: settings.port }),
      ...(settings.proxyPort !== undefined && { proxyPort: settings.proxyPort }),
    }),
  );
  if (server.isCaReplaced) people.print(`${server.caFile} has a new certificate authority: restart clients that have read the earlier one`);
  // Whoever reads the line may send a signal at once.
  const stopped = waitForSignal(port);
  result.print(jsonText(server.ready));
  await stopped;
  await server.close();
  return 0;
}

export async function reset({ settings }: Resolved<"local reset">, port: ProcessPort): Promise<number> {
  const directory = localDirectory(port);
  await orLocalFailure(() => {
    resetState(directory, port.random);
  });
  screensOf(port, settings.color).people.print(`reset the state in ${directory}`);
  return 0;
}

/** `file`: never empty, because the command requires it. */
export async function seed({ settings }: Resolved<"local seed">, port: ProcessPort, file = ""): Promise<number> {
  const { readDocument } = await import("../files/read.js");
  const document = await readDocument(file, largestSeed);
  const directory = localDirectory(port);
  await orLocalFailure(() => seedState(directory, document.value, port));
  screensOf(port, settings.color).people.print(`added ${file} to the state in ${directory}`);
  return 0;
}

export async function status({ settings }: Resolved<"local status">, port: ProcessPort): Promise<number> {
  const { result } = screensOf(port, settings.color);
  const snapshot = await orLocalFailure(() => stateSnapshot(localDirectory(port), port));
  if (settings.output === "json") {
    result.print(jsonText(snapshot, 2));
    return 0;
  }
  const { resources, roleAssignments, applications, answeredVersions = [] } = snapshot;
  const count = (entries: object, noun: string) => plural(Object.keys(entries).length, noun);
  result.show(
    table(
      result,
      ["RESOURCE"],
      Object.keys(resources).map((id) => [id]),
    ),
  );
  if (answeredVersions.length > 0) {
    const rows = answeredVersions.map(({ type, version, answeredAs, requests }) => [type, version, answeredAs, String(requests)]);
    result.print("");
    result.show(table(result, ["TYPE", "API VERSION", "ANSWERED AS", "REQUESTS"], rows));
  }
  result.print(`\n${count(resources, "resource")}, ${count(roleAssignments, "role assignment")}, ${count(applications, "application")}`);
  return 0;
}

/** The first signal stops the server; a second signal ends the process. */
async function waitForSignal({ onSignal }: ProcessPort): Promise<void> {
  const stops: (() => void)[] = [];
  await new Promise<void>((resolve) => {
    stops.push(...endSignals.map((signal) => onSignal(signal, resolve)));
  });
  for (const stop of stops) stop();
}
