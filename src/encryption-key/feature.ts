/** The key that encrypts etcd, in a Key Vault or in a managed HSM. */
export { commands } from "./commands.js";
export { options } from "./options.js";

export const modules = {
  "create encryption-key": () => import("./create-encryption-key.js"),
  "rotate encryption-key": () => import("./rotate-encryption-key.js"),
  "show encryption-key": () => import("./show-encryption-key.js"),
  "destroy encryption-key": () => import("./destroy-encryption-key.js"),
};

export const documents = () => import("./documents.js");
