/** Every operation of the blob service that is emulated: how it is asked for, and what it takes to be allowed it. */
import { listBlobs, listContainers } from "./lists.js";
import { getBlockList, putBlock, putBlockList } from "./blocks.js";
import {
  createContainer,
  deleteContainer,
  getContainerAcl,
  getContainerProperties,
  setContainerAcl,
  setContainerMetadata,
} from "./containers.js";
import { getBlob, getBlobMetadata, getBlobTags } from "./read-blob.js";
import { getAccountInformation, getServiceProperties, getUserDelegationKey, setServiceProperties } from "./blob-service.js";
import type { Operation } from "./operation.js";
import { deleteBlob, putBlob, setBlobMetadata, setBlobProperties, setBlobTags, setBlobTier } from "./write-blob.js";

const read = ["GET", "HEAD"];
const lists = ["prefix", "marker", "maxresults", "include", "delimiter"];
const blobHeaders = ["type", "encoding", "language", "disposition", "md5"]
  .map((name) => `blob-content-${name}`)
  .concat("blob-cache-control");

const service = { level: "service", accountOnly: true, onData: false, writes: false } as const;
const container = { level: "container", accountOnly: true, onData: false, writes: false } as const;
const blobRead = { level: "blob", methods: read, right: "containers/blobs/read", onData: true, signed: "r", writes: false } as const;
const blobWrite = { level: "blob", methods: ["PUT"], right: "containers/blobs/write", onData: true, signed: "w", writes: true } as const;

export const operations: readonly Operation[] = [
  { ...service, methods: ["GET"], comp: "list", handle: listContainers, right: "containers/read", signed: "l", query: lists },
  { ...service, methods: ["GET"], comp: "properties", restype: "service", handle: getServiceProperties, right: "read", signed: "r" },
  {
    ...service,
    methods: ["PUT"],
    comp: "properties",
    restype: "service",
    handle: setServiceProperties,
    right: "write",
    signed: "w",
    writes: true,
  },
  {
    ...service,
    methods: ["POST"],
    comp: "userdelegationkey",
    restype: "service",
    handle: getUserDelegationKey,
    right: "generateUserDelegationKey/action",
    signed: "",
  },
  { ...service, methods: read, comp: "properties", restype: "account", handle: getAccountInformation, right: "read", signed: "rwdlacup" },
  {
    ...container,
    methods: ["PUT"],
    comp: "",
    handle: createContainer,
    right: "containers/write",
    signed: "cw",
    writes: true,
    headers: ["meta-", "blob-public-access", "default-encryption-scope", "deny-encryption-scope-override"],
  },
  {
    ...container,
    methods: read,
    comp: "",
    handle: getContainerProperties,
    right: "containers/read",
    signed: "r",
    publicIn: "Container",
  },
  { ...container, methods: ["DELETE"], comp: "", handle: deleteContainer, right: "containers/delete", signed: "d", writes: true },
  {
    ...container,
    methods: read,
    comp: "metadata",
    handle: getContainerProperties,
    right: "containers/read",
    signed: "r",
    publicIn: "Container",
  },
  {
    ...container,
    methods: ["PUT"],
    comp: "metadata",
    handle: setContainerMetadata,
    right: "containers/write",
    signed: "w",
    writes: true,
    headers: ["meta-"],
  },
  { ...container, methods: read, comp: "acl", handle: getContainerAcl, right: "containers/read", signed: "" },
  {
    ...container,
    methods: ["PUT"],
    comp: "acl",
    handle: setContainerAcl,
    right: "containers/write",
    signed: "",
    writes: true,
    headers: ["blob-public-access"],
  },
  {
    level: "container",
    methods: ["GET"],
    comp: "list",
    handle: listBlobs,
    right: "containers/blobs/read",
    onData: true,
    signed: "l",
    publicIn: "Container",
    writes: false,
    query: lists,
  },
  { ...blobRead, comp: "", handle: getBlob, publicIn: "Blob", headers: ["range", "range-get-content-md5"] },
  { ...blobRead, comp: "metadata", handle: getBlobMetadata, publicIn: "Blob" },
  { ...blobRead, comp: "tags", handle: getBlobTags, right: "containers/blobs/tags/read", signed: "t" },
  { ...blobRead, methods: ["GET"], comp: "blocklist", handle: getBlockList, publicIn: "Blob", query: ["blocklisttype"] },
  {
    ...blobWrite,
    comp: "",
    handle: putBlob,
    signed: "cw",
    replaces: true,
    headers: [...blobHeaders, "blob-type", "meta-", "tags", "access-tier"],
  },
  { ...blobWrite, comp: "block", handle: putBlock, signed: "cw", headers: ["blob-type"], query: ["blockid"] },
  {
    ...blobWrite,
    comp: "blocklist",
    handle: putBlockList,
    signed: "cw",
    replaces: true,
    headers: [...blobHeaders, "meta-", "tags", "access-tier"],
  },
  { ...blobWrite, comp: "properties", handle: setBlobProperties, headers: blobHeaders },
  { ...blobWrite, comp: "metadata", handle: setBlobMetadata, headers: ["meta-"] },
  { ...blobWrite, comp: "tags", handle: setBlobTags, right: "containers/blobs/tags/write", signed: "t" },
  { ...blobWrite, comp: "tier", handle: setBlobTier, headers: ["access-tier", "rehydrate-priority"] },
  {
    ...blobWrite,
    methods: ["DELETE"],
    comp: "",
    handle: deleteBlob,
    right: "containers/blobs/delete",
    signed: "d",
    headers: ["delete-snapshots"],
  },
];
