/** Where the emulator answers otherwise than Azure on purpose, with the reason. */

export interface Difference {
  /** A declared type, or a service. */
  readonly where: string;
  readonly azure: string;
  readonly here: string;
  readonly why: string;
}

export const differences: readonly Difference[] = [
  {
    where: "Azure Resource Manager",
    azure: "ignores some unknown members of a body, by provider",
    here: "400 `InvalidRequestContent` with the member's name",
    why: "a typing error must not pass here and have no effect there",
  },
  {
    where: "Azure Resource Manager",
    azure: "answers every preview and every old api-version",
    here: "the range of the table, and previews that are named there",
    why: "older versions and other previews have other members; clients that send them are not known",
  },
  {
    where: "Azure Resource Manager",
    azure: "404 `InvalidResourceType` for an unknown api-version of a list or a missing resource",
    here: "400 `NoRegisteredProviderFound` for every request",
    why: "no recording shows which of them answers when; both name the versions",
  },
];
