/** Applications and their service principals in Entra, written through Microsoft Graph. */
import { Failure } from "../errors/failure.js";
import { azureCodeOf } from "./azure-error.js";
import type { AskGraph } from "./graph-client.js";
import { allPages, entriesWithValues } from "./graph-lists.js";
import { found } from "./long-running.js";
import { sameText } from "../text/same-text.js";

/** https://learn.microsoft.com/graph/api/resources/keycredential, limited to what certificates need. */
export interface KeyCredential {
  readonly keyId?: string;
  readonly type: "AsymmetricX509Cert";
  readonly usage: "Verify";
  /** Base64 of the certificate's DER. Graph returns it only for a single application, and only if it is selected. */
  readonly key?: string | null;
  /** The certificate's SHA-1 thumbprint in hex or base64, unless another tool registered the certificate with a different value. */
  readonly customKeyIdentifier?: string | null;
  readonly displayName?: string | null;
  readonly startDateTime: string;
  readonly endDateTime: string;
}

/** https://learn.microsoft.com/graph/api/resources/passwordcredential; Graph returns the secret only to the request that adds it. */
export interface PasswordCredential {
  readonly keyId: string;
  readonly displayName?: string | null;
  /** The first three characters of the secret. */
  readonly hint?: string | null;
  readonly startDateTime: string;
  readonly endDateTime: string;
}

export interface Application {
  /** Object ID of the application, not of its service principal. */
  readonly id: string;
  readonly appId: string;
  readonly displayName: string;
  readonly uniqueName: string | null;
  readonly tags: readonly string[];
  readonly keyCredentials: readonly KeyCredential[];
}

export interface DatedApplication extends Pick<Application, "id" | "appId" | "displayName" | "uniqueName"> {
  /** RFC 3339. */
  readonly createdDateTime?: string;
}

export interface DeletedApplication {
  readonly id: string;
  readonly appId: string;
  readonly displayName: string;
  readonly uniqueName: string | null;
  /** RFC 3339. Entra purges the application 30 days later. */
  readonly deletedDateTime: string;
}

/** Who can sign in as an application or change it, apart from the holders of its certificates. */
export interface ApplicationControl {
  /** The owners of the application and of its service principal. */
  readonly owners: readonly ObjectOwner[];
  readonly passwords: readonly PasswordCredential[];
  readonly federated: readonly TrustedTokens[];
  /** Secrets and certificates that the service principal itself has. */
  readonly ofPrincipal: readonly Pick<PasswordCredential, "keyId" | "displayName">[];
}

/** Names are missing if the caller may not read them. */
export interface ObjectOwner {
  readonly id: string;
  readonly displayName?: string | null;
  readonly userPrincipalName?: string | null;
}

interface TrustedTokens {
  readonly name: string;
  readonly issuer: string;
  readonly subject: string;
}

export interface Applications {
  /** Finds an application by the unique name that this program derives; undefined if it does not exist. */
  application(uniqueName: string): Promise<Application | undefined>;
  /** Creates the application, or updates it if it exists, so two parallel runs create one. Returns a created application, otherwise undefined. */
  upsertApplication(
    uniqueName: string,
    words: { readonly displayName: string; readonly tags: readonly string[] },
  ): Promise<Application | undefined>;
  /** Replaces the whole list: Graph has no other way without a proof signed by an old key. A retained key is listed by `keyId`, without `key`. */
  setKeyCredentials(applicationId: string, credentials: readonly KeyCredential[]): Promise<void>;
  /** Object ID of the service principal; undefined if it does not exist. */
  servicePrincipalOf(appId: string): Promise<string | undefined>;
  /** Object ID of a created service principal; undefined if it already existed. */
  upsertServicePrincipal(appId: string): Promise<string | undefined>;
  /** Soft-deletes the application and its service principal; both can be restored for 30 days. */
  deleteApplication(applicationId: string): Promise<void>;
  /** The soft-deleted applications with these unique names; all without names. */
  deletedApplications(uniqueNames?: readonly string[]): Promise<DeletedApplication[]>;
  /** The soft-deleted application with this client ID. */
  deletedApplication(appId: string): Promise<DeletedApplication | undefined>;
  /** Finds applications by client ID, without certificates; applications of other tenants are not included. */
  applicationsOf(appIds: readonly string[]): Promise<Application[]>;
  /** Those with any of these tags, without certificates. */
  applicationsWithTags(tags: readonly string[]): Promise<Application[]>;
  /** Those with any tag that begins so, without certificates. */
  applicationsWithTagPrefix(prefix: string): Promise<DatedApplication[]>;
  passwordsOf(applicationId: string): Promise<readonly PasswordCredential[]>;
  controlOf(application: Pick<Application, "id" | "appId">): Promise<ApplicationControl>;
  /** Graph chooses the secret. */
  addPassword(
    applicationId: string,
    words: { readonly displayName: string; readonly endDateTime: string },
  ): Promise<PasswordCredential & { readonly secretText: string }>;
  /** No error if it does not exist any more. */
  removePassword(applicationId: string, keyId: string): Promise<void>;
  /** The key credentials, with certificates. */
  keyCredentialsOf(applicationId: string): Promise<readonly KeyCredential[]>;
  /** Restores the application with its client ID, its keys and its service principal. */
  restoreApplication(applicationId: string): Promise<void>;
  /** False if it is not among the deleted items: already purged, or not replicated yet. */
  purgeApplication(applicationId: string): Promise<boolean>;
}

