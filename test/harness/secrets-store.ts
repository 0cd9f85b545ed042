/** What the secrets-store driver does for a pod: it signs in as the pod's SecretProviderClass says, and returns the files that the pod would see. */
import { ClientAssertionCredential, ClientSecretCredential, type TokenCredential } from "@azure/identity";
import type { PipelinePolicy } from "@azure/core-rest-pipeline";
import { SecretClient } from "@azure/keyvault-secrets";
import { parse } from "yaml";
import { agentFor, type Emulator } from "../../src/emulator/index.js";
import type { KubernetesObject } from "./kubernetes.js";

export interface Mounted {
  readonly server: Pick<Emulator, "port" | "ca">;
  readonly providerClass: KubernetesObject;
  /** The secret that `nodePublishSecretRef` of the pod's volume names: a service principal's. */
  readonly credentials?: KubernetesObject;
  /** The token of the pod's service account, for the identity that `clientID` of the class names. */
  readonly serviceAccountToken?: () => Promise<string>;
}

/** Contents by file name. @throws the refusal of Entra or of the vault, as the events of the pod would show it */
export async function mountSecrets(of: Mounted): Promise<Readonly<Record<string, string>>> {
  const parameters = (of.providerClass["spec"] as { parameters: Readonly<Record<string, string>> }).parameters;
  const { keyvaultName = "", objects = "" } = parameters;
  const agent = agentFor(of.server);
  const policy: PipelinePolicy = {
    name: "emulator",
    sendRequest: (request, next) => {
      request.agent = agent;
      return next(request);
    },
  };
  const options = { additionalPolicies: [{ position: "perRetry" as const, policy }] };
  try {
    const client = new SecretClient(`https://${keyvaultName}.vault.azure.net`, credentialOf(of, parameters, options), options);
    const { array } = parse(objects) as { array: readonly (string | Wanted)[] };
    const wanted = array.map((one) => (typeof one === "string" ? (parse(one) as Wanted) : one));
    const files = wanted.map(async ({ objectName, objectAlias = objectName, objectVersion }) => {
      const { value = "" } = await client.getSecret(objectName, objectVersion ? { version: objectVersion } : {});
      return [objectAlias, value] as const;
    });
    return Object.fromEntries(await Promise.all(files));
  } finally {
    agent.destroy();
  }
}

interface Wanted {
  readonly objectName: string;
  readonly objectAlias?: string;
  readonly objectVersion?: string;
}

/** The driver takes workload identity if the class names a client, and otherwise a labelled secret. */
function credentialOf(
  { credentials, serviceAccountToken }: Mounted,
  { clientID = "", tenantId = "" }: Readonly<Record<string, string>>,
  options: object,
): TokenCredential {
  const all = { ...options, disableInstanceDiscovery: true };
  if (clientID !== "" && serviceAccountToken !== undefined)
    return new ClientAssertionCredential(tenantId, clientID, serviceAccountToken, all);
  const labels = credentials?.metadata["labels"] as Readonly<Record<string, string>> | undefined;
  if (labels?.["secrets-store.csi.k8s.io/used"] !== "true") throw new Error("failed to get credentials: nodePublishSecretRef is not set");
  return new ClientSecretCredential(tenantId, dataOf(credentials, "clientid"), dataOf(credentials, "clientsecret"), all);
}

function dataOf(secret: KubernetesObject | undefined, key: string): string {
  const { data, stringData } = (secret ?? {}) as { data?: Record<string, string>; stringData?: Record<string, string> };
  return stringData?.[key] ?? Buffer.from(data?.[key] ?? "", "base64").toString();
}
