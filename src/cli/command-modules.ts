/** The module of each command, loaded on demand. */
import { modules, type CommandName } from "../features.js";
import type { CommandModule } from "./run-command.js";

/** `help` prints texts without settings. */
export const commandModules: { readonly [C in Exclude<CommandName, "help">]: () => Promise<CommandModule<C>> } = modules;
