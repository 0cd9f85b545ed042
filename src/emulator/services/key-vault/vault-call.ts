/** A call to one vault: how its handlers read the body, and answer with an object, a page or a write. */
import type { z } from "zod";
import { schemaProblems } from "../../common/schema-problems.js";
import { versionOf } from "../../arm/api-versions.js";
import type { Answer, Call } from "../../core/service.js";
import type { VaultContent } from "../../state/vault-content.js";
import type { StoredResource } from "../../state/state.js";
import type { CertificateMaker } from "./certificate-maker.js";
import { badParameter } from "./errors.js";
import { logOperation } from "../../state/operation-log.js";

export interface VaultCall {
  readonly call: Call;
  readonly vault: StoredResource;
  readonly content: VaultContent;
  readonly maker: CertificateMaker;
  /** The name of the secret or certificate; empty for lists. */
  readonly name: string;
  /** As in the path; absent for the current version. */
  readonly version: string | undefined;
}

export type Handler = (vaultCall: VaultCall) => Answer | Promise<Answer>;

/** `https://demo.vault.azure.net/secrets/a/0123...` */
export function urlOf({ call }: VaultCall, ...segments: readonly string[]): string {
  return `https://${call.request.host}/${segments.join("/")}`;
}

/** The answer to a read. */
export function found({ call }: VaultCall, body: unknown): Answer {
  return { status: 200, body, takes: call.sample("read") };
}

/** The answer to a write, which is added to the operation log. */
export function written(vaultCall: VaultCall, status: number, body: unknown, latency: string): Answer {
  const { call } = vaultCall;
  const seconds = call.sample(latency);
  const resource = `https://${call.request.host}/${call.request.path.join("/")}`;
  logOperation(call.state, { resource, verb: call.request.method, seconds });
  return { status, ...(body === undefined ? {} : { body }), takes: seconds };
}

/** Reads the body strictly: an unknown member is refused by name. */
export function readBody<T>({ call }: VaultCall, schema: z.ZodType<T>): T {
  const read = schema.safeParse(call.request.body ?? {});
  if (read.success) return read.data;
  throw badParameter(schemaProblems(read.error));
}

/** In recordings, these versions answer members that no API description has. Of later ones there is no recording. */
export function hasUndescribedMembers({ call }: VaultCall): boolean {
  return /^7\.[0-5](-|$)/.test(versionOf(call.request));
}

export function newVersion({ call }: VaultCall): string {
  return call.uuid().replaceAll("-", "");
}

export function epochSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}

/** The lists of a vault: at most 25 entries on a page, and a link to the next page. */
const largestPage = 25;

export function listed(vaultCall: VaultCall, entries: readonly unknown[]): Answer {
  const { request } = vaultCall.call;
  const size = Number(request.query.get("maxresults") ?? largestPage);
  if (!Number.isInteger(size) || size < 1 || size > largestPage) {
    throw badParameter(`maxresults must be between 1 and ${String(largestPage)}.`);
  }
  const from = Number(request.query.get("$skiptoken") ?? "0");
  const next = new URLSearchParams(request.query);
  next.set("$skiptoken", String(from + size));
  const nextLink = `https://${request.host}/${request.path.map(encodeURIComponent).join("/")}?${next.toString()}`;
  const more = from + size < entries.length;
  const last = hasUndescribedMembers(vaultCall) ? { nextLink: null } : {};
  return found(vaultCall, { value: entries.slice(from, from + size), ...(more ? { nextLink } : last) });
}
