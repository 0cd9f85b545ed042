/** Families of requests, as people ask for them. The first that fits counts. */

export const families = {
  AKS: /^microsoft\.containerservice/,
  storage: /^(?:microsoft\.storage|blob )/,
  "key vaults": /^(?:microsoft\.keyvault|vault )/,
  roles: /^microsoft\.authorization\/role/,
  Graph: /^graph /,
  "network interfaces": /^microsoft\.network\/networkinterfaces/,
  DNS: /^microsoft\.network\/(?:private)?dnszones/,
  network: /^microsoft\.network/,
  identities: /^microsoft\.managedidentity/,
  "Azure Arc": /^microsoft\.(?:kubernetes|kubernetesconfiguration)(?:\/|$)/,
  "Resource Manager": /./,
} satisfies Record<string, RegExp>;

export type Family = keyof typeof families;

/** Of a kind of request: "Microsoft.Network/virtualNetworks (list)", "vault keys", "graph applications", "resourceGroups". */
export function familyOf(kind: string): Family {
  const found = Object.entries(families).find(([, pattern]) => pattern.test(kind.toLowerCase()));
  return (found?.[0] ?? "Resource Manager") as Family;
}
