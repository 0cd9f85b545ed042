/** The credentials of external-dns: its own azure.json, or a credentials file of a service principal. */
import { z } from "zod";
import { Failure } from "../../errors/failure.js";
import { permissionNotices, readAzureCreds } from "../../files/azure-creds.js";
import { sameText } from "../../text/same-text.js";
import { uuid } from "../../files/fields.js";
import { documentOwner, type OutputFile } from "../../files/output-file.js";
import { readDocument } from "../../files/read.js";
import { validate } from "../../files/validate.js";

const azureJson = z.looseObject({
  tenantId: uuid,
  subscriptionId: uuid,
  resourceGroup: z.string().min(1, "is empty"),
  aadClientId: uuid,
  aadClientSecret: z.string().min(1, "is empty"),
});

/** The keys of azure.json that matter here; external-dns assumes the public cloud without `cloud`. */
interface DnsPrincipal {
  readonly tenantId: string;
  readonly subscriptionId: string;
  readonly resourceGroup?: string;
  readonly aadClientId: string;
  readonly aadClientSecret: string;
  readonly [other: string]: unknown;
}

export interface ExternalDnsConfig extends DnsPrincipal {
  /** The resource group of the zone. */
  readonly resourceGroup: string;
}

export interface ExternalDnsCredentials {
  /** The configuration; a credentials file has no resource group of the zone. */
  readonly config: DnsPrincipal;
  /** Whether the file can be passed to hypershift as it is. */
  readonly isOwnFormat: boolean;
  readonly notices: readonly string[];
}

/** @throws ARO-FILE-001, 002 or 003 */
export async function readExternalDns(path: string): Promise<ExternalDnsCredentials> {
  const document = await readDocument(path);
  if (hasKey(document.value, "aadClientId")) {
    const config = validate(document, azureJson, "credentials of external-dns");
    return { config, isOwnFormat: true, notices: permissionNotices(path, document.mode) };
  }
  const { tenantId, subscriptionId, servicePrincipal, notices } = await readAzureCreds(path);
  if (servicePrincipal === undefined) {
    throw new Failure("ARO-FILE-003", `${path} has no clientId and clientSecret`, {
      because: "external-dns signs in as a service principal of its own",
    });
  }
  const { clientId: aadClientId, clientSecret: aadClientSecret } = servicePrincipal;
  return { config: { tenantId, subscriptionId, aadClientId, aadClientSecret }, isOwnFormat: false, notices };
}

/** What ExternalDNS needs to find its zone. */
export interface ExternalDnsPlace {
  readonly tenantId: string;
  readonly subscriptionId: string;
  /** The resource group of the zone. */
  readonly resourceGroup: string;
  readonly cloud: string;
}

/** Without an application, ExternalDNS signs in with a token of its service account. The client secret is missing until it exists. */
export function externalDnsConfig(
  { cloud, ...place }: ExternalDnsPlace,
  application: { readonly clientId: string; readonly clientSecret?: string } | undefined,
): object {
  return {
    ...place,
    ...(cloud !== "AzurePublicCloud" && { cloud }),
    ...(application === undefined
      ? { useWorkloadIdentityExtension: true }
      : { aadClientId: application.clientId, aadClientSecret: application.clientSecret }),
  };
}

const writtenJson = z.looseObject({
  tenantId: uuid,
  subscriptionId: uuid,
  resourceGroup: z.string(),
  aadClientId: uuid.optional(),
  aadClientSecret: z.string().min(1, "is empty").optional(),
});

/** An azure.json that `create dns-zone` wrote. @throws ARO-FILE-001, 002 or 003, never quoting a value */
export async function readExternalDnsConfig(path: string): Promise<z.output<typeof writtenJson>> {
  return validate(await readDocument(path), writtenJson, "the azure.json of ExternalDNS");
}

const earlierOutput = z.strictObject({
  tenantId: uuid,
  subscriptionId: uuid,
  resourceGroup: z.string(),
  cloud: z.string().optional(),
  useWorkloadIdentityExtension: z.literal(true).optional(),
  aadClientId: uuid.optional(),
  aadClientSecret: z.string().optional(),
});

/**
 * The azure.json at the path; one of a zone in another place, of another application, or of another program, is not replaced: Entra shows
 * a client secret once. Without a secret, the file has only the place, and zones of one resource group share it.
 * Without `clientIds`, any application is accepted, before its own is known.
 */
export function externalDnsFile(path: string, place: ExternalDnsPlace, clientIds?: ReadonlySet<string>): OutputFile {
  return {
    path,
    otherOwner: documentOwner(earlierOutput, ({ tenantId, subscriptionId, resourceGroup, aadClientId }) => {
      const isSamePlace = sameText(tenantId, place.tenantId) && sameText(subscriptionId, place.subscriptionId);
      if (!isSamePlace || !sameText(resourceGroup, place.resourceGroup))
        return `the file of a zone in resource group ${resourceGroup} of subscription ${subscriptionId}`;
      return aadClientId === undefined || (clientIds?.has(aadClientId) ?? true) ? undefined : `the credential of client ID ${aadClientId}`;
    }),
  };
}

function hasKey(value: unknown, key: string): boolean {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key);
}
