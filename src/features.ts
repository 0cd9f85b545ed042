/** The features of the program, in the order of the help, without a library because help and completion load this file. */
import * as infra from "./infra/feature.js";
import * as identities from "./identities/feature.js";
import * as encryptionKey from "./encryption-key/feature.js";
import * as iam from "./iam/feature.js";
import * as issuer from "./issuer/feature.js";
import * as all from "./all/feature.js";
import * as doctor from "./doctor/feature.js";
import * as estate from "./estate/feature.js";
import * as fleet from "./fleet/feature.js";
import * as aks from "./aks/feature.js";
import * as arc from "./arc/feature.js";
import * as dnsZone from "./dns-zone/feature.js";
import * as hostedCluster from "./hosted-cluster/feature.js";
import * as local from "./local/feature.js";
import * as program from "./cli/feature.js";
import { connectionOptions } from "./settings/connection-options.js";
import { manifestOptions } from "./settings/manifest-options.js";
import { runOptions } from "./settings/run-options.js";
import { verifyOptions } from "./settings/verify-options.js";

/** What the feature.ts of a folder exports. Its functions load what only some runs need. */
interface Registered {
  readonly commands: Readonly<Record<string, object>>;
  readonly options?: Readonly<Record<string, object>>;
  /** The module of each command. */
  readonly modules: Readonly<Record<string, () => Promise<object>>>;
  /** The checks of its settings. */
  readonly optionChecks?: () => Promise<readonly unknown[]>;
  /** Of each command with --only: its checks. */
  readonly checks?: Readonly<Record<string, () => Promise<object>>>;
  /**
   * `results`: what each command prints as a document; `files`: schemas of written files; `readers`: how a named file is read; `jsonSchemas`: of
   * files that are made of options.
   */
  readonly documents: () => Promise<{
    readonly results?: object;
    readonly files?: object;
    readonly readers?: object;
    readonly jsonSchemas?: object;
  }>;
  /** Reads the settings that a cluster was created with, for `show settings`. */
  readonly recalled?: () => Promise<object>;
}

/** What programs may run too: the library has the commands of these. */
export const libraryFeatures = [
  infra,
  identities,
  encryptionKey,
  iam,
  issuer,
  all,
  doctor,
  estate,
  fleet,
  aks,
  arc,
  dnsZone,
  hostedCluster,
] as const satisfies readonly Registered[];

export const features = [
  ...libraryFeatures,
  // About the program and its emulator.
  local,
  program,
] as const satisfies readonly Registered[];

type Feature = (typeof features)[number];
/** The intersection of the members of a union. */
type Merged<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer All) => void ? All : never;
/** What the features have under this name, together. */
type Together<Name extends string> = Merged<
  Feature extends infer F ? (F extends Readonly<Record<Name, infer Part>> ? Part : never) : never
>;

function together<Name extends "commands" | "options" | "modules" | "checks">(name: Name): Together<Name> {
  const parts = features.map((feature) => (name in feature ? (feature as Readonly<Record<string, object>>)[name] : {}));
  return Object.assign({}, ...parts) as Together<Name>;
}

/** An option is identified by its key, unless two commands use one key for different things. */
export const options = { ...connectionOptions, ...together("options"), ...verifyOptions, ...manifestOptions, ...runOptions };
export type OptionName = keyof typeof options;

export const commands = together("commands");
export type CommandName = keyof typeof commands;
commands satisfies Readonly<
  Record<CommandName, { options: readonly OptionName[]; required?: readonly OptionName[]; usual?: readonly OptionName[] }>
>;

/** The module of each command, loaded when the command runs. */
export const modules = together("modules");

/** The checks that `--only` of a command selects. */
export const checks = together("checks");
