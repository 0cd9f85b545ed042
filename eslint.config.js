/** Lint rules: the typed ones that matter in asynchronous code, and the house rules that a machine can hold. */
import { readFileSync } from "node:fs";
import { defineConfig } from "eslint/config";
import tseslint from "typescript-eslint";
import { parse } from "yaml";
import { countedNouns } from "./tools/text/counted-nouns.js";

const noDefaultExport = { selector: "ExportDefaultDeclaration", message: "export by name" };
const ofTime = [
  "MemberExpression[object.name='Date'][property.name='now']",
  "NewExpression[callee.name='Date'][arguments.length=0]",
  "CallExpression[callee.name='Date']",
  "MemberExpression[object.name='performance'][property.name='now']",
  "MemberExpression[object.name='AbortSignal'][property.name='timeout']",
  "ImportDeclaration[source.value=/^(node:)?timers\\b/]",
  "Identifier[name=/^set(Timeout|Interval|Immediate)$/]",
].map((selector) => ({ selector, message: "take the time from the clock that is passed in" }));
const ofChance = [
  "MemberExpression[object.name='Math'][property.name='random']",
  "Identifier[name=/^(random(Bytes|UUID|Int|Fill|FillSync)|getRandomValues)$/]",
].map((selector) => ({ selector, message: "take random values from the Random that is passed in" }));
const ofTimeAndChance = [...ofTime, ...ofChance];
/** They are the clocks and the sources of random values, or choose names of files on a disk, which no other file and no output contains. */
const exceptFrom = [
  "src/{azure,emulator/common}/{clock,random}.ts",
  "src/files/write.ts",
  "src/emulator/state/{content-files,epochs,files}.ts",
];
const adviceInProse = ["Literal[value=/`(aro-hcp|az) /]", "TemplateElement[value.cooked=/`(aro-hcp|az) /]"].map((selector) => ({
  selector,
  message: "a command in advice is data: src/errors/advice.ts",
}));

const timesInProse = {
  selector: "TemplateLiteral CallExpression[callee.property.name='toISOString']",
  message: "people read whole seconds: rfc3339 of src/text",
};

const ofTags = [
  "MemberExpression[computed=true][property.name=/(?:Tag|Mark)$/]",
  "MemberExpression[computed=true][object.name='tags']",
  "MemberExpression[computed=true][object.property.name='tags']",
].map((selector) => ({ selector, message: "Azure compares the names of tags case-insensitively: tagValue of src/domain/tags.ts" }));

const recursiveMkdir = {
  selector: "CallExpression[callee.name=/^mkdir(Sync)?$/] Property[key.name='recursive']",
  message: "it never returns below /proc: createDirectory of src/files or src/emulator/state",
};

const growing = "resources|roleAssignments|operations|applications|deletedApplications";
const searches = ["name", "property.name"].map((named) => ({
  selector: `CallExpression[callee.object.name='Object'][callee.property.name=/^(keys|values|entries)$/][arguments.0.${named}=/^(${growing})$/]`,
  message: "find it through an index: a request must not cost more the more there is",
}));

const throughThePort = "take what is needed from ProcessPort, so that a test can pass its own";
/** A dead run of a simulation must not change a file. The lines that `append-file.ts` writes are those of one run, as they come. */
const fileChanges = [
  "appendFile",
  "chmod",
  "copyFile",
  "cp",
  "link",
  "mkdir",
  "mkdtemp",
  "rename",
  "rm",
  "rmdir",
  "symlink",
  "truncate",
  "unlink",
  "utimes",
  "writeFile",
].flatMap((name) => [name, `${name}Sync`]);
const throughTheGate = "change files with src/files/disk.ts";

const { notYetSwept, quotations } = parse(readFileSync("text-rules.yml", "utf8"));

export default defineConfig(
  {
    files: ["{src,test,tools}/**/*.ts"],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { project: "./tsconfig.json", tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "@typescript-eslint/consistent-type-imports": ["error", { fixStyle: "inline-type-imports" }],
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", caughtErrors: "none", ignoreRestSiblings: true }],
      // An interface may ask for a promise where this implementation has nothing to wait for.
      "@typescript-eslint/require-await": "off",
      // Our objects are closures without `this`: their methods can be passed on.
      "@typescript-eslint/unbound-method": "off",
      eqeqeq: "error",
      "no-restricted-syntax": ["error", noDefaultExport],
    },
  },
  {
    files: ["src/**/*.ts"],
    rules: { "max-lines": ["error", { max: 300 }], "no-console": "error" },
  },
  // A table is as long as what it lists.
  {
    files: ["src/domain/resource-types.ts", "src/emulator/arm/built-in-roles.ts", "src/**/*options.ts", "src/**/commands.ts"],
    rules: { "max-lines": "off" },
  },
  // Of several entries for a file, ESLint takes only the last value of a rule.
  {
    files: ["src/**/*.ts"],
    rules: {
      "no-restricted-syntax": ["error", noDefaultExport, recursiveMkdir, ...ofTimeAndChance, ...adviceInProse, timesInProse, ...ofTags],
    },
  },
  {
    files: ["src/settings/**/*.ts", "src/emulator/**/*.ts", "src/errors/exit-codes.ts"],
    rules: { "no-restricted-syntax": ["error", noDefaultExport, recursiveMkdir, ...ofTimeAndChance] },
  },
  {
    files: ["src/emulator/**/*.ts"],
    // They answer with all there is.
    ignores: ["src/emulator/state/snapshot.ts", "src/emulator/arm/indexes.ts", "src/emulator/services/graph/objects.ts"],
    rules: { "no-restricted-syntax": ["error", noDefaultExport, recursiveMkdir, ...ofTimeAndChance, ...searches] },
  },
  {
    files: exceptFrom,
    rules: { "no-restricted-syntax": ["error", noDefaultExport, recursiveMkdir, ...adviceInProse, timesInProse, ...ofTags] },
  },
  {
    files: ["src/**/*.ts"],
    ignores: ["src/run/process-port.ts", "src/emulator/**"],
    rules: {
      "no-restricted-globals": ["error", { name: "process", message: throughThePort }],
      "no-restricted-imports": [
        "error",
        {
          paths: [
            { name: "process", message: throughThePort },
            { name: "node:process", message: throughThePort },
            { name: "node:os", importNames: ["homedir"], message: throughThePort },
            ...["node:fs", "node:fs/promises"].map((name) => ({ name, importNames: fileChanges, message: throughTheGate })),
            { name: "write-file-atomic", message: throughTheGate },
          ],
        },
      ],
    },
  },
  { files: ["src/files/disk.ts"], rules: { "no-restricted-imports": "off" } },
  {
    files: ["test/**/*.ts"],
    // Answers of other programs are read in tests as what they should be; a wrong shape fails the test.
    rules: {
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
    },
  },
  {
    files: ["{src,tools}/**/*.ts"],
    ignores: [...notYetSwept, ...quotations].flatMap((path) => [path, `${path}/**`]),
    plugins: { text: { rules: { "counted-nouns": countedNouns } } },
    rules: { "text/counted-nouns": "error" },
  },
);
