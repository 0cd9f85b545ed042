/** What the commands of the Azure CLI are made of here: their flags, where they run, and how az finds what is given by its name. */
import { openState } from "../../src/emulator/open.js";
import type { StoredResource, AzureState } from "../../src/emulator/state/state.js";
import { subscriptionScope } from "../../src/domain/resource-id.js";
import type { Azure } from "../../src/azure/azure.js";
import { azureRest, type Properties } from "./azure-rest.js";

/** Where a line is run. */
export interface AzContext {
  readonly azure: Azure;
  /** The world's directory. */
  readonly directory: string;
}

export type Words = Readonly<Record<string, readonly string[]>>;

/** The value of a flag; "" where it was not given. */
export type One = (flag: string) => string;

export interface Verb {
  /** As az' own help writes it: "--name [--location] [--yes!]"; "!" for a switch, "*" for several values. */
  readonly usage: string;
  run(room: AzContext, one: One, words: Words): Promise<unknown>;
}

export const keyVault = "2026-02-01";

export interface Listed {
  readonly id: string;
  readonly name: string;
  readonly properties: Properties;
}

/** As az finds what is given by its name alone. */
export async function named(azure: Azure, type: string, version: string, name: string): Promise<Listed> {
  const found = (await list(azure, type, version)).find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no ${type} ${name}`);
  return found;
}

export async function list(azure: Azure, type: string, version: string): Promise<Listed[]> {
  const { value } = await azureRest(azure).arm("GET", `${subscriptionScope(azure.connection.subscriptionId)}/providers/${type}`, version);
  return value as Listed[];
}

export function idIn({ connection }: Azure, group: string, path: string): string {
  return `${subscriptionScope(connection.subscriptionId)}/resourceGroups/${group}/providers/${path}`;
}

/** Others are not understood here. */
export function onlyQuery(one: One, query: string): void {
  if (one("query") !== query) throw new Error(`--query ${one("query")} is not known here`);
}

export function changeResource(directory: string, id: string, hand: (stored: StoredResource) => unknown): Promise<void> {
  return changeState(directory, ({ resources }) => {
    const stored = resources[id.toLowerCase()];
    if (stored === undefined) throw new Error(`${id} is not there`);
    hand(stored);
  });
}

export async function changeState(directory: string, hand: (state: AzureState) => void): Promise<void> {
  await openState(directory).transact((state) => {
    hand(state);
    return { value: undefined, commit: true };
  });
}
