/** The address of a resource in the Azure portal. */

/** A part of a resource has the page of the whole resource, and a role assignment has the list of its scope. */
export function portalPage(portal: string | undefined, tenantId: string | undefined, id: string): string | undefined {
  const [scope = "", assignment] = id.split(/\/providers\/Microsoft\.Authorization\//i);
  const [whole] = /^\/subscriptions\/[^/]+(?:\/resourceGroups\/[^/]+(?:\/providers\/[^/]+\/[^/]+\/[^/]+)?)?/i.exec(scope) ?? [];
  if (portal === undefined || whole === undefined) return undefined;
  return `${portal}/#${tenantId === undefined ? "" : `@${tenantId}/`}resource${whole}${assignment === undefined ? "" : "/users"}`;
}
