/** Edits of packages that make the program start and run faster. Each edit fails the build if the package no longer contains its text. */
import type { Plugin } from "rolldown";

interface Edit {
  readonly file: RegExp;
  readonly from: string;
  readonly to: string;
}

const edits: readonly Edit[] = [
  {
    // For subcommands that are programs of their own, which we do not have. To load it takes a tenth of the time of `--help`.
    file: /\/node_modules\/commander\/lib\/command\.js$/,
    from: "const childProcess = require('node:child_process');",
    to: "const childProcess = undefined;",
  },
  {
    // Zod compiles a function for each schema when it is first used. A run uses most schemas a few times only: compiling takes a tenth of the CPU time
    // of a create with the emulator in the same process. The setting has to precede the first schema, wherever that is.
    file: /\/node_modules\/zod\/v4\/core\/core\.js$/,
    from: "__zod_globalConfig = {}",
    to: "__zod_globalConfig = { jitless: true }",
  },
];

export function packageEditsPlugin(): Plugin {
  return {
    name: "package-edits",
    transform: {
      filter: { id: edits.map(({ file }) => file) },
      handler(code, id) {
        return { code: edits.filter(({ file }) => file.test(id)).reduce((text, edit) => edited(text, id, edit), code), map: null };
      },
    },
  };
}

function edited(code: string, id: string, { from, to }: Edit): string {
  if (!code.includes(from)) throw new Error(`${id} does not contain "${from}"`);
  return code.replace(from, to);
}
