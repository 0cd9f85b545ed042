/** Masks credentials in what is recorded: members of bodies by their names and hosts, and the signatures of shared URLs. */
import { isContainer } from "../state/plain-copy.js";
import type { ApiRequest } from "./service.js";

const mask = "***";
/** Of a kubeconfig, which is described as base64. */
const maskedBytes = Buffer.from(mask).toString("base64");

const secretHeaders = new Set([
  ...["authorization", "x-ms-authorization-auxiliary", "x-ms-copy-source-authorization", "x-ms-encryption-key"],
  ...["cookie", "set-cookie"],
]);

/** In lower case. Of Entra, of Graph, and of Resource Manager's clusters and extensions. */
const secretMembers = [
  ...["client_secret", "client_assertion", "assertion", "password", "access_token", "refresh_token", "id_token"],
  "secrettext",
  ...["secret", "clientsecret", "pullsecret", "adminpassword", "kubeadminpassword", "configurationprotectedsettings"],
];
/** What a vault stores, signs and decrypts, and the private members of a key (RFC 7518). */
const vaultMembers = [...secretMembers, "value", "pwd", "d", "p", "q", "dp", "dq", "qi", "k", "key_hsm"];
/** Of Resource Manager's answers to `listKeys`, `listClusterUserCredential` and their like, of secrets in vaults and of deployments' parameters. */
const valueMembers = [...secretMembers, "value", "token", "kubeconfig"];

/** `target` is a URL, or its path and query. */
export function maskUrl(target: string): string {
  return target.replace(/([?&]sig=)[^&#]*/gi, `$1${mask}`);
}

export function maskHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, secretHeaders.has(name.toLowerCase()) ? mask : maskUrl(value)]),
  );
}

/** The body of `request`, or of the answer to it. */
export function maskBody(request: ApiRequest, body: unknown): unknown {
  if (isVault(request) && !isRecord(body)) return hide(body);
  if (typeof body === "string" && request.query.get("comp") === "userdelegationkey") return body.replace(/(<Value>)[^<]*/g, `$1${mask}`);
  return maskMembers(body, new Set(secretMembersOf(request)), mask);
}

function secretMembersOf(request: ApiRequest): readonly string[] {
  if (isVault(request)) return vaultMembers;
  const isList = request.method === "POST" && /^list/i.test(request.path.at(-1) ?? "");
  return isList || request.path.some((segment) => /^(secrets|deployments)$/i.test(segment)) ? valueMembers : secretMembers;
}

function isVault({ host }: ApiRequest): boolean {
  return host.endsWith(".vault.azure.net") || host.endsWith(".managedhsm.azure.net");
}

function maskMembers(body: unknown, secret: ReadonlySet<string>, instead: string): unknown {
  if (Array.isArray(body)) return body.map((one) => maskMembers(one, secret, instead));
  if (typeof body === "string") return maskUrl(body);
  if (!isRecord(body)) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      if (!secret.has(name.toLowerCase())) return [name, maskMembers(value, secret, name === "kubeconfigs" ? maskedBytes : instead)];
      // A list has its entries in `value`: objects, whose own members decide.
      const hidden = (one: unknown) => (isRecord(one) ? maskMembers(one, secret, instead) : hide(one, instead));
      return [name, Array.isArray(value) ? value.map(hidden) : hide(value, instead)];
    }),
  );
}

/** The form stays. */
function hide(value: unknown, instead = mask): unknown {
  if (Array.isArray(value)) return value.map((one) => hide(one, instead));
  if (isRecord(value)) return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, hide(one, instead)]));
  return value === null || value === undefined ? value : instead;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return isContainer(value) && !Array.isArray(value);
}
