/** The package has no types of its own. */
declare module "textlint-rule-terminology" {
  import type { TextlintFixableRuleModule } from "@textlint/types";
  const rule: TextlintFixableRuleModule;
  // eslint-disable-next-line no-restricted-syntax -- the package exports so
  export default rule;
}
