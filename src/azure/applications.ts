/** Applications and their service principals in Entra, written through Microsoft Graph. */
import { Failure } from "../errors/failure.js";
import { azureCodeOf } from "./azure-error.js";
import type { AskGraph } from "./graph-client.js";
import { allPages, whereOneOf } from "./graph-lists.js";
import { found } from "./long-running.js";

/** https://learn.microsoft.com/graph/api/resources/keycredential, as far as it matters for certificates. */
export interface KeyCredential {
  readonly keyId?: string;
  readonly type: "AsymmetricX509Cert";
  readonly usage: "Verify";
  /** Base64 of the certificate's DER. Graph tells it only of a single application, and only where it is selected. */
  readonly key: string | null;
  /** Of the certificate: its SHA-1 thumbprint in hex or in base64, unless whoever registered it chose something else. */
  readonly customKeyIdentifier?: string | null;
  readonly displayName?: string | null;
  readonly startDateTime: string;
  readonly endDateTime: string;
}

export interface Application {
  /** Object id of the application, not of its service principal. */
  readonly id: string;
  readonly appId: string;
  readonly displayName: string;
  readonly uniqueName: string | null;
  readonly tags: readonly string[];
  readonly keyCredentials: readonly KeyCredential[];
}

export interface DeletedApplication {
  readonly id: string;
  readonly appId: string;
  readonly displayName: string;
  readonly uniqueName: string | null;
  /** RFC 3339; 30 days later Entra does away with it. */
  readonly deletedDateTime: string;
}

export interface Applications {
  /** By the name that only we derive; undefined where there is none. */
  application(uniqueName: string): Promise<Application | undefined>;
  /** Made where it is absent, else given these words: two runs at once make one. What was made; undefined where it was there. */
  upsertApplication(
    uniqueName: string,
    words: { readonly displayName: string; readonly tags: readonly string[] },
  ): Promise<Application | undefined>;
  /** Replaces the whole list: Graph has no other way without a proof signed by an old key. What is kept is named by its `keyId`, without `key`. */
  setKeyCredentials(applicationId: string, credentials: readonly KeyCredential[]): Promise<void>;
  /** Object id of the service principal; undefined where there is none. */
  servicePrincipalOf(appId: string): Promise<string | undefined>;
  /** Object id of what was made; undefined where it was there. */
  upsertServicePrincipal(appId: string): Promise<string | undefined>;
  /** Kept recoverable for 30 days, its service principal with it. */
  deleteApplication(applicationId: string): Promise<void>;
  /** Those of ours among the recoverable. */
  deletedApplications(uniqueNames: readonly string[]): Promise<DeletedApplication[]>;
  /** The recoverable one with this client id. */
  deletedApplication(appId: string): Promise<DeletedApplication | undefined>;
  /** By their client ids, keys without their certificates; those of other tenants are not among them. */
  applicationsOf(appIds: readonly string[]): Promise<Application[]>;
  /** With their certificates. */
  keyCredentialsOf(applicationId: string): Promise<readonly KeyCredential[]>;
  /** It comes back with its client id, its keys and its service principal. */
  restoreApplication(applicationId: string): Promise<void>;
  /** False where it is not among the deleted: gone already, or not there yet on every replica. */
  purgeApplication(applicationId: string): Promise<boolean>;
}

const bin = "/directory/deletedItems";
const createIfMissing = { Prefer: "create-if-missing" };

export function applications(graph: AskGraph): Applications {
  const byUniqueName = (uniqueName: string) => `/applications(uniqueName='${encodeURIComponent(uniqueName.replaceAll("'", "''"))}')`;
  const deleted = () =>
    allPages<DeletedApplication>(graph, `${bin}/microsoft.graph.application?$select=id,appId,displayName,uniqueName,deletedDateTime`);
  const byAppId = (appId: string) => `/servicePrincipals(appId='${appId}')`;
  return {
    application: (uniqueName) =>
      found(
        graph<Application>((client) =>
          client.api(byUniqueName(uniqueName)).select("id,appId,displayName,uniqueName,tags,keyCredentials").get(),
        ),
      ),
    upsertApplication: (uniqueName, words) =>
      permitted(
        graph<Application | undefined>((client) =>
          client
            .api(byUniqueName(uniqueName))
            .headers(createIfMissing)
            .patch({ ...words, signInAudience: "AzureADMyOrg" }),
        ),
      ),
    setKeyCredentials: (id, keyCredentials) =>
      permitted(graph<undefined>((client) => client.api(`/applications/${id}`).patch({ keyCredentials }))),
    async servicePrincipalOf(appId) {
      const live = await found(graph<{ readonly id: string }>((client) => client.api(byAppId(appId)).select("id,appId").get()));
      return live?.id;
    },
    async upsertServicePrincipal(appId) {
      const made = await permitted(
        graph<{ readonly id: string } | undefined>((client) =>
          client.api(byAppId(appId)).headers(createIfMissing).patch({ accountEnabled: true }),
        ),
      );
      return made?.id;
    },
    deleteApplication: async (id) => {
      await found(permitted(graph((client) => client.api(`/applications/${id}`).delete())));
    },
    deletedApplications: async (uniqueNames) =>
      (await deleted()).filter(({ uniqueName }) => uniqueNames.includes(uniqueName?.toLowerCase() ?? "")),
    deletedApplication: async (appId) => (await deleted()).find((each) => each.appId.toLowerCase() === appId.toLowerCase()),
    applicationsOf: (appIds) =>
      whereOneOf<Application>(graph, appIds, (some) => ({
        path: "/applications",
        // Of an application, other than of a service principal, no `in` is documented.
        filter: some.map((appId) => `appId eq '${appId}'`).join(" or "),
        select: "id,appId,displayName,uniqueName,tags,keyCredentials",
      })),
    async keyCredentialsOf(id) {
      const { keyCredentials } = await graph<Application>((client) => client.api(`/applications/${id}`).select("id,keyCredentials").get());
      return keyCredentials;
    },
    restoreApplication: async (id) => {
      await permitted(graph((client) => client.api(`${bin}/${id}/restore`).post({})));
    },
    async purgeApplication(id) {
      const purged = async () => {
        await permitted(graph((client) => client.api(`${bin}/${id}`).delete()));
        return true;
      };
      return (await found(purged())) ?? false;
    },
  };
}

/** Reading is a right of its own: only a write that is refused says that this one is missing. */
async function permitted<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (azureCodeOf(error) !== "Authorization_RequestDenied") throw error;
    throw new Failure("ARO-AUTHZ-004", "the signed-in principal may not write applications", { cause: error });
  }
}
