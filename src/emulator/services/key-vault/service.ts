/** `<vault>.vault.azure.net`: checks network rules and rights, and calls the handler of the route. */
import { acceptsVersion, versionOf } from "../../arm/api-versions.js";
import { callerOf, mayOnData } from "../../arm/authorization-check.js";
import { advance } from "../../arm/operations.js";
import { emulatedTypes } from "../../arm/types/index.js";
import { vaultNamed } from "../../arm/types/key-vaults/vaults.js";
import { ApiError, type Answer, type Asking, type Call, type Caller, type Service } from "../../core/service.js";
import type { VaultContent } from "../../state/vault-content.js";
import type { StoredResource, AzureState } from "../../state/state.js";
import { advanceCertificates, createCertificate, getPending } from "./certificate-creation.js";
import { certificateMaker, type CertificateMaker } from "./certificate-maker.js";
import { isPermitted, permissionFor } from "./access-policies.js";
import { authenticate } from "./challenge.js";
import { badParameter, notEmulated, forbidden } from "./errors.js";
import { keyFor, keyForCertificate } from "./key-material.js";
import { setIssuer } from "./issuers.js";
import { createKey } from "./keys.js";
import { routeFor, type Route } from "./routes.js";
import { newKey } from "./make-certificate.js";
import { namedIn, setNamed } from "../../common/named.js";
import type { ClockAndRandom } from "../../common/random.js";
import { BlockList, isIPv4 } from "node:net";
import type { VaultCall } from "./vault-call.js";

const suffix = ".vault.azure.net";

/** The SDKs send the first, az and older SDKs another one. */
const versions = [
  "2025-07-01",
  "7.6",
  "7.6-preview.2",
  "7.6-preview.1",
  "7.5",
  "7.5-preview.1",
  "7.4",
  "7.4-preview.1",
  "7.3",
  "7.2",
  "7.1",
  "7.0",
];

export const objectName = /^[0-9a-zA-Z-]{1,127}$/;

export function keyVaultService(clockAndRandom: ClockAndRandom): Service {
  const maker = certificateMaker(clockAndRandom);
  return {
    hosts: (host) => host.endsWith(suffix),
    identify,
    async prepare(request) {
      const routed = routeFor(request);
      if (!routed?.name) return undefined;
      // A read waits for a certificate whose time is over. A request that creates or polls is answered without it.
      const { handle } = routed.route;
      if (handle === createKey) return keyFor(request);
      if (handle === setIssuer) return newKey(2048);
      await maker.finished(routed.name.toLowerCase(), handle === createCertificate || handle === getPending);
      return handle === createCertificate ? keyForCertificate(request) : undefined;
    },
    handle: (call) => handle(call, maker),
  };
}

function identify(asking: Asking): Caller {
  advance({ ...asking, types: emulatedTypes });
  reachable(asking);
  return authenticate(asking, "https://vault.azure.net");
}

async function handle(call: Call, maker: CertificateMaker): Promise<Answer> {
  const vault = reachable(call);
  const caller = callerOf(call);
  const { request, state } = call;
  checkNetwork(state, vault, caller);
  const routed = routeFor(request);
  if (routed === undefined) throw notEmulated(`${request.method} https://${request.host}/${request.path.join("/")}`);
  checkVersion(call, "vault.azure.net");
  const { route, name, version } = routed;
  if (name !== "" && !objectName.test(name)) throw badParameter(`The request URI contains an invalid name: ${name}`);
  const content = contentOf(state, vault);
  const vaultCall = { call, vault, content, maker, name, version };
  authorize(vaultCall, caller, route);
  advanceCertificates([content], call.now, maker.take);
  return route.handle(vaultCall);
}

/** The name of a missing or unregistered vault does not resolve: a client behind a proxy sees 502. */
function reachable({ state, request }: Asking): StoredResource {
  const vault = vaultNamed(state, vaultOf(request.host));
  if (vault?.properties["provisioningState"] === "Succeeded") return vault;
  throw new ApiError(
    502,
    "HostNotResolved",
    `The host name '${request.host}' cannot be resolved: there is no such vault, or it is not ready.`,
  );
}

