/** `local serve|reset|seed|status` in words: the emulator by itself, which has no settings. */
import { type Command, Option } from "commander";
import type * as localModule from "./commands/local.js";
import type { ProcessPort } from "./process-port.js";

export function addLocalCommands(root: Command, port: ProcessPort, ended: (code: number) => void): void {
  const local = root
    .command("local")
    .summary("serve, reset, seed or show the emulator")
    .description("The emulator keeps its world in a directory: ARO_HCP_LOCAL_DIR, or .aro-hcp/local in the home directory.")
    .exitOverride();

  local
    .command("serve")
    .summary("serve it until interrupted, for any client")
    .description(
      "Prints one line of JSON when ready: its addresses, the file of its certificate authority, and the variables that point clients at it.",
    )
    .addOption(new Option("--port <number>", "port of the HTTPS door (default: any free one)"))
    .addOption(new Option("--proxy-port <number>", "port of the CONNECT proxy (default: any free one)"))
    .exitOverride()
    .action(async (given: { port?: string; proxyPort?: string }) => {
      ended(await runLocal({}, port, ({ serve }) => serve(given, port)));
    });

  local
    .command("reset")
    .summary("begin a fresh world")
    .exitOverride()
    .action(async () => {
      ended(await runLocal({}, port, ({ reset }) => reset(port)));
    });

  local
    .command("seed <file>")
    .summary("add resources, identities and role assignments from a JSON or YAML file")
    .exitOverride()
    .action(async (file: string) => {
      ended(await runLocal({}, port, ({ seed }) => seed(file, port)));
    });

  local
    .command("status")
    .summary("show everything it holds, sorted")
    .addOption(new Option("-o, --output <form>", "form of the result").choices(["text", "json"]).default("text"))
    .exitOverride()
    .action(async ({ output }: { output: "text" | "json" }) => {
      ended(await runLocal({ output }, port, ({ status }) => status(output, port)));
    });
}

async function runLocal(
  flags: { readonly output?: string },
  port: ProcessPort,
  work: (module: typeof localModule) => Promise<number>,
): Promise<number> {
  const { likelyDisplayOptions, orShown } = await import("./run/run-command.js");
  return orShown(
    port,
    () => likelyDisplayOptions(flags, port.environment),
    async () => work(await import("./commands/local.js")),
  );
}
