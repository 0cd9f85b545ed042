/** What OpenShift's ccoctl does in Azure: its requests one after the other, again when everything exists, and to delete everything. */
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { SignJWT } from "jose";
import { expect, test } from "vitest";
import { wellKnown } from "../../src/emulator/index.js";
import { jwkOf } from "../../src/oidc/signing-key.js";
import { openLocalServer, recording, tokenRequest, type LocalServer } from "../emulator/local-server.js";
import { ccoctl, type CredentialsRequest } from "./ccoctl.js";

const name = "ccotest";
const issuer = `https://${name}.blob.core.windows.net/${name}`;

const requests: readonly CredentialsRequest[] = [
  { namespace: "openshift-ingress-operator", secret: "cloud-credentials", serviceAccounts: ["ingress-operator"], roles: ["Contributor"] },
  {
    namespace: "openshift-image-registry",
    secret: "installer-cloud-credentials",
    serviceAccounts: ["cluster-image-registry-operator", "registry"],
    roles: [],
    permissions: ["Microsoft.Storage/storageAccounts/read", "Microsoft.Storage/storageAccounts/listkeys/action"],
  },
];

/** As `create-key-pair` and `create-oidc-issuer` write them. */
function documentsOf(publicKey: KeyObject) {
  const key = jwkOf(publicKey.export({ type: "spki", format: "pem" }).toString(), "the test");
  const configuration = {
    issuer,
    jwks_uri: `${issuer}/openid/v1/jwks`,
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
  };
  return { kid: key.kid, configuration: JSON.stringify(configuration), jwks: JSON.stringify({ keys: [key] }) };
}

/** Exchanges the token of a pod for one of an identity. */
async function exchanged(server: LocalServer, clientId: string, key: KeyObject, kid: string, subject: string): Promise<number> {
  const assertion = await new SignJWT({})
    .setProtectedHeader({ alg: "RS256", kid })
    .setIssuer(issuer)
    .setSubject(subject)
    .setAudience("openshift")
    .setIssuedAt()
    .setExpirationTime("10m")
    .sign(key);
  const form = tokenRequest(server, {
    client_id: clientId,
    client_secret: undefined,
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion: assertion,
  });
  return (await server.call("login.microsoftonline.com", `/${wellKnown.tenantId}/oauth2/v2.0/token`, form)).status;
}

const oidc = `resourceGroups/${name}-oidc`;
const identity = (request: CredentialsRequest | undefined) =>
  `${oidc}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}-${request?.namespace ?? ""}-${request?.secret ?? ""}`;
const [ingress, registry] = [identity(requests[0]), identity(requests[1])];
const custom = `${name}-openshift-image-registry-installer-cloud-credentials`;
const roles = "providers/Microsoft.Authorization/roleDefinitions";
const assignments = "providers/Microsoft.Authorization/roleAssignments";
const account = `${oidc}/providers/Microsoft.Storage/storageAccounts/${name}`;

test("ccoctl creates an issuer and identities that pods sign in as, finds them again, and deletes them", async () => {
  const server = await openLocalServer({ environment: recording() });
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 4096 });
  const { kid, ...documents } = documentsOf(publicKey);
  const tool = ccoctl(server, name);

  const [, clientId = ""] = await tool.createAll(documents, requests);
  expect(tool.requests()).toEqual([
    `GET resourcegroups/${name}-oidc 404 ResourceGroupNotFound`,
    `PUT resourcegroups/${name}-oidc 201`,
    `GET ${oidc}/providers/Microsoft.Storage/storageAccounts 200`,
    `PUT ${account} 202`,
    "GET providers/Microsoft.Storage/locations/centralus/asyncoperations 200",
    `POST ${account}/listKeys 200`,
    `GET ${account}/blobServices/default/containers/${name} 404 ContainerNotFound`,
    `PUT ${account}/blobServices/default/containers/${name} 201`,
    `PUT /${name}/.well-known%2Fopenid-configuration 201`,
    `PUT /${name}/openid%2Fv1%2Fjwks 201`,
    `GET resourcegroups/${name} 404 ResourceGroupNotFound`,
    `PUT resourcegroups/${name} 201`,
    `GET ${ingress} 404 ResourceNotFound`,
    `PUT ${ingress} 201`,
    `GET ${assignments}?$filter=assignedTo('…') 200`,
    `GET ${roles}?$filter=roleName eq 'Contributor' 200`,
    `PUT resourceGroups/${name}/${assignments}/… 201`,
    `GET ${ingress}/federatedIdentityCredentials/ingress-operator 404 NotFound`,
    `PUT ${ingress}/federatedIdentityCredentials/ingress-operator 201`,
    `GET ${registry} 404 ResourceNotFound`,
    `PUT ${registry} 201`,
    `GET ${roles}?$filter=roleName eq '${custom}' 200`,
    `PUT ${roles}/… 201`,
    `GET ${assignments}?$filter=assignedTo('…') 200`,
    `GET ${roles}?$filter=roleName eq '${custom}' 200`,
    `PUT resourceGroups/${name}/${assignments}/… 201`,
    `GET ${registry}/federatedIdentityCredentials/cluster-image-registry-operator 404 NotFound`,
    `PUT ${registry}/federatedIdentityCredentials/cluster-image-registry-operator 201`,
    `GET ${registry}/federatedIdentityCredentials/registry 404 NotFound`,
    `PUT ${registry}/federatedIdentityCredentials/registry 201`,
  ]);
  const pod = "system:serviceaccount:openshift-image-registry:registry";
  expect(await exchanged(server, clientId, privateKey, kid, pod)).toBe(200);
  expect(await exchanged(server, clientId, privateKey, kid, "system:serviceaccount:openshift-image-registry:other")).toBe(401);

  await tool.createAll(documents, requests);
  // It writes its custom roles and the documents each time.
  expect(tool.requests().filter((request) => request.startsWith("PUT"))).toEqual([
    `PUT /${name}/.well-known%2Fopenid-configuration 201`,
    `PUT /${name}/openid%2Fv1%2Fjwks 201`,
    `PUT ${roles}/… 201`,
  ]);

  await tool.delete();
  expect(tool.requests()).toEqual([
    `GET ${roles}?$filter=type eq 'CustomRole' 200`,
    `GET ${assignments} 200`,
    `DELETE resourceGroups/${name}/${assignments}/… 200`,
    `DELETE ${roles}/… 200`,
    `GET ${oidc}/providers/Microsoft.ManagedIdentity/userAssignedIdentities 200`,
    ...[ingress, registry].map((path) => `DELETE ${path} 200`),
    `DELETE ${account} 200`,
  ]);
  expect(await exchanged(server, clientId, privateKey, kid, pod)).not.toBe(200);
});
