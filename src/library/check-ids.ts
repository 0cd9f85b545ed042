/** The checks that `--only` of a command selects. */
import { checks, type commands, type CommandName, type OptionName } from "../features.js";
import type { Check } from "../verify/check.js";

type CommandWith<N extends OptionName> = {
  [C in CommandName]: N extends (typeof commands)[C]["options"][number] ? C : never;
}[CommandName];

type Checks = Readonly<Record<string, Check>>;

const checksByCommand: { readonly [C in CommandWith<"only">]: () => Promise<Checks> } = checks;

/** Undefined for a command without `--only`. */
export function checksOf(command: CommandName): Promise<Checks> | undefined {
  const load: (() => Promise<Checks>) | undefined = (checksByCommand as Partial<Record<CommandName, () => Promise<Checks>>>)[command];
  return load?.();
}
