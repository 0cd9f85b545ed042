/** A whole cluster, created once, and the actions of its pods: read a vault secret, sign in with it or with a service account token, call Azure. */
import { createHash, createPrivateKey, createPublicKey, randomUUID, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { TokenCredential } from "@azure/core-auth";
import {
  bearerTokenAuthenticationPolicy,
  createDefaultHttpClient,
  createEmptyPipeline,
  createHttpHeaders,
  createPipelineRequest,
} from "@azure/core-rest-pipeline";
import { ClientSecretCredential } from "@azure/identity";
import { SecretClient } from "@azure/keyvault-secrets";
import { SignJWT } from "jose";
import { openEmulator, wellKnown, type Emulator } from "../../../src/emulator/index.js";
import { sdkAccess } from "../../emulator/sdk-access.js";
import { testEmulator, type TestEmulator } from "../../harness/test-emulator.js";
import { exits } from "../../cli/expectations.js";
import type { ArmRequest } from "./identity-rights.js";
import { placePrivateKey, testKey } from "../../issuer/signing-keys.js";
import { demoIssuer } from "../../harness/demo-issuer.js";

export const issuer = demoIssuer;
export const armScope = "https://management.azure.com/.default";

/** The value of a credential secret, as HyperShift's loader reads it. */
export interface StoredCredential {
  readonly authentication_endpoint: string;
  readonly client_id: string;
  readonly tenant_id: string;
  readonly client_secret: string;
}

export interface AzureState {
  readonly azure: TestEmulator;
  readonly server: Emulator;
  /** For Azure's credentials and clients: the agent of the emulator, and a single try. */
  readonly options: ReturnType<typeof sdkAccess>["options"] & { readonly retryOptions: { readonly maxRetries: 0 } };
  /** The principal that created the cluster. */
  readonly owner: TokenCredential;
  /** Keyed by the names of managed-identities.json and data-plane-identities.json. */
  readonly managedIdentities: Record<string, { readonly clientID: string; readonly credentialsSecretName: string }>;
  readonly dataPlane: Record<string, string>;
  /** Reads a secret as the identity that mounts the secrets in the management cluster. */
  secret(name: string): Promise<StoredCredential>;
  /** The same, as stored in the vault. */
  secretText(name: string): Promise<string>;
  /** Calls Azure with this credential. */
  send(credential: TokenCredential, request: AzureRequest): Promise<{ readonly status: number; readonly code: string | undefined }>;
}

/** A Resource Manager URL, unless `url` is set. */
export type AzureRequest =
  | ArmRequest
  | {
      readonly method: string;
      readonly url: string;
      readonly scope: string;
      readonly body?: object;
      readonly headers?: Record<string, string>;
    };

const secretsReader = { appId: "00000000-0000-4000-8000-0000000000c1", servicePrincipalId: "00000000-0000-4000-8000-0000000000c2" };

/** Runs `create all` once, and connects to its resources. `atEnd` receives the cleanup after the last test. */
export async function wholeCluster(atEnd: (clean: () => Promise<void>) => void): Promise<AzureState> {
  const azure = await testEmulator({ atEnd });
  await azure.seed({ applications: [{ ...secretsReader, displayName: "secrets-reader", secret: "s3cret" }] });
  await placePrivateKey(azure.path("demo"), testKey());
  const flags = ["--cloud", "local", "--name", "demo", "--infra-id", "demo-x7k2", "--base-domain", "hcp.example.com"];
  const reader = ["--key-vault-reader-object-id", secretsReader.servicePrincipalId];
  exits(await azure.cli(["create", "all", ...flags, "--dns-zone-rg-name", "dns", "--output-dir", azure.path("demo"), ...reader]), 0);

  const server = await openEmulator({ directory: azure.directory, environment: {} });
  atEnd(() => server.close());
  const { credential: owner, options: access } = sdkAccess(server);
  const options = { ...access, retryOptions: { maxRetries: 0 as const } };
  const read = async (name: string) => JSON.parse(await readFile(azure.path(`demo/${name}.json`), "utf8")) as Record<string, never>;
  const { managedIdentitiesKeyVault: vault, ...managedIdentities } = await read("managed-identities");
  const { name: vaultName } = vault as unknown as { name: string };
  const asSecretsReader = new ClientSecretCredential(wellKnown.tenantId, secretsReader.appId, "s3cret", {
    ...options,
    disableInstanceDiscovery: true,
  });
  const secrets = new SecretClient(`https://${vaultName}.vault.azure.net`, asSecretsReader, options);
  const secretText = async (name: string) => (await secrets.getSecret(name)).value ?? "";
  return {
    ...{ azure, server, options, owner, managedIdentities },
    dataPlane: await read("data-plane-identities"),
    secret: async (name) => JSON.parse(await secretText(name)) as StoredCredential,
    secretText,
    send: (credential, request) => send(access.additionalPolicies[0]?.policy, credential, request),
  };
}

type Policy = ReturnType<typeof sdkAccess>["options"]["additionalPolicies"][number]["policy"];

async function send(policy: Policy | undefined, credential: TokenCredential, request: AzureRequest) {
  const pipeline = createEmptyPipeline();
  if (policy !== undefined) pipeline.addPolicy(policy);
  const scopes = "scope" in request ? request.scope : armScope;
  pipeline.addPolicy(bearerTokenAuthenticationPolicy({ credential, scopes }));
  const url = "url" in request ? request.url : `https://management.azure.com${request.id}?api-version=${request.apiVersion}`;
  const headers = createHttpHeaders({ "content-type": "application/json", ...("headers" in request && request.headers) });
  const { status, bodyAsText } = await pipeline.sendRequest(
    createDefaultHttpClient(),
    createPipelineRequest({ url, method: request.method as "GET", headers, ...(request.body && { body: JSON.stringify(request.body) }) }),
  );
  const body = JSON.parse(bodyAsText || "{}") as { error?: { code?: string } };
  return { status, code: body.error?.code };
}

/** Changes to a token before it is signed. */
export interface Changes {
  readonly claims?: Record<string, unknown>;
  readonly header?: Record<string, string>;
}

const seconds = (): number => Math.floor(Date.now() / 1000);

/** A token of the hosted cluster, valid for an hour, signed with the key that `create all` found or created. */
export async function serviceAccountToken({ azure }: AzureState, subject: string, { claims, header }: Changes = {}): Promise<string> {
  const privateKey = createPrivateKey(await readFile(azure.path("demo/serviceaccount-signer.private"), "utf8"));
  const der = createPublicKey(privateKey).export({ type: "spki", format: "der" });
  const kid = createHash("sha256").update(der).digest("base64url");
  const now = seconds();
  const all = { iss: issuer, sub: subject, aud: ["openshift"], jti: randomUUID(), iat: now, nbf: now, exp: now + 3600, ...claims };
  return new SignJWT(all).setProtectedHeader({ alg: "RS256", kid, ...header }).sign(privateKey);
}

/** The assertion that Azure's certificate credential signs and sends, built by hand so that it can be invalid. */
export async function certificateAssertion(secret: StoredCredential, { claims, header }: Changes = {}): Promise<string> {
  const pem = Buffer.from(secret.client_secret, "base64").toString();
  const x5t = createHash("sha256").update(new X509Certificate(pem).raw).digest("base64url");
  const now = seconds();
  const aud = `${secret.authentication_endpoint}${secret.tenant_id}/oauth2/v2.0/token`;
  const all = { aud, iss: secret.client_id, sub: secret.client_id, jti: randomUUID(), nbf: now, iat: now, exp: now + 600, ...claims };
  const key = createPrivateKey(pem.slice(pem.indexOf("-----BEGIN PRIVATE KEY-----")));
  return new SignJWT(all).setProtectedHeader({ alg: "PS256", typ: "JWT", "x5t#S256": x5t, ...header }).sign(key);
}

/** The same token with one flipped bit in its signature. */
export function tampered(token: string): string {
  const [header, claims, signature = ""] = token.split(".");
  const bytes = Buffer.from(signature, "base64url");
  bytes[0] = (bytes[0] ?? 0) ^ 1;
  return [header, claims, bytes.toString("base64url")].join(".");
}
