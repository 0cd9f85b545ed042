/** The faults of a service cluster's ingress, each with the check that reports it. */
import type { VersionAttributes } from "../../../src/emulator/state/vault-content.js";
import { secretsUser } from "../../../src/domain/roles.js";
import { ids as svc, rule, seedSurroundings, withIngress } from "../cli/service-clusters.js";
import { changeState, setProperties } from "../../harness/state-changes.js";
import { without, type AksRow } from "./aks-row.js";
import type { AksScenario, AksState } from "./aks-state.js";

export const service: AksScenario = {
  title: "service cluster",
  kind: "service-cluster",
  name: "svc",
  flags: [...withIngress, "--ops-ingress"],
  prepare: seedSurroundings,
};

/** Changes the current version of the TLS certificate. */
const certificate = (attributes: Partial<VersionAttributes>) => (state: AksState) =>
  changeState(state, ({ vaults = {} }) => {
    const versions = Object.values(vaults["kv-svc"]?.certificates ?? {}).flatMap((one) => one.versions);
    for (const version of versions) version.attributes = { ...version.attributes, ...attributes };
  });
const inDays = (days: number) => Math.floor(Date.now() / 1000) + days * 86_400;

const createsService = /^`aro-hcp create service-cluster --cloud local --name svc --output-file \S+`/;

export const serviceRows: readonly AksRow[] = [
  {
    ...{
      check: "security-rule",
      subject: "rp-in-arm",
      evidence: /destinationAddressPrefix: 203\.0\.113\.200, not 203\.0\.113\.\d+$/,
      next: createsService,
    },
    ...{ breaks: (state) => setProperties(state, rule("rp-in-arm"), { destinationAddressPrefix: "203.0.113.200" }), fix: "create" },
  },
  {
    ...{
      check: "security-rule",
      subject: "sre-in-ops",
      evidence: /"theirs" of priority 135 denies CorpNetSaw/,
      next: /`az network nsg rule delete .* --name theirs`$/,
    },
    breaks: async (state) => {
      const { properties } = (await state.snapshot()).resources[rule("sre-in-ops").toLowerCase()] as { properties: object };
      await state.seed({
        resources: { [rule("theirs")]: { properties: { ...properties, provisioningState: undefined, access: "Deny", priority: 135 } } },
      });
    },
    fix: "line",
  },
  {
    ...{
      check: "record-address",
      subject: "rp.eastus.hcp.example.com",
      evidence: /^it is at 203\.0\.113\.200, and the ingress at/,
      next: createsService,
    },
    ...{ breaks: (state) => setProperties(state, svc.rp, { ARecords: [{ ipv4Address: "203.0.113.200" }] }), fix: "create" },
  },
  {
    ...{
      check: "zone-delegated",
      subject: "eastus.hcp.example.com",
      evidence: /lists ns1\.example\.net/,
      next: /`az network dns record-set ns add-record/,
    },
    ...{ breaks: (state) => setProperties(state, svc.delegation, { NSRecords: [{ nsdname: "ns1.example.net." }] }), fix: "create" },
  },
  {
    ...{ check: "vault-addon-role", subject: "secret frontend-cert of Key Vault kv-svc", evidence: /does not exist/, next: createsService },
    ...{ breaks: without(secretsUser, `${svc.vault}/secrets/frontend-cert`), fix: "create" },
  },
  {
    ...{ check: "certificate-valid", subject: "certificate frontend-cert", evidence: /^it is disabled/, next: createsService },
    ...{ breaks: certificate({ enabled: false }), fix: "create" },
  },
  {
    ...{
      check: "certificate-expiry",
      subject: "certificate frontend-cert",
      state: "warning",
      evidence: /expires in \d days/,
      next: /its issuer may have refused/,
    },
    ...{ breaks: certificate({ exp: inDays(10) }), fix: certificate({ exp: inDays(300) }) },
  },
];
