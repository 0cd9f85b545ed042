/** Blocks: put one at a time, and made a blob by the list that names them. */
import type { Answer } from "../../core/service.js";
import type { StoredBlock } from "../../state/blob-content.js";
import { element, leaf, parseXml, xmlHead } from "../../common/xml.js";
import { findBlob, requireContainer, keepStaged, stagedIn, xmlType, type BlobCall } from "./blob-call.js";
import { md5Of, sizeOf, storeBytes } from "./content.js";
import { blobNotFound, invalidBlock, invalidBlockList, invalidQueryValue, invalidXmlDocument, tooManyBlocks } from "./errors.js";
import { sentSettings } from "./settings.js";
import { checkMd5, replaceBlob, requireReplaceable } from "./write-blob.js";

const mostUncommitted = 100_000;
const mostCommitted = 50_000;

export function putBlock(asked: BlobCall): Answer {
  const { query, body, headers, files } = asked;
  const container = requireContainer(asked);
  const id = query.get("blockid") ?? "";
  const length = Buffer.from(id, "base64").length;
  if (length === 0 || length > 64 || Buffer.from(id, "base64").toString("base64") !== id) {
    throw invalidQueryValue("blockid", id, "Not a valid base64 string.");
  }
  const md5 = md5Of(body);
  checkMd5(headers["content-md5"], md5);
  const staged = stagedIn(container, asked.blob) ?? [];
  // All names of a blob's blocks have one length.
  if (staged.some((block) => block.blockId.length !== id.length)) throw invalidBlock();
  const kept = staged.filter((block) => block.blockId !== id);
  if (kept.length >= mostUncommitted) throw tooManyBlocks();
  keepStaged(container, asked.blob, [...kept, { blockId: id, ...storeBytes(files, body) }]);
  const checked = headers["content-md5"] === undefined ? {} : { "content-md5": md5 };
  return { status: 201, headers: { ...checked, "x-ms-request-server-encrypted": "true" } };
}

export function putBlockList(asked: BlobCall): Answer {
  const { headers, body, blob: name } = asked;
  const wanted = readList(body.toString());
  const container = requireReplaceable(asked);
  checkMd5(headers["content-md5"], md5Of(body));
  const committed = findBlob(container, name)?.blocks ?? [];
  const staged = stagedIn(container, name) ?? [];
  const blocks = wanted.map(({ from, id }) => {
    const found = { Committed: [committed], Uncommitted: [staged], Latest: [staged, committed] }[from]
      .flat()
      .find((one) => one.blockId === id);
    if (found === undefined) throw invalidBlockList();
    return found;
  });
  const written = replaceBlob(asked, container, { blocks, ...sentSettings(headers, false) });
  return { status: 201, headers: { ...written, "x-ms-request-server-encrypted": "true" } };
}

interface Wanted {
  readonly from: "Committed" | "Uncommitted" | "Latest";
  readonly id: string;
}

function readList(text: string): Wanted[] {
  const root = parseXml(text);
  if (root?.name !== "BlockList") throw invalidXmlDocument();
  if (root.children.length > mostCommitted) throw invalidBlockList();
  return root.children.map(({ name, text: id }) => {
    if (name !== "Committed" && name !== "Uncommitted" && name !== "Latest") throw invalidXmlDocument();
    return { from: name, id: id.trim() };
  });
}

export function getBlockList(asked: BlobCall): Answer {
  const container = requireContainer(asked);
  const type = (asked.query.get("blocklisttype") ?? "committed").toLowerCase();
  if (!["committed", "uncommitted", "all"].includes(type)) throw invalidQueryValue("blocklisttype", type, "Not a type of block list.");
  const blob = findBlob(container, asked.blob);
  const staged = stagedIn(container, asked.blob);
  if (blob === undefined && staged === undefined) throw blobNotFound();
  const list = (name: string, blocks: readonly StoredBlock[]) =>
    element(
      name,
      blocks.map((block) => element("Block", [leaf("Name", block.blockId), leaf("Size", sizeOf(block))])),
    );
  return {
    status: 200,
    headers: {
      ...xmlType,
      ...(blob && { etag: blob.etag, "last-modified": blob.lastModifiedAt }),
      "x-ms-blob-content-length": String(blob ? sizeOf(blob) : 0),
    },
    body:
      xmlHead +
      element("BlockList", [
        type === "uncommitted" ? undefined : list("CommittedBlocks", blob?.blocks ?? []),
        type === "committed" ? undefined : list("UncommittedBlocks", staged ?? []),
      ]),
  };
}
