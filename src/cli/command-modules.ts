/** The module of each command, loaded on demand. */
import type { CommandName } from "../settings/commands.js";
import type { CommandModule } from "./run/run-command.js";

export const commandModules: { readonly [C in CommandName]: () => Promise<CommandModule<C>> } = {
  "create infra": () => import("./commands/create-infra.js"),
  "destroy infra": () => import("./commands/destroy-infra.js"),
  "adopt infra": () => import("./commands/adopt-infra.js"),
  "show infra": () => import("./commands/show-infra.js"),
  "verify infra": () => import("./commands/verify-infra.js"),
  graph: () => import("./commands/graph.js"),
  "create identities": () => import("./commands/create-identities.js"),
  "destroy identities": () => import("./commands/destroy-identities.js"),
  "show identities": () => import("./commands/show-identities.js"),
  "verify identities": () => import("./commands/verify-identities.js"),
  "rotate credentials": () => import("./commands/rotate-credentials.js"),
  "create key-pair": () => import("./commands/create-key-pair.js"),
  "create oidc-issuer": () => import("./commands/create-oidc-issuer.js"),
  "destroy oidc-issuer": () => import("./commands/destroy-oidc-issuer.js"),
  "create all": () => import("./commands/create-all.js"),
  "destroy all": () => import("./commands/destroy-all.js"),
  "show service-cluster": () => import("./commands/show-service-cluster.js"),
  "show management-cluster": () => import("./commands/show-management-cluster.js"),
  "create service-cluster": () => import("./commands/create-service-cluster.js"),
  "create management-cluster": () => import("./commands/create-management-cluster.js"),
  "destroy management-cluster": () => import("./commands/destroy-management-cluster.js"),
  "destroy service-cluster": () => import("./commands/destroy-service-cluster.js"),
  doctor: () => import("./commands/doctor.js"),
  "render secret-provider-classes": () => import("./commands/render-secret-provider-classes.js"),
  "render hosted-cluster": () => import("./commands/render-hosted-cluster.js"),
  "render hypershift-install": () => import("./commands/render-hypershift-install.js"),
  "render ingress": () => import("./commands/render-ingress.js"),
  schema: () => import("./commands/schema.js"),
};
