/** What to do about a vault and what is in it: exact commands where the vault tells whose it is, else in words. */
import type { Vault } from "@azure/arm-keyvault";
import { identitySetTag } from "../../infra/ownership.js";
import { parseResourceId } from "../../infra/resource-id.js";
import { secretsUser } from "../../infra/role-table.js";
import type { IdentityChain } from "./chain.js";

export interface Advice {
  /** Writes the secret anew, with what is right. */
  writeAgain(secretName: string): string;
  /** Replaces certificate and secret. */
  rotate(component: string): string;
  /** Lets whoever verifies read secrets. */
  letRead(): string;
}

export function adviceFor({ id = "", name = "", location, tags }: Vault, { runner, issuerUrl }: IdentityChain, withKms: boolean): Advice {
  const set = tags?.[identitySetTag];
  const group = id === "" ? undefined : parseResourceId(id).resourceGroup;
  const flags = `--name ${set ?? ""} --resource-group-name ${group ?? ""} --key-vault-name ${name}`;
  // Of a set of ours, `create identities` knows what each secret must say.
  const ours = set !== undefined && group !== undefined;
  return {
    writeAgain: (secretName) =>
      ours && issuerUrl !== undefined
        ? `\`aro-hcp create identities ${flags}${location === undefined ? "" : ` --location ${location}`} --oidc-issuer-url ${issuerUrl}${withKms ? " --enable-kms" : ""}\` writes it anew`
        : `write it anew, as docs/files.md shows it: \`az keyvault secret set --vault-name ${name} --name ${secretName} --file FILE\``,
    rotate: (component) =>
      ours
        ? `\`aro-hcp rotate credentials ${flags} --component ${component}\``
        : "make a new certificate, put it on the application, and write the secret anew",
    letRead: () =>
      `\`az role assignment create --role "${secretsUser.name}" --assignee-object-id ${runner.objectId} --assignee-principal-type ${runner.principalType} --scope ${id}\`; it takes some minutes to spread`,
  };
}