interface PrincipalCredentials {
  readonly id: string;
  readonly passwordCredentials?: readonly PasswordCredential[];
  readonly keyCredentials?: readonly { readonly keyId: string; readonly displayName?: string | null }[];
}

function distinctOwners(owners: readonly ObjectOwner[]): ObjectOwner[] {
  return [...new Map(owners.map((owner) => [owner.id.toLowerCase(), owner])).values()];
}

const deletedItems = "/directory/deletedItems";
const createIfMissing = { Prefer: "create-if-missing" };

export function applications(graph: AskGraph): Applications {
  const passwordsOf = async (id: string): Promise<readonly PasswordCredential[]> => {
    const { passwordCredentials = [] } = await graph<{ readonly passwordCredentials?: readonly PasswordCredential[] }>((client) =>
      client.api(`/applications/${id}`).select("id,passwordCredentials").get(),
    );
    return passwordCredentials;
  };
  const byUniqueName = (uniqueName: string) => `/applications(uniqueName='${encodeURIComponent(uniqueName.replaceAll("'", "''"))}')`;
  const deleted = () =>
    allPages<DeletedApplication>(
      graph,
      `${deletedItems}/microsoft.graph.application?$select=id,appId,displayName,uniqueName,deletedDateTime`,
    );
  const byAppId = (appId: string) => `/servicePrincipals(appId='${appId}')`;
  return {
    application: (uniqueName) =>
      foundInDirectory(
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
      const live = await foundInDirectory(graph<{ readonly id: string }>((client) => client.api(byAppId(appId)).select("id,appId").get()));
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
      await foundInDirectory(permitted(graph((client) => client.api(`/applications/${id}`).delete())));
    },
    deletedApplications: async (uniqueNames) =>
      (await deleted()).filter(({ uniqueName }) => uniqueNames === undefined || uniqueNames.includes(uniqueName?.toLowerCase() ?? "")),
    deletedApplication: async (appId) => (await deleted()).find((each) => sameText(each.appId, appId)),
    applicationsOf: (appIds) =>
      entriesWithValues<Application>(graph, appIds, (some) => ({
        path: "/applications",
        // Graph documents `in` for service principals, but not for applications.
        filter: some.map((appId) => `appId eq '${appId}'`).join(" or "),
        select: "id,appId,displayName,uniqueName,tags,keyCredentials",
      })),
    applicationsWithTags: (tags) =>
      entriesWithValues<Application>(graph, tags, (some) => ({
        path: "/applications",
        filter: some.map((tag) => `tags/any(t:t eq '${tag.replaceAll("'", "''")}')`).join(" or "),
        select: "id,appId,displayName,uniqueName,tags,keyCredentials",
      })),
    applicationsWithTagPrefix(prefix) {
      const filter = encodeURIComponent(`tags/any(t:startswith(t,'${prefix}'))`);
      return allPages<DatedApplication>(graph, `/applications?$filter=${filter}&$select=id,appId,displayName,uniqueName,createdDateTime`);
    },
    passwordsOf,
    async controlOf({ id, appId }) {
      const [passwords, federated, owners, principal] = await Promise.all([
        passwordsOf(id),
        allPages<TrustedTokens>(graph, `/applications/${id}/federatedIdentityCredentials`),
        allPages<ObjectOwner>(graph, `/applications/${id}/owners`),
        foundInDirectory(
          graph<PrincipalCredentials>((client) => client.api(byAppId(appId)).select("id,keyCredentials,passwordCredentials").get()),
        ),
      ]);
      const { passwordCredentials = [], keyCredentials = [] } = principal ?? {};
      const principalOwners = principal && (await allPages<ObjectOwner>(graph, `/servicePrincipals/${principal.id}/owners`));
      return {
        owners: distinctOwners([...owners, ...(principalOwners ?? [])]),
        passwords,
        federated,
        ofPrincipal: [...passwordCredentials, ...keyCredentials],
      };
    },
    addPassword: (id, passwordCredential) =>
      permitted(
        graph<PasswordCredential & { readonly secretText: string }>((client) =>
          client.api(`/applications/${id}/addPassword`).post({ passwordCredential }),
        ),
      ),
    async removePassword(id, keyId) {
      try {
        await permitted(graph((client) => client.api(`/applications/${id}/removePassword`).post({ keyId })));
      } catch (error) {
        // Entra refuses to remove what another run, or the lost response of this one, has removed.
        if ((await passwordsOf(id)).some((one) => sameText(one.keyId, keyId))) throw error;
      }
    },
    async keyCredentialsOf(id) {
      const { keyCredentials } = await graph<Application>((client) => client.api(`/applications/${id}`).select("id,keyCredentials").get());
      return keyCredentials;
    },
    restoreApplication: async (id) => {
      await permitted(graph((client) => client.api(`${deletedItems}/${id}/restore`).post({})));
    },
    async purgeApplication(id) {
      const purged = async () => {
        await permitted(graph((client) => client.api(`${deletedItems}/${id}`).delete()));
        return true;
      };
      return (await foundInDirectory(purged())) ?? false;
    },
  };
}

/** Read and write permissions are separate: only a rejected write shows that write permission is missing. */
async function permitted<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (azureCodeOf(error) !== "Authorization_RequestDenied") throw error;
    throw new Failure("ARO-AUTHZ-004", "the signed-in principal has no permission to write applications", { cause: error });
  }
}

/** Graph has one code for an object that does not exist; "ResourceNotFound", for example, is a path that it does not know. */
const absent = new Set(["Request_ResourceNotFound"]);

function foundInDirectory<T>(read: Promise<T>): Promise<T | undefined> {
  return found(read, absent);
}
