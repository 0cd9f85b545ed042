/** Rows of the checks of applications, service principals and managed identities in Entra. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import type { RenderedResult as Result } from "../../../src/run/verification.js";
import { firstLine, run } from "../../verify/advice.js";
import type { Fields } from "./credential-writing.js";
import { commandsIn, type HealthyState } from "../../verify/healthy-state.js";
import { applicationOf, assignmentsOf, far, federatedCredential } from "./identity-edits.js";
import type { AzureState } from "../../../src/emulator/state/state.js";
import { changeState } from "../../harness/state-changes.js";
import type { Row } from "./identity-rows.js";
import { demoIssuer } from "../../harness/demo-issuer.js";

const issuer = demoIssuer;

/** A row whose fault no request can make. */
export function ofState(
  row: string,
  fault: string,
  evidence: RegExp,
  alter: (state: AzureState) => unknown,
  follow: Row["follow"],
  more: Partial<Row> = {},
): Row {
  return { row, fault, evidence, breaks: (state) => changeState(state, alter), ...(follow && { follow }), ...more };
}

/** Simulates the wait that the advice asks for. */
const wait =
  (passes: (state: AzureState) => unknown) =>
  async (state: HealthyState, { next }: Result): Promise<void> => {
    expect(next).toMatch(/wait 10 minutes/);
    await changeState(state, passes);
  };

/** Writes the certificate of a component's secret to the file that the advice names. */
async function certificateFile(state: HealthyState, component: string): Promise<string> {
  const { secrets } = await state.azure.vaultContent(state.vault);
  const { value = "" } = await secrets.getSecret(`demo-${component}`);
  const pem = Buffer.from((JSON.parse(value) as Fields)["client_secret"] ?? "", "base64").toString();
  const path = join(state.files, "certificate.pem");
  await writeFile(path, pem.slice(0, pem.indexOf("-----BEGIN PRIVATE KEY")));
  return path;
}

export const entraRows: readonly Row[] = [
  ofState(
    "principal-exists/cpo",
    "a disabled service principal",
    /AADSTS7000112/,
    (state) => {
      const principal = applicationOf(state, "cpo").servicePrincipal;
      if (principal) principal.disabled = true;
    },
    firstLine,
  ),
  ofState(
    "principal-exists/disk",
    "a deleted application",
    /was deleted on/,
    (state) => {
      const deleted = applicationOf(state, "disk");
      delete state.applications[deleted.appId];
      state.deletedApplications = { ...state.deletedApplications, [deleted.appId]: { ...deleted, deletedAt: Date.now() } };
    },
    firstLine,
  ),
  ofState(
    "principal-exists/cpo",
    "an application without a service principal",
    /application demo-cpo exists, but its service principal does not/,
    (state) => {
      delete applicationOf(state, "cpo").servicePrincipalId;
      delete applicationOf(state, "cpo").servicePrincipal;
    },
    firstLine,
    { leaves: ["role-assigned/cpo failed"] },
  ),
  ofState(
    "principal-exists/ingress",
    "a purged application",
    /has no application and no service principal with client ID/,
    (state) => delete state.applications[applicationOf(state, "ingress").appId],
    firstLine,
    { leaves: ["role-assigned/ingress failed"] },
  ),
  ofState(
    "sign-in/network",
    "a certificate that Entra does not accept yet",
    /AADSTS700027/,
    (state) => applicationOf(state, "network").keyCredentials?.forEach((key) => (key.addedAt = far)),
    wait((state) => applicationOf(state, "network").keyCredentials?.forEach((key) => (key.addedAt = 0))),
  ),
  ofState(
    "application-key/network",
    "a certificate that is missing from another owner's application",
    /AADSTS700027/,
    (state) => (applicationOf(state, "network").keyCredentials = []),
    // "for others": an application that aro-hcp did not create.
    async (state, result) =>
      void (await run(state, commandsIn(result)[1] ?? "", { "certificate.pem": await certificateFile(state, "network") })),
  ),
  ofState(
    "application-key/file",
    "a certificate that is missing from the application",
    /AADSTS700027/,
    (state) => (applicationOf(state, "file").keyCredentials = []),
    firstLine,
  ),
  ofState(
    "azure-read/cloud-provider",
    "a role assignment without effect yet",
    /AuthorizationFailed/,
    (state) => assignmentsOf(state, "cloud-provider").forEach(([, each]) => (each.actionsFrom = far)),
    async (state, result) => {
      // The other cause that the advice names, a deny assignment, does not exist.
      expect(await run(state, commandsIn(result)[0] ?? "")).toEqual({ value: [] });
      return wait((stored) => assignmentsOf(stored, "cloud-provider").forEach(([, each]) => (each.actionsFrom = 0)))(state, result);
    },
  ),
  ofState(
    "identity-exists/azure-disk-MI",
    "a deleted managed identity",
    /none of the 2 visible managed identities/,
    ({ resources }) => {
      for (const id of Object.keys(resources)) if (id.includes("/azure-disk-mi-demo")) Reflect.deleteProperty(resources, id);
    },
    async (state, result) => {
      const create = commandsIn(result).find((line) => line.startsWith("aro-hcp create identities"));
      await run(state, create ?? "");
    },
    { leaves: ["role-assigned/azure-disk-MI failed"] },
  ),
  ofState(
    "federation/azure-disk-MI",
    "an issuer with a trailing slash",
    /issuer "https:\/\/demo[^"]*\/" is not "https:\/\/demo[^"]*[^/]" \(AADSTS700211\)/,
    (state) => (federatedCredential(state, "azure-disk").properties["issuer"] = `${issuer}/`),
    firstLine,
  ),
  ofState(
    "federated-sign-in/azure-file-MI",
    "a federated identity credential without effect yet",
    /AADSTS70021: no federated identity credential matches the token; Entra's message: AADSTS70021: No matching/,
    (state) => {
      const identity = Object.values(state.resources).find(({ name }) => name === "azure-file-MI-demo");
      const subject = "system:serviceaccount:openshift-cluster-csi-drivers:azure-file-csi-driver-node-sa";
      state.federationMisses = { [JSON.stringify([String(identity?.properties["clientId"]), issuer, subject])]: far };
    },
    wait((state) => Reflect.deleteProperty(state, "federationMisses")),
  ),
];
