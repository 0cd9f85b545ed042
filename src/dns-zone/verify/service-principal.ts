/** Checks of the service principal of ExternalDNS: its application, and the client secret in its azure.json. */
import { impersonate } from "../../azure/impersonate.js";
import { openAzure, type Azure } from "../../azure/azure.js";
import { found } from "../../azure/long-running.js";
import { signedIn } from "../../azure/signed-in.js";
import type { Step } from "../../engine/step.js";
import { advise } from "../../errors/advice.js";
import type { PodIdentity } from "../../steps/pod-identity.js";
import { sameText } from "../../text/same-text.js";
import { failed, notChecked, passed, type Finding } from "../../verify/check.js";
import { checkInstance, type CheckInstance } from "../../verify/check-instance.js";
import { changesText } from "../../verify/from-plan.js";
import { refusedToken } from "../../verify/entra-refusals.js";
import type { ResourceLinks } from "../../verify/planned-resources.js";
import { dnsZoneChecks } from "./checks.js";
import { checkPlanned, type DnsZoneSnapshot } from "./snapshot.js";

/** Checks that the application and its service principal exist. */
export function principalCheck(snapshot: DnsZoneSnapshot, { identity, holder }: PodIdentity): CheckInstance {
  return checkInstance(dnsZoneChecks["application-exists"], identity.title, {}, () => {
    const application = checkPlanned(snapshot, identity, "");
    return application.passed === true ? checkPlanned(snapshot, holder.step, "both exist") : application;
  });
}

interface SecretLinks {
  readonly identity: PodIdentity["identity"];
  readonly secret: Step<unknown>;
  readonly principal: CheckInstance;
  readonly zone: ResourceLinks;
  /** The checks of the principal's roles. */
  readonly roles: readonly CheckInstance[];
}

export function secretChecks(snapshot: DnsZoneSnapshot, { identity, secret, principal, zone, roles }: SecretLinks): CheckInstance[] {
  const subject = identity.title;
  const file = checkInstance(dnsZoneChecks["credentials-file"], subject, { principal }, () => checkFile(snapshot, identity));
  const signIn = checkInstance(dnsZoneChecks["sign-in"], subject, { file }, ({ file: held }) => signInWith(snapshot, held));
  const needs = { acting: signIn, zone: zone.exists, ...Object.fromEntries(roles.map((role) => [role.id, role])) };
  const readable = checkInstance(dnsZoneChecks["zone-readable"], subject, needs, ({ acting }) => readZone(snapshot, acting));
  const asWanted = checkInstance(dnsZoneChecks["client-secret-as-wanted"], subject, { file, signIn }, () =>
    checkPlanned(snapshot, secret, "does not expire soon"),
  );
  return [file, signIn, readable, asWanted];
}

interface Credentials {
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

function checkFile(
  { spec, tenantId, credentials, create, planned }: DnsZoneSnapshot,
  identity: PodIdentity["identity"],
): Finding<Credentials> {
  const { path = "", config } = credentials ?? {};
  const pass = "pass the azure.json of this zone as --external-dns-credentials-file";
  if (config === undefined) return notChecked(`${path} does not exist; ${pass}`);
  const { clientId } = planned(identity.id)?.output?.value as { readonly clientId: string };
  const differences = (pairs: readonly (readonly [path: string, from: string | undefined, to: string])[]) =>
    pairs.filter(([, from, to]) => !sameText(from, to)).map(([key, from, to]) => ({ path: key, from, to }));
  const elsewhere = differences([
    ["tenantId", config.tenantId, tenantId],
    ["subscriptionId", config.subscriptionId, spec.subscriptionId],
    ["resourceGroup", config.resourceGroup, spec.groupName],
  ]);
  if (elsewhere.length > 0) return failed(`${path}: ${changesText(elsewhere)}`, pass);
  const other = differences([["aadClientId", config.aadClientId, clientId]]);
  if (other.length > 0) {
    const next = advise`if the application is yours, write its client ID to the file and remove aadClientSecret; ${create} then adds a new secret`;
    return failed(`${path}: ${changesText(other)}`, next);
  }
  const { aadClientSecret: clientSecret } = config;
  if (clientSecret === undefined) return failed(`${path} has no aadClientSecret`, advise`${create} adds a new secret to it`);
  return passed(path, { tenantId, clientId, clientSecret });
}

async function signInWith({ azure, create }: DnsZoneSnapshot, credentials: Credentials): Promise<Finding<Azure>> {
  try {
    const connection = await impersonate(azure.connection).withSecret(credentials);
    const { objectId } = await signedIn(connection);
    return passed(`signed in as object ID ${objectId}`, openAzure(connection));
  } catch (error) {
    return refusedToken(error, {
      ...credentials,
      renewal: advise`remove aadClientSecret from the azure.json; ${create} then adds a new one`,
    });
  }
}

async function readZone({ spec }: DnsZoneSnapshot, acting: Azure): Promise<Finding<undefined>> {
  const { zones } = await acting.dns();
  const zone = await found(zones.get(spec.groupName, spec.zoneName));
  return zone === undefined
    ? failed("it does not exist for ExternalDNS", "wait 10 minutes, because roles take effect late, and verify again")
    : passed(zone.id ?? "");
}
