/** The text of `help ARO-NET-004`: what the code of an error means, and what to do. */
import { catalogue, type CatalogueEntry, type FailureCode } from "../errors/catalogue.js";
import { exitCodes, exitMeanings } from "../errors/exit-codes.js";
import { Failure } from "../errors/failure.js";
import { reasons } from "../errors/reasons.js";
import { wrapped } from "../render/wrapped.js";
import { adviceRenderer } from "../run/connection-flags.js";
import { didYouMean } from "../text/did-you-mean.js";
import { helpWidth } from "./built-help.js";

/** @throws ARO-USAGE-001 for a code that no error has */
export function errorHelp(given: string): string {
  const code = given.toUpperCase();
  if (!isKnown(code)) {
    throw new Failure("ARO-USAGE-001", `no error has the code "${given}"${didYouMean(code, Object.keys(catalogue))}`, {
      next: ["pass the code in brackets at the end of an error's first line"],
    });
  }
  const { title, next, nextToRead = [], azureCodes = [], exit }: CatalogueEntry = catalogue[code];
  const advice = [...next, ...nextToRead].map(adviceRenderer({}));
  return [
    ...hanging(`${code}: `, title),
    ...hanging("  because  ", reasons[code]),
    ...advice.flatMap((text) => hanging("  next     ", text)),
    ...hanging("  exit     ", `${String(exit)}: ${meaningOf(exit)}`),
    ...(azureCodes.length === 0 ? [] : hanging("  azure    ", azureCodes.join(", "))),
    `  page     docs/errors/${code.toLowerCase()}.md`,
    "",
  ].join("\n");
}

function isKnown(code: string): code is FailureCode {
  return Object.hasOwn(catalogue, code);
}

function hanging(head: string, text: string): string[] {
  const lines = wrapped(text, helpWidth - head.length);
  return lines.map((line, index) => `${index === 0 ? head : " ".repeat(head.length)}${line}`);
}

function meaningOf(exit: number): string {
  const [name] = Object.entries(exitCodes).find(([, code]) => code === exit) ?? [];
  return name === undefined ? "" : exitMeanings[name as keyof typeof exitCodes];
}
