/** What mutation tests leave out: words for people, requests to Azure, and mutants that change nothing. */
import { declareValuePlugin, PluginKind } from "@stryker-mutator/api/plugin";
import { unchanging } from "./unchanging.js";

const ofMessages = new Set(["because", "next", "why", "title", "message", "line"]);
const composesText = /(?:Titles?|Reason|Flags)$|^(?:titlesOf|titleOf|unowned|waysToProve|retirementWhy|advise|shell|aroHcp|plural)$/;
/** Members of a step or removal that send requests. */
const sendsRequests = new Set(["read", "apply", "commands", "remove", "again"]);
/** It reads what it decides about. */
const readsAndDecides = new Set(["foreignParts"]);

function nameOf(node) {
  return node?.name ?? node?.value;
}

function isText({ node, key, listKey, parent }) {
  if (node.type === "ObjectProperty" && ofMessages.has(nameOf(node.key))) return true;
  if (node.type === "FunctionDeclaration" && composesText.test(node.id.name)) return true;
  if (node.type === "TaggedTemplateExpression") return composesText.test(nameOf(node.tag));
  if (node.type === "CallExpression" && composesText.test(nameOf(node.callee))) return true;
  // The first argument is the code.
  return listKey === "arguments" && key > 0 && /Failure$|^refuse$/.test(nameOf(parent.callee));
}

/** Types of the SDKs say that anything may be absent. Azure sends what these stand for. */
function isDefault({ node, key, parent }) {
  const isEmpty = (node.type === "StringLiteral" && node.value === "") || (node.type === "ArrayExpression" && node.elements.length === 0);
  return isEmpty && key === "right" && (parent.type === "AssignmentPattern" || parent.operator === "??");
}

function isRequest({ node, parent }) {
  const isMember = node.type === "ObjectMethod" || node.type === "ObjectProperty";
  if (isMember && sendsRequests.has(nameOf(node.key))) return true;
  if (node.async !== true) return false;
  const name = nameOf(node.id ?? parent.id);
  return !readsAndDecides.has(name) && node.params.some((one) => nameOf(one) === "azure");
}

/** As it was when it was entered: Stryker puts its mutants into what it leaves. */
const texts = new WeakMap();

/** On one line, in Babel's form. */
function textOf(path) {
  return path.toString().replace(/\s+/g, " ");
}

const leftOut = {
  shouldIgnore(path) {
    if (path.isExpression() || path.isReturnStatement() || path.isObjectProperty()) texts.set(path.node, textOf(path));
    if (isText(path)) return "words for people";
    if (isRequest(path)) return "sends requests";
    if (isDefault(path)) return "the default of what Azure always sends";
    return unchanging.get(`${texts.get(path.parent)} > ${texts.get(path.node)}`);
  },
};

export const strykerPlugins = [declareValuePlugin(PluginKind.Ignore, "left-out", leftOut)];
