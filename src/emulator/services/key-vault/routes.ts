/** The routes of a vault: method, path, data action and handler, where the first match wins. */
import { matchTemplate } from "../../core/route-template.js";
import type { ApiRequest } from "../../core/service.js";
import * as backup from "./backup.js";
import { importCertificate } from "./certificate-import.js";
import * as creation from "./certificate-creation.js";
import * as certificates from "./certificates.js";
import * as issuers from "./issuers.js";
import * as operations from "./key-operations.js";
import * as keys from "./keys.js";
import * as secrets from "./secrets.js";
import type { Handler } from "./vault-call.js";

export interface Route {
  readonly method: ApiRequest["method"];
  /** "/secrets/{name}/{version}" */
  readonly path: string;
  /** Below "Microsoft.KeyVault/vaults". */
  readonly action: string;
  readonly handle: Handler;
}

const rows: readonly (readonly [method: Route["method"], path: string, action: string, handle: Handler])[] = [
  ["GET", "/secrets", "secrets/readMetadata/action", secrets.listSecrets],
  ["GET", "/secrets/{name}/versions", "secrets/readMetadata/action", secrets.listSecretVersions],
  ["GET", "/secrets/{name}", "secrets/getSecret/action", secrets.getSecret],
  ["GET", "/secrets/{name}/{version}", "secrets/getSecret/action", secrets.getSecret],
  ["PUT", "/secrets/{name}", "secrets/setSecret/action", secrets.setSecret],
  ["PATCH", "/secrets/{name}", "secrets/update/action", secrets.updateSecret],
  ["PATCH", "/secrets/{name}/{version}", "secrets/update/action", secrets.updateSecret],
  ["DELETE", "/secrets/{name}", "secrets/delete", secrets.deleteSecret],
  ["GET", "/deletedsecrets", "secrets/readMetadata/action", secrets.listDeletedSecrets],
  ["GET", "/deletedsecrets/{name}", "secrets/readMetadata/action", secrets.getDeletedSecret],
  ["DELETE", "/deletedsecrets/{name}", "secrets/purge/action", secrets.purgeSecret],
  ["POST", "/deletedsecrets/{name}/recover", "secrets/recover/action", secrets.recoverSecret],
  ["POST", "/secrets/restore", "secrets/restore/action", backup.restoreSecret],
  ["POST", "/secrets/{name}/backup", "secrets/backup/action", backup.backupSecret],
  ["POST", "/certificates/restore", "certificates/restore/action", backup.restoreCertificate],
  ["POST", "/certificates/{name}/backup", "certificates/backup/action", backup.backupCertificate],
  ["POST", "/certificates/{name}/import", "certificates/import/action", importCertificate],
  ["POST", "/keys/restore", "keys/restore/action", backup.restoreKey],
  ["POST", "/keys/{name}/backup", "keys/backup/action", backup.backupKey],
  ["GET", "/certificates/issuers", "certificatecas/read", issuers.listIssuers],
  ["GET", "/certificates/issuers/{name}", "certificatecas/read", issuers.getIssuer],
  ["PUT", "/certificates/issuers/{name}", "certificatecas/write", issuers.setIssuer],
  ["PATCH", "/certificates/issuers/{name}", "certificatecas/write", issuers.updateIssuer],
  ["DELETE", "/certificates/issuers/{name}", "certificatecas/delete", issuers.deleteIssuer],
  ["POST", "/certificates/{name}/create", "certificates/create/action", creation.createCertificate],
  ["POST", "/certificates/{name}/pending/merge", "certificates/create/action", creation.mergeCertificate],
  ["GET", "/certificates/{name}/pending", "certificates/read", creation.getPending],
  ["PATCH", "/certificates/{name}/pending", "certificates/update/action", creation.cancelPending],
  ["DELETE", "/certificates/{name}/pending", "certificates/update/action", creation.deletePending],
  ["GET", "/certificates", "certificates/read", certificates.listCertificates],
  ["GET", "/certificates/{name}/versions", "certificates/read", certificates.listCertificateVersions],
  ["GET", "/certificates/{name}/policy", "certificates/read", certificates.getPolicy],
  ["PATCH", "/certificates/{name}/policy", "certificates/update/action", certificates.updatePolicy],
  ["GET", "/certificates/{name}", "certificates/read", certificates.getCertificate],
  ["GET", "/certificates/{name}/{version}", "certificates/read", certificates.getCertificate],
  ["PATCH", "/certificates/{name}", "certificates/update/action", certificates.updateCertificate],
  ["PATCH", "/certificates/{name}/{version}", "certificates/update/action", certificates.updateCertificate],
  ["DELETE", "/certificates/{name}", "certificates/delete", certificates.deleteCertificate],
  ["GET", "/deletedcertificates", "certificates/read", certificates.listDeletedCertificates],
  ["GET", "/deletedcertificates/{name}", "certificates/read", certificates.getDeletedCertificate],
  ["DELETE", "/deletedcertificates/{name}", "certificates/purge/action", certificates.purgeCertificate],
  ["POST", "/deletedcertificates/{name}/recover", "certificates/recover/action", certificates.recoverCertificate],
  ["POST", "/keys/{name}/create", "keys/create/action", keys.createKey],
  ["POST", "/keys/{name}/rotate", "keys/rotate/action", keys.rotateKey],
  ["GET", "/keys/{name}/rotationpolicy", "keyrotationpolicies/read", keys.getRotationPolicy],
  ["PUT", "/keys/{name}/rotationpolicy", "keyrotationpolicies/write", keys.setRotationPolicy],
  ["GET", "/keys", "keys/read", keys.listKeys],
  ["GET", "/keys/{name}/versions", "keys/read", keys.listKeyVersions],
  ["GET", "/keys/{name}", "keys/read", keys.getKey],
  ["GET", "/keys/{name}/{version}", "keys/read", keys.getKey],
  ["PATCH", "/keys/{name}", "keys/update/action", keys.updateKey],
  ["PATCH", "/keys/{name}/{version}", "keys/update/action", keys.updateKey],
  ["DELETE", "/keys/{name}", "keys/delete", keys.deleteKey],
  ["GET", "/deletedkeys", "keys/read", keys.listDeletedKeys],
  ["GET", "/deletedkeys/{name}", "keys/read", keys.getDeletedKey],
  ["DELETE", "/deletedkeys/{name}", "keys/purge/action", keys.purgeKey],
  ["POST", "/deletedkeys/{name}/recover", "keys/recover/action", keys.recoverKey],
  // Clients that omit the version send an empty segment in its place.
  ...(["/keys/{name}", "/keys/{name}/{version}"] as const).flatMap((key): typeof rows => [
    ["POST", `${key}/encrypt`, "keys/encrypt/action", operations.encrypt],
    ["POST", `${key}/decrypt`, "keys/decrypt/action", operations.decrypt],
    ["POST", `${key}/wrapkey`, "keys/wrap/action", operations.wrapKey],
    ["POST", `${key}/unwrapkey`, "keys/unwrap/action", operations.unwrapKey],
    ["POST", `${key}/sign`, "keys/sign/action", operations.sign],
    ["POST", `${key}/verify`, "keys/verify/action", operations.verify],
  ]),
];

const routes: readonly Route[] = rows.map(([method, path, action, handle]) => ({ method, path, action, handle }));

/** Names that belong to lists of other things and would else be taken for certificates. */
const notEmulated = /^certificates\/contacts(\/|$)/i;

export interface Routed {
  readonly route: Route;
  readonly name: string;
  readonly version: string | undefined;
}

/** Undefined if nothing matches. */
export function routeFor({ method, path }: ApiRequest): Routed | undefined {
  if (notEmulated.test(path.join("/"))) return undefined;
  for (const route of routes) {
    if (route.method !== method) continue;
    const parameters = matchTemplate(route.path, path);
    if (parameters !== undefined) return { route, name: parameters["name"] ?? "", version: parameters["version"] };
  }
  return undefined;
}
