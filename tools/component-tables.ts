/** The tables of components in docs/identities.md, from the components in src. */
import { controlPlaneComponents, dataPlaneComponents, type ComponentRole } from "../src/domain/components.js";
import { scopeWords } from "../src/domain/identity-flow.js";
import { code, row } from "./markdown.js";

export function componentTables(): string {
  const roleCells = (assigned: ComponentRole | undefined) => [
    assigned ? [assigned.role, ...(assigned.hcpRole ? [assigned.hcpRole] : [])].map(({ name }) => name).join("; or ") : "",
    assigned ? assigned.scopes.map((scope) => scopeWords[scope]).join(", ") : "",
    assigned ? code(assigned.hypershiftName) : "",
  ];
  const control = controlPlaneComponents.map(({ key, field, pod, secretProviderClass, assigned, vaultRole }) => {
    const [role = "", groups = "", name = ""] = roleCells(assigned);
    const cells = vaultRole ? [vaultRole.name, "the key that encrypts etcd", name] : [role, groups, name];
    return row([code(key), code(field), code(pod), code(secretProviderClass), ...cells]);
  });
  const data = dataPlaneComponents.map(({ key, field, subject, assigned }) =>
    row([code(key), code(field), code(subject), ...roleCells(assigned)]),
  );
  return `Control-plane components. \`kms\` needs \`--enable-kms\`. If there are two roles, \`--assign-custom-hcp-roles\` selects the
second:

| component | field | pod | SecretProviderClass | role | resource groups | HyperShift's name |
| --- | --- | --- | --- | --- | --- | --- |
${control.join("\n")}

Data-plane components:

| component | field | subject of its token | role | resource groups | HyperShift's name |
| --- | --- | --- | --- | --- | --- |
${data.join("\n")}

\`create infra\` and \`create all\` assign the roles, except that of \`kms\`, which \`create encryption-key\`
and \`create all --enable-kms\` assign.`;
}
