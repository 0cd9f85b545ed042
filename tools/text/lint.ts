/** Runs textlint over one document or TypeScript file with the rules of text-rules.yml. */
import { extname } from "node:path";
import { TextlintKernel } from "@textlint/kernel";
import { MarkdownProcessor } from "@textlint/textlint-plugin-markdown/lib/src/MarkdownProcessor.js";
import terminology from "textlint-rule-terminology";
import { lineRule } from "./line-rule.js";
import { openingRule } from "./opening-rule.js";
import { phraseRule, type Hit } from "./phrase-rule.js";
import type { RuleFile } from "./rule-file.js";
import { sentenceRule } from "./sentence-rule.js";
import { typescriptPlugin } from "./typescript-source.js";

export interface TextLinter {
  /** One line for each problem: file:line:column and the message. */
  readonly problems: (file: string, text: string) => Promise<readonly string[]>;
  /** Only the phrases. */
  readonly hits: (file: string, text: string) => Promise<readonly Hit[]>;
}

export function textLinter(rules: RuleFile): TextLinter {
  const kernel = new TextlintKernel();
  const plugins = [
    { pluginId: "markdown", plugin: { Processor: MarkdownProcessor } },
    { pluginId: "typescript", plugin: typescriptPlugin((file) => isUnder(rules.quotations, file)) },
  ];
  const style = [
    { ruleId: "sentences", rule: sentenceRule(rules.sentences.words) },
    { ruleId: "terms", rule: terminology, options: { defaultTerms: false, terms: rules.terms } },
  ];
  const width = { ruleId: "lines", rule: lineRule(rules.lines.columns) };
  const opening = { ruleId: "openings", rule: openingRule(rules.openings.characters) };
  const hasOpening = (file: string) => isUnder(rules.openings.files, file);
  const phrases = (hits: Hit[]) => ({ ruleId: "phrases", rule: phraseRule(rules.phrases, (hit) => hits.push(hit)) });

  return {
    problems: async (file, text) => {
      const ext = extname(file);
      const own = [phrases([]), ...style, ...(ext === ".md" ? [width] : []), ...(hasOpening(file) ? [opening] : [])];
      const { messages } = await kernel.lintText(text, { filePath: file, ext, plugins, rules: own });
      return messages.map(({ line, column, message }) => `${file}:${String(line)}:${String(column)} ${message}`);
    },
    hits: async (file, text) => {
      const hits: Hit[] = [];
      await kernel.lintText(text, { filePath: file, ext: extname(file), plugins, rules: [phrases(hits)] });
      return hits;
    },
  };
}

export function isUnder(folders: readonly string[], file: string): boolean {
  return folders.some((folder) => file === folder || file.startsWith(`${folder}/`));
}
