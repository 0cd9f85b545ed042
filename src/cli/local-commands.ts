/** `local serve|reset|seed|status`: the embedded Azure by itself. */
import { type Command, Option } from "commander";

export function addLocalCommands(root: Command, environment: NodeJS.ProcessEnv): void {
  const local = root
    .command("local")
    .summary("serve, reset, seed or show the embedded Azure")
    .description("The embedded Azure keeps its world in a directory: ARO_HCP_LOCAL_DIR, or .aro-hcp/local in the home directory.")
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
      const { serve } = await import("./commands/local.js");
      process.exitCode = await serve(ports, environment);
    });

  local
    .command("reset")
    .summary("begin a fresh world")
    .exitOverride()
    .action(async () => {
      const { reset } = await import("./commands/local.js");
      process.exitCode = await reset(environment);
    });

  local
    .command("seed <file>")
    .summary("add resources, identities and role assignments from a JSON or YAML file")
    .exitOverride()
    .action(async (file: string) => {
      const { seed } = await import("./commands/local.js");
      process.exitCode = await seed(file, environment);
    });

  local
    .command("status")
    .summary("show everything it holds, sorted")
    .addOption(new Option("-o, --output <form>", "form of the result").choices(["text", "json"]).default("text"))
    .exitOverride()
    .action(async ({ output }: { output: "text" | "json" }) => {
      const { status } = await import("./commands/local.js");
      process.exitCode = await status(output, environment);
    });
}
