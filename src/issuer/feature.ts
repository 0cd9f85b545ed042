/** The OIDC issuer of a cluster, and the key pair that signs its tokens. */
export { commands } from "./commands.js";
export { options } from "./options.js";

export const modules = {
  "create key-pair": () => import("./create-key-pair.js"),
  "create oidc-issuer": () => import("./create-oidc-issuer.js"),
  "adopt oidc-issuer": () => import("./adopt-oidc-issuer.js"),
  "destroy oidc-issuer": () => import("./destroy-oidc-issuer.js"),
};

export const documents = () => import("./documents.js");
