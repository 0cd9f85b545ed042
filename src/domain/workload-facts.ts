/** The managed identity of a component with a self-managed control plane, as `create iam azure` makes it. */

export interface WorkloadFacts {
  readonly order: number;
  /** Older versions of HyperShift have no such identity, so a file may lack it. */
  readonly isNewer?: true;
  /** In the name of the identity, between the cluster's name and its infra ID. */
  readonly name: string;
  /** In the names of its federated identity credentials, if that differs. */
  readonly credential?: string;
  /** Subjects of the tokens that it trusts, by the ending of the credential's name. */
  readonly subjects: Readonly<Record<string, string>>;
}
