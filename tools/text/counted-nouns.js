/** The ESLint rule on counted nouns: `${count} resources` may print "1 resources"; `plural(count, "resource")` cannot. */
import ts from "typescript";

const notNouns = new Set(["as", "has", "is", "its", "ms", "this", "was"]);

export const countedNouns = {
  meta: {
    type: "problem",
    schema: [],
    messages: { plural: 'use plural(count, "{{noun}}") of src/text/plural.ts' },
  },
  create(context) {
    const services = context.sourceCode.parserServices;
    const isNumber = (expression) => (services.getTypeAtLocation(expression).flags & ts.TypeFlags.NumberLike) !== 0;
    const withoutString = (expression) =>
      expression.type === "CallExpression" && expression.callee.name === "String" ? (expression.arguments[0] ?? expression) : expression;
    return {
      TemplateLiteral(node) {
        node.expressions.forEach((expression, index) => {
          const after = node.quasis[index + 1]?.value.cooked ?? "";
          const noun = /^ (?:(?!of )[a-z-]+ ){0,2}?([a-z-]+s|[a-z-]+\(s\))(?![a-z])/.exec(after)?.[1];
          if (noun !== undefined && !notNouns.has(noun) && isNumber(withoutString(expression))) {
            context.report({ node: expression, messageId: "plural", data: { noun: noun.replace(/s$|\(s\)$/, "") } });
          }
        });
      },
    };
  },
};
