/** `LOCATION.oic.prod-aks.azure.com`: the documents of the token issuers of AKS clusters, which anybody may read. */
import { createHash, createPrivateKey, createPublicKey } from "node:crypto";
import { advance } from "../../arm/operations.js";
import { emulatedTypes } from "../../arm/types/index.js";
import { recordOf } from "../../arm/types/container-service/cluster-state.js";
import { ApiError, type ApiRequest, type Answer, type Call, type Service } from "../../core/service.js";
import { indexOf } from "../../state/index-of.js";
import { namedIn, setNamed } from "../../common/named.js";
import type { AzureState, StoredResource } from "../../state/state.js";
import { newKey } from "../key-vault/make-certificate.js";

const suffix = ".oic.prod-aks.azure.com";
const discoveryPath = ".well-known/openid-configuration";
const keysPath = "openid/v1/jwks";

export const aksIssuerService: Service = {
  hosts: (host) => host.endsWith(suffix),
  async handle(call) {
    advance({ ...call, types: emulatedTypes });
    const { request, state } = call;
    const issuer = issuerIn(request);
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (!isRead || !isServed(state, issuer)) throw notFound();
    const path = pathIn(request);
    if (path === discoveryPath) return { ...answered(call), body: discovery(issuer) };
    if (path === keysPath) return { ...answered(call), body: { keys: [publicKey(await keyOf(call, issuer))] } };
    throw notFound();
  },
};

/** "https://eastus.oic.prod-aks.azure.com/TENANT/GUID/", as a cluster answers it. */
function issuerIn({ host, path: [tenant = "", id = ""] }: ApiRequest): string {
  return `https://${host}/${tenant}/${id}/`;
}

function pathIn({ path }: ApiRequest): string {
  return path.slice(2).join("/");
}

/** AKS clusters, by the URL of their issuer. */
const resourcesByIssuer = indexOf<StoredResource>((one) => {
  if (one.type !== "Microsoft.ContainerService/managedClusters") return [];
  const { issuerURL } = recordOf(one).oidcIssuerProfile;
  return issuerURL === undefined ? [] : [issuerURL];
});

/** Until its creation has ended, a cluster has no issuer. */
function isServed(state: AzureState, issuer: string): boolean {
  return resourcesByIssuer.find(state.resources, issuer).some(({ properties }) => properties["provisioningState"] !== "Creating");
}

function answered(call: Call): Answer {
  return { status: 200, headers: { "cache-control": "public, max-age=3600" }, takes: call.sample("read") };
}

function discovery(issuer: string): object {
  return {
    issuer,
    jwks_uri: `${issuer}${keysPath}`,
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
  };
}

/** PKCS#8 PEM, made when it is first read. */
async function keyOf({ state }: Call, issuer: string): Promise<string> {
  state.issuerKeys ??= {};
  const keys = state.issuerKeys;
  const key = namedIn(keys, issuer) ?? (await newKey(2048));
  setNamed(keys, issuer, key);
  return key;
}

function publicKey(pem: string): object {
  const key = createPublicKey(createPrivateKey(pem));
  const { n, e } = key.export({ format: "jwk" });
  const kid = createHash("sha256")
    .update(key.export({ type: "spki", format: "der" }))
    .digest("base64url");
  return { use: "sig", kty: "RSA", kid, alg: "RS256", n, e };
}

function notFound(): ApiError {
  return new ApiError(404, "NotFound", "The issuer was not found.");
}
