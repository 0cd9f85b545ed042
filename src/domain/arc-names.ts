/** The names of the resources of Azure Arc in Azure. */
export interface ArcNames {
  readonly group: string;
  readonly cluster: string;
}

export function arcNames(name: string): ArcNames {
  return { group: `${name}-arc`, cluster: name };
}
