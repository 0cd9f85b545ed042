/** `local serve|reset|seed|status` in words: the emulator by itself, which has no settings. */
import { type Command, Option } from "commander";
import type * as localModule from "./commands/local.js";

export function addLocalCommands(root: Command, environment: NodeJS.ProcessEnv): void {
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
    .action(async (ports: { port?: string; proxyPort?: string }) => {
      process.exitCode = await runLocal({}, environment, ({ serve }) => serve(ports, environment));
    });

  local
    .command("reset")
    .summary("begin a fresh world")
    .exitOverride()
    .action(async () => {
      process.exitCode = await runLocal({}, environment, ({ reset }) => reset(environment));
    });

  local
    .command("seed <file>")
    .summary("add resources, identities and role assignments from a JSON or YAML file")
    .exitOverride()
    .action(async (file: string) => {
      process.exitCode = await runLocal({}, environment, ({ seed }) => seed(file, environment));
    });

  local
    .command("status")
    .summary("show everything it holds, sorted")
    .addOption(new Option("-o, --output <form>", "form of the result").choices(["text", "json"]).default("text"))
    .exitOverride()
    .action(async ({ output }: { output: "text" | "json" }) => {
      process.exitCode = await runLocal({ output }, environment, ({ status }) => status(output, environment));
    });
}

async function runLocal(
  flags: { readonly output?: string },
  environment: NodeJS.ProcessEnv,
  work: (module: typeof localModule) => Promise<number>,
): Promise<number> {
  const { likelyDisplayOptions, orShown } = await import("./run/run-command.js");
  return orShown(
    environment,
    () => likelyDisplayOptions(flags, environment),
    async () => work(await import("./commands/local.js")),
  );
}
