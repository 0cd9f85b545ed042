/** A difference between the api-versions of a type. */

/** A member of `properties`, or beside them, that not all api-versions have, or whose default depends on them. */
export interface VersionDifference {
  /** "privateEndpointVNetPolicies", "subnets.properties.defaultOutboundAccess": a path, through lists too. */
  readonly member: string;
  /** The first version that has it, or this default. */
  readonly since?: string;
  /** The first preview that has it, if previews had it before; without `since`, only previews have it. */
  readonly preview?: string;
  /** The first version that has not. */
  readonly before?: string;
  /** Versions in between that have not. */
  readonly except?: readonly string[];
  /** Other versions accept the member in a body, and ignore it. */
  readonly ignored?: true;
  /**
   * What a creation by these versions stores if its body omits the member: every version has it. If absent, other versions answer without the
   * member, and refuse it in a body unless they ignore it.
   */
  readonly default?: string | number | boolean;
}
