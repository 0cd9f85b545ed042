/** The emulator's blobs beside Azurite's: the same requests, the same answers, except for the differences that are listed with their reasons. */
import {
  AccountSASPermissions,
  AccountSASResourceTypes,
  AccountSASServices,
  generateAccountSASQueryParameters,
  StorageSharedKeyCredential,
} from "@azure/storage-blob";
import { expect, test } from "vitest";
import { parseXml, type XmlElement } from "../../../src/emulator/common/xml.js";
import { openAzurite, type RefereeReply } from "./azurite.js";
import { exchanges, knownDifferences, type Difference, type Exchange } from "./exchanges.js";
import { host, openStorage } from "./storage.js";

/** Of the connection, or new with every answer. */
const volatileHeaders = /^(date|server|connection|keep-alive|transfer-encoding|x-ms-request-id|x-ms-client-request-id)$/;
const versionHeaders = /^(etag|last-modified|x-ms-creation-time)$/;
const volatileElements = /\/(Etag|Last-Modified|Creation-Time|AccessTierChangeTime)$/;

type Reply = Pick<RefereeReply, "status" | "headers" | "text">;

/** What of an answer is compared, by name. */
function facts({ status, headers, text }: Reply): Map<string, string> {
  const found = new Map([["status", String(status)]]);
  for (const [name, value] of Object.entries(headers)) {
    if (volatileHeaders.test(name)) continue;
    // Whether they are sent is compared, not their values.
    found.set(`header:${name}`, versionHeaders.test(name) ? "present" : String(value));
  }
  const root = text.includes("<?xml") ? parseXml(text) : undefined;
  if (root === undefined) return found.set("body", text);
  found.delete("header:content-length");
  for (const [path, value] of leaves(root, root.name)) found.set(`body:${path}`, volatileElements.test(path) ? "present" : value);
  return found;
}

function leaves({ name, text, children }: XmlElement, path: string): [string, string][] {
  if (children.length === 0) return [[path, name === "Message" ? (text.split("\n")[0] ?? "") : text]];
  return children.flatMap((child) => {
    const alike = children.filter((one) => one.name === child.name);
    const place = alike.length > 1 ? `${child.name}[${alike.indexOf(child)}]` : child.name;
    return leaves(child, `${path}/${place}`);
  });
}

const covers = ({ exchange, of }: Difference, name: string, fact: string): boolean =>
  (exchange === undefined || exchange === name) && of.test(fact);

function accountSignature(key: string): string {
  const signature = generateAccountSASQueryParameters(
    {
      services: AccountSASServices.parse("b").toString(),
      resourceTypes: AccountSASResourceTypes.parse("sco").toString(),
      permissions: AccountSASPermissions.parse("rwdlacupt"),
      expiresOn: new Date(Date.now() + 3600_000),
      version: "2020-10-02",
    },
    new StorageSharedKeyCredential("demo", key),
  );
  return signature.toString();
}

test("answers as Azurite does, except for the differences that are listed", async () => {
  const { server, key } = await openStorage({ publicAccess: "None" });
  const azurite = await openAzurite(await key());
  const signature = accountSignature(await key());
  const targetOf = ({ target, by }: Exchange): string => {
    if (by === "nobody") return target;
    const signed = by === undefined ? signature : signature.replace(/sig=[^&]*/, "sig=AAAA");
    return `${target}${target.includes("?") ? "&" : "?"}${signed}`;
  };
  const emulator = async (target: string, sent: { method: string; headers: Record<string, string>; body?: string }): Promise<Reply> => {
    const { status, headers, body } = await server.call(host, target, sent);
    return { status, headers, text: typeof body === "string" ? body : JSON.stringify(body) };
  };
  await emulator(targetOf({ name: "", method: "DELETE", target: "/oidc?restype=container" }), { method: "DELETE", headers: {} });

  const different: string[] = [];
  const seen = new Set<Difference>();
  const etags = { ours: "", theirs: "" };
  for (const exchange of exchanges) {
    const ask = async (side: keyof typeof etags, send: typeof emulator): Promise<Map<string, string>> => {
      const headers = Object.entries({ "x-ms-version": "2021-12-02", ...exchange.headers });
      const reply = await send(targetOf(exchange), {
        method: exchange.method,
        headers: Object.fromEntries(headers.map(([name, value]) => [name, value.replace("{etag}", etags[side])])),
        ...(exchange.body !== undefined && { body: exchange.body }),
      });
      if (typeof reply.headers["etag"] === "string") etags[side] = reply.headers["etag"];
      return facts(reply);
    };
    const [ours, theirs] = [await ask("ours", emulator), await ask("theirs", azurite)];
    for (const fact of new Set([...ours.keys(), ...theirs.keys()])) {
      if (ours.get(fact) === theirs.get(fact)) continue;
      const known = knownDifferences.find((one) => covers(one, exchange.name, fact));
      if (known === undefined) different.push(`${exchange.name}: ${fact}: ${String(ours.get(fact))} | ${String(theirs.get(fact))}`);
      else seen.add(known);
    }
  }
  expect(different).toEqual([]);
  expect(knownDifferences.filter((one) => !seen.has(one))).toEqual([]);
});
