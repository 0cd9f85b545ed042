/** Applications that somebody else registered under our unique names. */
import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { wellKnown } from "../../../src/emulator/index.js";
import type { Application, PasswordCredential } from "../../../src/emulator/state/application.js";
import { madeCertificates } from "../../harness/made-certificates.js";
import { changeState } from "../../harness/state-changes.js";
import type { TestEmulator } from "../../harness/test-emulator.js";
import { subscription } from "../../cli/demo-cluster.js";
import { name as zone } from "../../dns-zone/dns-zones.js";
import { uniqueName } from "./identity-sets.js";

export const otherUser = "bad00000-0000-4000-8000-000000000001";
export const planted = {
  appId: "bad00000-0000-4000-8000-000000000002",
  id: "bad00000-0000-4000-8000-000000000003",
  servicePrincipalId: "bad00000-0000-4000-8000-000000000004",
};
const dates = { startDateTime: "2020-01-01T00:00:00Z", endDateTime: "2099-01-01T00:00:00Z" };
// As ours are called.
export const password: PasswordCredential = {
  ...{ ...dates, keyId: "bad00000-0000-4000-8000-000000000005", displayName: "aro-hcp", hint: "abc", hash: "none" },
};

export interface Planted extends Partial<Application> {
  readonly principalOwners?: readonly string[];
  readonly principalPasswords?: readonly PasswordCredential[];
}

/** By default, the signed-in principal is its only owner: any owner can add others, and leave. */
export function applicationOf({ principalOwners, principalPasswords, ...own }: Planted): Application {
  const owners = [wellKnown.clientPrincipalId];
  const servicePrincipal = { createdAt: 0, tags: [], owners: [...(principalOwners ?? owners)] };
  return {
    ...{ ...planted, displayName: "demo", secretHashes: [], graphPermissions: [], createdAt: 0, owners },
    servicePrincipal: { ...servicePrincipal, ...(principalPasswords && { passwordCredentials: [...principalPasswords] }) },
    ...own,
  };
}

export const plant = (azure: TestEmulator, application: Planted) =>
  changeState(azure, (state) => void (state.applications[planted.appId] = applicationOf(application)));

export const grantAll = (azure: TestEmulator) =>
  changeState(azure, ({ applications }) => {
    for (const own of Object.values(applications))
      if (own.appId === wellKnown.clientId) own.graphPermissions.push("Application.ReadWrite.All");
  });

export const key = {
  ...{ ...dates, keyId: "bad00000-0000-4000-8000-000000000006", displayName: "CN=demo-cpo-cert", customKeyIdentifier: "x", addedAt: 0 },
  key: new X509Certificate(await readFile(join(await madeCertificates(), "server.pem"))).raw.toString("base64"),
};
const federated = {
  ...{ id: "bad00000-0000-4000-8000-000000000007", name: "mine", description: null, audiences: ["api://AzureADTokenExchange"] },
  ...{ issuer: "https://issuer.example.org", subject: "mallory", createdAt: 0 },
};

export const foreign: readonly { readonly what: string; readonly application: Planted; readonly shown: string }[] = [
  { what: "another owner", application: { owners: [wellKnown.clientPrincipalId, otherUser] }, shown: `owner ${otherUser}` },
  { what: "a client secret", application: { passwordCredentials: [password] }, shown: `client secret ${password.keyId}` },
  { what: "a certificate that is not in the vault", application: { keyCredentials: [key] }, shown: "certificate [0-9A-F]{40}" },
  {
    what: "a federated identity credential",
    application: { federatedCredentials: [federated] },
    shown: "federated identity credential mine for mallory of https://issuer.example.org",
  },
  { what: "another owner of its service principal", application: { principalOwners: [otherUser] }, shown: `owner ${otherUser}` },
  {
    what: "a client secret of its service principal",
    application: { principalPasswords: [password] },
    shown: `credential ${password.keyId} of its service principal`,
  },
];

export const setName = (component: string) => uniqueName(component).replace(".common.", ".demo-common.");
export const zoneApplication = `aro-hcp.${subscription.replace("/subscriptions/", "")}.blue-dns.${zone.replaceAll(".", "~d")}.external-dns`;
export const arcApplication = `aro-hcp.${subscription.replace("/subscriptions/", "")}.demo-arc.demo.arc-secrets`;

/** A colleague created the applications; the signed-in principal may change all of the tenant. */
export async function ofColleague(azure: TestEmulator, owners: readonly string[] = [otherUser]): Promise<void> {
  await grantAll(azure);
  await changeState(azure, ({ applications }) => {
    for (const one of Object.values(applications)) {
      if (one.uniqueName === undefined) continue;
      one.owners = [...owners];
      if (one.servicePrincipal) one.servicePrincipal.owners = [...owners];
    }
  });
}
