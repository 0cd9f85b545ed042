/** The commands `local serve|reset|seed|status`: they manage the emulator and have no settings. */
import { type Command, Option } from "commander";
import type * as localModule from "./commands/local.js";
import { requireKnownVariables } from "../settings/variables.js";
import type { ProcessPort } from "./process-port.js";

export function addLocalCommands(root: Command, port: ProcessPort, onExit: (code: number) => void): void {
  const local = root
    .command("local")
    .summary("serve, reset, seed or show the emulator")
    .description("The emulator keeps its state in a directory: ARO_HCP_LOCAL_DIR, or .aro-hcp/local in the home directory.")
    .exitOverride();

  local
    .command("serve")
    .summary("run the emulator until interrupted, for any client")
    .description("Prints one line of JSON when ready: its addresses, its CA file, and the environment variables that direct clients to it.")
    .addOption(new Option("--port <number>", "port of the HTTPS server (default: any free one)"))
    .addOption(new Option("--proxy-port <number>", "port of the CONNECT proxy (default: any free one)"))
    .exitOverride()
    .action(async (options: { port?: string; proxyPort?: string }) => {
      onExit(await runLocal({}, port, ({ serve }) => serve(options, port)));
    });

  local
    .command("reset")
    .summary("reset to an empty state")
    .exitOverride()
    .action(async () => {
      onExit(await runLocal({}, port, ({ reset }) => reset(port)));
    });

  local
    .command("seed <file>")
    .summary("add resources, identities and role assignments from a JSON or YAML file")
    .exitOverride()
    .action(async (file: string) => {
      onExit(await runLocal({}, port, ({ seed }) => seed(file, port)));
    });

  local
    .command("status")
    .summary("show the state, sorted")
    .addOption(new Option("-o, --output <form>", "format of the result").choices(["text", "json"]).default("text"))
    .exitOverride()
    .action(async ({ output }: { output: "text" | "json" }) => {
      onExit(await runLocal({ output }, port, ({ status }) => status(output, port)));
    });
}

async function runLocal(
  flags: { readonly output?: string },
  port: ProcessPort,
  action: (module: typeof localModule) => Promise<number>,
): Promise<number> {
  const { likelyDisplayOptions, orShowFailure } = await import("./run/run-command.js");
  return orShowFailure(
    port,
    () => likelyDisplayOptions(flags, port.environment),
    async () => {
      requireKnownVariables(port.environment);
      return action(await import("./commands/local.js"));
    },
  );
}
