/** The flow of the identities as a drawing shows it: who, by what proof, as which principal, with which role, on what. */
import { controlPlaneComponents, dataPlaneComponents, managedIdentityLabel } from "../../infra/components.js";
import { parseResourceId, sameId } from "../../infra/resource-id.js";
import { roleTable, type Role, type RoleScope } from "../../infra/role-table.js";
import type { Finding } from "../check.js";
import type { IdentityChain } from "./chain.js";
import type { IdentityCheckId } from "./checks.js";
import { controlPlanePart, dataPlanePart, hasKms, isObject } from "./file-documents.js";
import { scopesIn, type Scopes } from "./scopes.js";

interface Cell {
  readonly label: string;
  readonly detail: string;
  readonly checks: readonly IdentityCheckId[];
}

interface Target extends Cell {
  readonly id: string;
  readonly subject: string;
}

interface Lane {
  readonly subject: string;
  readonly plane: "control plane" | "data plane";
  readonly cells: readonly Cell[];
  readonly targets: readonly string[];
}

export interface IdentityFlow {
  readonly columns: readonly string[];
  readonly lanes: readonly Lane[];
  readonly targets: readonly Target[];
}

const columns = ["component", "proof", "principal", "role", "works on"];
const kmsTarget = "kms";

const secretChecks: readonly IdentityCheckId[] = [
  "secret-not-deleted",
  "secret-exists",
  "secret-plain",
  "credential-json",
  "credential-fields",
  "credential-identity",
  "credential-endpoint",
  "credential-dates",
  "credential-certificate",
  "credential-expiry",
  "secret-attributes",
  "certificate-current",
];
const roleChecks: readonly IdentityCheckId[] = ["role-defined", "role-assigned", "role-name-free", "azure-read"];

/** As far as files and settings tell it; what they do not is left blank. */
export function identityFlow(chain: IdentityChain, subscriptionId: string): IdentityFlow {
  const scopes = chain.infra === undefined ? {} : scopesIn(chain.infra, subscriptionId);
  const lanes = [...controlPlaneLanes(chain, scopes), ...dataPlaneLanes(chain, scopes)];
  const reached = new Set(lanes.flatMap(({ targets }) => targets));
  return { columns, lanes, targets: targetsOf(scopes).filter(({ id }) => reached.has(id)) };
}

function controlPlaneLanes(chain: IdentityChain, scopes: Scopes): Lane[] {
  const part = valueIn(controlPlanePart(chain));
  return controlPlaneComponents
    .filter(({ field }) => field !== "kms" || hasKms(chain))
    .map(({ name, field }): Lane => {
      const entry = field === "kms" ? part?.kms : part?.entries[field];
      const read = (key: string) => (isObject(entry) && typeof entry[key] === "string" ? entry[key] : "");
      const row = roleTable.find((each) => each.field === field);
      return {
        subject: name,
        plane: "control plane",
        cells: [
          { label: name, detail: field, checks: ["file-values"] },
          { label: read("credentialsSecretName") || "secret", detail: "certificate in a vault secret", checks: secretChecks },
          { label: "application", detail: read("clientID"), checks: ["principal-exists", "application-key", "sign-in"] },
          row ? roleCell(roleOf(row, chain)) : { label: "Key Vault Crypto User", detail: "", checks: ["kms-role"] },
        ],
        targets: row ? targetsAmong(row.scopes, scopes) : [kmsTarget],
      };
    });
}

function dataPlaneLanes(chain: IdentityChain, scopes: Scopes): Lane[] {
  const part = valueIn(dataPlanePart(chain));
  return dataPlaneComponents.map((component): Lane => {
    const { name, field, subject } = component;
    const clientId = part?.entries[field];
    const row = roleTable.find((each) => each.field === field);
    return {
      subject: managedIdentityLabel(component),
      plane: "data plane",
      cells: [
        { label: name, detail: field, checks: ["file-data-plane"] },
        { label: "service-account token", detail: subject.replace("system:serviceaccount:", ""), checks: ["federation"] },
        {
          label: "managed identity",
          detail: typeof clientId === "string" ? clientId : "",
          checks: ["identity-exists", "federated-sign-in"],
        },
        ...(row ? [roleCell(roleOf(row, chain))] : []),
      ],
      targets: row ? targetsAmong(row.scopes, scopes) : [],
    };
  });
}

function roleOf({ role, hcpRole }: { readonly role: Role; readonly hcpRole?: Role }, { customHcpRoles }: IdentityChain): Role {
  return customHcpRoles ? (hcpRole ?? role) : role;
}

function roleCell({ id, name }: Role): Cell {
  return { label: name.replace(/^Azure Red Hat OpenShift (?:Hosted Control Planes )?/, ""), detail: id, checks: roleChecks };
}

const groupWords: Readonly<Record<RoleScope, string>> = {
  managed: "managed group",
  vnet: "network's group",
  nsg: "security group's group",
  dns: "public zone's group",
};
const order: readonly RoleScope[] = ["managed", "vnet", "nsg", "dns"];

/** Several scopes may be one group, which is drawn once. */
function targetsOf(scopes: Scopes): Target[] {
  const groups = order.flatMap((scope): Target[] => {
    const id = scopes[scope];
    if (id === undefined || firstScopeOf(id, scopes) !== scope) return [];
    const words = order.filter((other) => sameId(scopes[other] ?? "", id)).map((other) => groupWords[other]);
    const subject = parseResourceId(id).resourceGroup ?? "";
    return [{ id: scope, subject, label: subject, detail: words.join(", "), checks: ["role-dangling"] }];
  });
  return [...groups, { id: kmsTarget, subject: "kms", label: "encryption key", detail: "of etcd", checks: ["kms-key"] }];
}

function targetsAmong(wanted: readonly RoleScope[], scopes: Scopes): RoleScope[] {
  return [...new Set(wanted.flatMap((scope) => firstScopeOf(scopes[scope], scopes) ?? []))];
}

function firstScopeOf(id: string | undefined, scopes: Scopes): RoleScope | undefined {
  return id === undefined ? undefined : order.find((scope) => sameId(scopes[scope] ?? "", id));
}

function valueIn<Value>(finding: Finding<Value>): Value | undefined {
  return finding.holds === true ? finding.value : undefined;
}
