/** Containers over the data plane, stored as the same resources that ARM has. */
import { removeTree } from "../../arm/removal.js";
import { keyOf } from "../../arm/resource-id.js";
import { containerContent } from "../../arm/types/storage/blob-containers.js";
import { containerType } from "../../arm/types/storage/account-body.js";
import type { Answer } from "../../core/service.js";
import { childOf, element, leaf, parseXml, xmlHead, type XmlElement } from "../../common/xml.js";
import {
  containerHeaders,
  containerId,
  findContainer,
  leaseHeaders,
  newEtag,
  requireContainer,
  signedIdentifiersOf,
  xmlType,
  type BlobCall,
  type SignedIdentifier,
} from "./blob-call.js";
import { checkWrite } from "./conditions.js";
import {
  containerAlreadyExists,
  invalidHeaderValue,
  invalidResourceName,
  invalidXmlDocument,
  invalidXmlNodeValue,
  nameOutOfRange,
  notEmulated,
  publicAccessNotPermitted,
} from "./errors.js";
import { metadataHeaders, sentMetadata } from "./settings.js";

export function createContainer(asked: BlobCall): Answer {
  const { headers, container } = asked;
  if (container.length < 3 || container.length > 63) throw nameOutOfRange();
  if (!/^(?!.*--)[a-z0-9][a-z0-9-]*[a-z0-9]$/.test(container)) throw invalidResourceName();
  const scope = headers["x-ms-default-encryption-scope"];
  if (scope !== undefined && scope !== "$account-encryption-key") throw notEmulated(`The encryption scope ${scope}`);
  const publicAccess = publicAccessSent(asked);
  if (findContainer(asked) !== undefined) throw containerAlreadyExists();
  return { status: 201, headers: write(asked, { publicAccess, metadata: sentMetadata(headers) }) };
}

export function getContainerProperties(asked: BlobCall): Answer {
  const container = requireContainer(asked);
  const { publicAccess, metadata } = container.properties;
  const general = {
    ...leaseHeaders,
    "x-ms-has-immutability-policy": "false",
    "x-ms-has-legal-hold": "false",
    "x-ms-immutable-storage-with-versioning-enabled": "false",
    "x-ms-default-encryption-scope": "$account-encryption-key",
    "x-ms-deny-encryption-scope-override": "false",
    ...accessHeader(publicAccess),
  };
  const headers = { ...containerHeaders(container), ...metadataHeaders(metadata as Record<string, string> | undefined) };
  return { status: 200, headers: asked.query.get("comp") === null ? { ...headers, ...general } : headers };
}

export function deleteContainer(asked: BlobCall): Answer {
  checkConditions(asked);
  removeTree(asked.call.state, containerId(asked.account, asked.container));
  return { status: 202 };
}

export function setContainerMetadata(asked: BlobCall): Answer {
  checkConditions(asked);
  return { status: 200, headers: write(asked, { metadata: sentMetadata(asked.headers) }) };
}

export function getContainerAcl(asked: BlobCall): Answer {
  const container = requireContainer(asked);
  const identifiers = signedIdentifiersOf(container).map(({ id, start, expiry, permission }) =>
    element("SignedIdentifier", [
      leaf("Id", id),
      element("AccessPolicy", [
        start === "" ? undefined : leaf("Start", start),
        expiry === "" ? undefined : leaf("Expiry", expiry),
        permission === "" ? undefined : leaf("Permission", permission),
      ]),
    ]),
  );
  return {
    status: 200,
    headers: { ...containerHeaders(container), ...accessHeader(container.properties["publicAccess"]), ...xmlType },
    body: xmlHead + element("SignedIdentifiers", identifiers),
  };
}

export function setContainerAcl(asked: BlobCall): Answer {
  const publicAccess = publicAccessSent(asked);
  const signedIdentifiers = asked.body.length === 0 ? [] : readIdentifiers(asked.body.toString());
  checkConditions(asked);
  return { status: 200, headers: write(asked, { publicAccess, signedIdentifiers }) };
}

/** The service knows only conditions by time here. */
function checkConditions(asked: BlobCall): void {
  const { properties, etag = "" } = requireContainer(asked);
  checkWrite(asked.headers, { etag, lastModifiedAt: new Date(Number(properties["lastModifiedAt"])).toUTCString() });
}

/** Returns the headers that tell the container's new version. */
function write({ call, account, container: name }: BlobCall, changed: Readonly<Record<string, unknown>>): Record<string, string> {
  const id = containerId(account, name);
  const existing = call.state.resources[keyOf(id)];
  const { signedIdentifiers, ...properties } = { ...existing?.properties, ...changed } as Record<string, unknown>;
  const kept = Array.isArray(signedIdentifiers) && signedIdentifiers.length > 0 ? { signedIdentifiers: signedIdentifiers as unknown } : {};
  const resource = {
    id,
    name,
    type: containerType,
    etag: newEtag(call),
    properties: containerContent(call.now, { ...properties, ...kept }),
  };
  call.state.resources[keyOf(id)] = resource;
  return containerHeaders(resource);
}

/** @throws ApiError 409 for public access that the account does not permit */
function publicAccessSent({ headers, account }: BlobCall): string {
  const sent = headers["x-ms-blob-public-access"];
  if (sent === undefined || sent === "") return "None";
  if (sent !== "blob" && sent !== "container") throw invalidHeaderValue("x-ms-blob-public-access", sent);
  if (account.properties["allowBlobPublicAccess"] !== true) throw publicAccessNotPermitted();
  return sent === "blob" ? "Blob" : "Container";
}

function accessHeader(access: unknown): Record<string, string> {
  return access === "Blob" || access === "Container" ? { "x-ms-blob-public-access": access.toLowerCase() } : {};
}

/** As many stored access policies as a container may have. */
const mostIdentifiers = 5;

function readIdentifiers(text: string): SignedIdentifier[] {
  const root = parseXml(text);
  if (root?.name !== "SignedIdentifiers" || root.children.length > mostIdentifiers) throw invalidXmlDocument();
  return root.children.map((identifier) => {
    const id = childOf(identifier, "Id")?.text ?? "";
    if (id.length === 0 || id.length > 64) throw invalidXmlNodeValue("Id", id);
    const policy = childOf(identifier, "AccessPolicy");
    return { id, start: timeOf(policy, "Start"), expiry: timeOf(policy, "Expiry"), permission: textOf(policy, "Permission") };
  });
}

function textOf(parent: XmlElement | undefined, name: string): string {
  return (parent && childOf(parent, name)?.text) ?? "";
}

function timeOf(policy: XmlElement | undefined, name: string): string {
  const text = textOf(policy, name);
  if (text !== "" && Number.isNaN(Date.parse(text))) throw invalidXmlNodeValue(name, text);
  return text;
}