function vaultOf(host: string): string {
  return host.split(".")[0] ?? "";
}

function contentOf(state: AzureState, { name }: StoredResource): VaultContent {
  state.vaults ??= {};
  const key = name.toLowerCase();
  const content: VaultContent = namedIn(state.vaults, key) ?? { secrets: {}, certificates: {} };
  setNamed(state.vaults, key, content);
  return content;
}

/** @throws ApiError 400 */
export function checkVersion(call: Call, host: string): void {
  if (acceptsVersion(call, host, versions)) return;
  const version = versionOf(call.request);
  throw badParameter(
    version === ""
      ? "api-version must be specified"
      : `The specified version (${version}) is not recognized. Consider using the latest supported version (${versions[0] ?? ""}).`,
  );
}

/** From TEST-NET-3 (RFC 5737): nobody owns it. */
const clientAddress = "203.0.113.10";

/** @throws ApiError 403 ForbiddenByConnection or ForbiddenByFirewall. */
function checkNetwork({ tenantId }: AzureState, { name, location = "", properties }: StoredResource, { appId, objectId }: Caller): void {
  const description = `Caller: appid=${appId};oid=${objectId};iss=https://sts.windows.net/${tenantId}/\r\nVault: ${name};location=${location}`;
  if (properties["publicNetworkAccess"] === "Disabled") {
    throw forbidden(
      `Public network access is disabled and request is not from a trusted service nor via an approved private link.\r\n${description}`,
      "ForbiddenByConnection",
    );
  }
  const acls = properties["networkAcls"] as { defaultAction?: string; ipRules?: readonly { value: string }[] } | undefined;
  if (acls?.defaultAction !== "Deny" || isAdmitted(acls.ipRules ?? [])) return;
  throw forbidden(
    `Client address is not authorized and caller is not a trusted service.\r\nClient address: ${clientAddress}\r\n${description}`,
    "ForbiddenByFirewall",
  );
}

function isAdmitted(rules: readonly { readonly value: string }[]): boolean {
  const admitted = new BlockList();
  for (const { value } of rules) {
    const [address = "", bits = "32"] = value.split("/");
    if (isIPv4(address)) admitted.addSubnet(address, Number(bits));
  }
  return admitted.check(clientAddress);
}

const provider = "Microsoft.KeyVault/vaults";

/** By roles, or by access policies: a vault has either. @throws ApiError 403 ForbiddenByRbac or ForbiddenByPolicy. */
function authorize({ call, vault, name }: VaultCall, caller: Caller, route: Route): void {
  const { action } = route;
  const dataAction = `${provider}/${action}`;
  const [collection = ""] = action.split("/");
  const description = `appid=${caller.appId};oid=${caller.objectId};iss=https://sts.windows.net/${call.state.tenantId}/`;
  if (vault.properties["enableRbacAuthorization"] !== true) {
    const permission = permissionFor(route);
    if (isPermitted(vault, caller, permission)) return;
    throw forbidden(
      `The user, group or application '${description}' does not have ${permission.of} ${permission.to} permission on key vault ` +
        `'${vault.name};location=${vault.location ?? ""}'. For help resolving this issue, please see https://go.microsoft.com/fwlink/?linkid=2125287`,
      "ForbiddenByPolicy",
    );
  }
  const scope = name === "" ? vault.id : `${vault.id}/${collection}/${name}`;
  if (mayOnData(call, caller.objectId, dataAction, scope)) return;
  throw forbidden(
    [
      "Caller is not authorized to perform action on resource.",
      "If role assignments, deny assignments or role definitions were changed recently, please observe propagation time.",
      `Caller: ${description}`,
      `Action: '${dataAction}'`,
      `Resource: '${scope.toLowerCase()}'`,
      "Assignment: (not found)",
      "DenyAssignmentId: null",
      "DecisionReason: null ",
      `Vault: ${vault.name};location=${vault.location ?? ""}`,
      "",
    ].join("\r\n"),
    "ForbiddenByRbac",
  );
}
