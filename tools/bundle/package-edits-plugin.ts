/** Edits packages so that the program starts and runs faster. The build fails if a package no longer contains the text of an edit. */
import type { Plugin } from "rolldown";

interface Edit {
  readonly file: RegExp;
  readonly from: string;
  readonly to: string;
}

const edits: readonly Edit[] = [
  {
    // Zod compiles a function for each schema on first use. A run uses most schemas only a few times, and compiling takes a tenth of the CPU time
    // of a create with the emulator in the same process. The setting must precede the first schema.
    file: /\/node_modules\/zod\/v4\/core\/core\.js$/,
    from: "__zod_globalConfig = {}",
    to: "__zod_globalConfig = { jitless: true }",
  },
  {
    // Node.js loads all of fetch, 12 ms, when a program first names FormData. The Azure SDK asks this of the body of each request.
    file: /\/node_modules\/@typespec\/ts-http-runtime\/dist\/esm\/(?:formData|client\/sendRequest)\.js$/,
    from: 'typeof FormData !== "undefined" && body instanceof FormData',
    to: 'body?.constructor?.name === "FormData"',
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
