/** The process of `warm-cli.ts`: runs each command that it receives, and sends the result. */
import { cli } from "../test/harness/cli.js";
import type { CommandMessage } from "./warm-cli.js";

process.on("message", ({ args, env }: CommandMessage) => {
  void cli(args, { env }).then((result) => process.send?.(result));
});
