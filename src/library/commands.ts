/** The commands that programs may run: those of the features, without the ones about the program itself and its emulator. */
import { libraryFeatures } from "../features.js";
import { optionsOf, type CommandOption } from "../settings/commands.js";
import type { RunnableCommand } from "./execute.js";

export const libraryCommands = libraryFeatures.flatMap(({ commands }) => Object.keys(commands) as RunnableCommand[]);

/** They are about the output on a terminal. A program gets a document, where the command has one. */
const ofTerminals: ReadonlySet<string> = new Set(["output", "color", "plain", "debug", "fullPlan"]);

export function libraryOptionsOf(command: RunnableCommand): readonly CommandOption[] {
  return optionsOf(command).filter(({ key }) => !ofTerminals.has(key));
}

/** Whether its result is a document; otherwise it is the text that the command prints. */
export function hasDocument(command: RunnableCommand): boolean {
  return optionsOf(command).some(({ key }) => key === "output");
}
