/** Where the emulator answers otherwise than Azure on purpose, or where Azure's answers differ among themselves, with the reason. */

export interface Difference {
  /** A declared type, or a service. */
  readonly where: string;
  readonly azure: string;
  readonly here: string;
  readonly why: string;
}

const resourceManager: readonly Difference[] = [
  {
    where: "Resource Manager",
    azure: "some providers ignore an unknown member of a body",
    here: "400 `InvalidRequestContent` with the member's name",
    why: "a misspelled member must not pass here and have no effect there",
  },
  {
    where: "Resource Manager",
    azure: "answers more previews and older api-versions",
    here: "the ranges and previews of the table",
    why: "their members differ, and no known client sends them",
  },
  {
    where: "Resource Manager",
    azure: "`InvalidResourceType` for an unknown api-version, if neither body nor resource has a location",
    here: "`NoRegisteredProviderFound` every time",
    why: "both name the versions; no recording has the first one",
  },
  {
    where: "Resource Manager",
    azure: "a resource group with `tags: null` is accepted in a recording",
    here: "accepted, as no tags",
    why: "nothing newer is recorded",
  },
  {
    where: "Resource Manager",
    azure: "lists over all types show the SKU of a public IP address with its tier (one recording) or without (two, 2023)",
    here: "without",
    why: "the newer recordings do not have it",
  },
  {
    where: "Resource Manager",
    azure: "a list over all types, filtered by name, links to an empty page in recordings until 2023-04, and not since 2023-06",
    here: "without the link",
    why: "the newer recordings do not have it",
  },
  {
    where: "Resource Manager",
    azure: "deletes what a group contains bit by bit",
    here: "at the end of the deletion, all at once",
    why: "no recording shows the order",
  },
  {
    where: "Resource Manager",
    azure: "some front ends compress every 200, others none",
    here: "a 200 is compressed if the client accepts it",
    why: "clients that accept it must cope with both",
  },
  {
    where: "Resource Manager",
    azure: "`Retry-After` of 3 to 160 seconds, whatever an operation takes",
    here: "the same, but with `retry-after-ms` of at most a second under the latency profile `none`",
    why: "that profile is for tests, which should not wait",
  },
  {
    where: "Resource Manager",
    azure: "a write that refers to a resource still being created is refused until that is ready, so the order of creations can change",
    here: "the same, but under the latency profile `none` most are ready at once",
    why: "that profile is for tests, which should not wait",
  },
];

const providers: readonly Difference[] = [
  {
    where: "Microsoft.ManagedIdentity/userAssignedIdentities",
    azure: "`Location` of a creation, also of a federated identity credential, is a path",
    here: "a URL with that path",
    why: "Azure's API description allows nothing else",
  },
  {
    where: "Microsoft.Network/networkInterfaces",
    azure: "`dnsSettings.internalDomainNameSuffix` is a random zone, whose second label depends on the region",
    here: "another random zone, in `bx.internal.cloudapp.net`",
    why: "no client depends on the value",
  },
  {
    where: "Microsoft.Network/networkInterfaces",
    azure: "in 2022-01-01 and 2022-11-01, `enableAcceleratedNetworking` is answered in some regions although it was not sent (2023)",
    here: "answered if it was sent, or if a version since 2023-02-01 made the interface; in `eastus2`, since 2022-01-01",
    why: "all recordings of that region have it, and those of other regions do not",
  },
  {
    where: "Microsoft.Network/dnszones",
    azure: "name servers of one of many groups: `ns1-32`, and `daily` in tests of Azure's own",
    here: "`ns1-01.azure-dns.com` and its siblings",
    why: "which group serves a zone is chosen by Azure",
  },
  {
    where: "Microsoft.Network/dnszones",
    azure: "refusals without `error` around them, in every version",
    here: "with `error` in 2018-05-01",
    why: "Azure's API description of that version has it, and the traffic of all tests is checked against that",
  },
  {
    where: "Microsoft.Network/dnszones/A",
    azure: "accepts a TTL of 0 in all record sets (2023), but its documentation asks for at least 1",
    here: "accepted",
    why: "a recording is closer to Azure than its documentation",
  },
  {
    where: "Microsoft.Network/privateDnsZones",
    azure: "PATCH of a zone or a link is an operation, 202 (recordings of 2021 only)",
    here: "the same",
    why: "so it is described; nothing newer is recorded",
  },
  {
    where: "Microsoft.Network/privateDnsZones",
    azure: "`{}` as the body of a 202, and refusals without `error`, in every version",
    here: "no body, and `error`, in 2020-06-01 and 2024-06-01",
    why: "Azure's API descriptions of these versions say so, and the traffic of all tests is checked against them",
  },
  {
    where: "Microsoft.Network/privateDnsZones",
    azure: "`internalId` is an opaque text with a random ID inside",
    here: "the same form with another ID",
    why: "no client depends on the value",
  },
  {
    where: "Microsoft.Storage/storageAccounts",
    azure: "`allowBlobPublicAccess` is `true` by default in versions of 2021 to 2023, and `false` in 2025-06-01 (recorded in 2026)",
    here: "`false` since 2024-01-01",
    why: "the first version after those that were seen with `true`",
  },
  {
    where: "Microsoft.Storage/storageAccounts",
    azure: "in recordings of 2023, `minimumTlsVersion` is `TLS1_0` by default, and `allowCrossTenantReplication` absent",
    here: "`TLS1_2` and `false` in every version",
    why: "Azure has changed both defaults since then, for every version",
  },
  {
    where: "Microsoft.Storage/storageAccounts",
    azure: "the zone of static websites depends on the region, sometimes on the account",
    here: "one zone for each region, and `z1` where none is known",
    why: "static websites are not served",
  },
  {
    where: "Microsoft.KeyVault/vaults",
    azure: "`enableSoftDelete: false` is accepted and answered with `true` (2025, an old version), but refused by its documentation",
    here: "accepted, and answered with `true`",
    why: "a recording is closer to Azure than its documentation",
  },
  {
    where: "Microsoft.ContainerService/managedClusters",
    azure: "polls answer `NotLatestOperation` in some recordings",
    here: "those of a deletion do",
    why: "recordings differ in which polls say it",
  },
  {
    where: "Microsoft.ContainerService/managedClusters",
    azure: "describes `eTag` since 2024-09-01, and answers none in recordings of that version and of 2025-08-01 (2026)",
    here: "answered since 2025-09-01",
    why: "the first version after those that were seen without one",
  },
  {
    where: "Microsoft.ContainerService/managedClusters",
    azure: "recordings of 2023 name a newer api-version than they were made with, and lack what that version added",
    here: "each version has the members of its description",
    why: "the tests that recorded them replace the version in the recording",
  },
  {
    where: "Microsoft.ContainerService/managedClusters",
    azure: "some defaults depend on the Kubernetes version of a cluster, such as the surge of its pools",
    here: "they depend on the api-version that creates it",
    why: "every Kubernetes version that is offered has the new defaults, and the newest recording of each api-version has those of its day",
  },
  {
    where: "Microsoft.ContainerService/managedClusters",
    azure: "since 2025, a poll of a running operation may say what it does, such as `CreatingAgentPools: 0/1 nodes completed`",
    here: "`InProgress`",
    why: "recordings differ in which polls say it, and in the words",
  },
];

const otherServices: readonly Difference[] = [
  {
    where: "preview features",
    azure: "a registration takes a quarter of an hour, and some features need Microsoft's approval",
    here: "every feature is registered at the next read",
    why: "a seed decides which are registered before",
  },
  {
    where: "metadata service of machines",
    azure: "each machine reaches its own at `http://169.254.169.254`",
    here: "`https://MACHINE.instance-metadata.invalid`",
    why: "one port stands for all machines, so the hostname says which one asks",
  },
  {
    where: "Key Vault",
    azure: "the certification authority of an issuer checks who owns the names, and may take days",
    here: "an authority of the emulator signs at once",
    why: "no account exists behind an issuer; a seed can hold or reject its requests",
  },
  {
    where: "Microsoft Graph",
    azure: "`signInAudience` is `AzureADandPersonalMicrosoftAccount` by default in recordings of 2022 and 2023",
    here: "`AzureADMyOrg`",
    why: "the default since April 2024",
  },
];

/** What recordings show that no emulator can answer: it depends on who recorded them, and where. */
const recordings: readonly Difference[] = [
  {
    where: "recordings of a shared subscription",
    azure: "lists over the subscription (locks, tag names, DNS zones, role definitions) contain what others made",
    here: "only what is in the emulator",
    why: "a replay begins with a subscription of its own",
  },
  {
    where: "recordings of a shared subscription",
    azure: "a policy adds the tag `creationdate` to each new group; groups that the tests found had tags",
    here: "the tags that were sent",
    why: "a replay knows neither the policy nor the groups",
  },
  {
    where: "recordings of a shared subscription",
    azure: "a vault is recovered that an earlier recording deleted, without a retention in its answer",
    here: "with 90 days, as the replayed one was made",
    why: "a replay knows the name of the deleted vault, but not its settings",
  },
  {
    where: "recordings of a user",
    azure: "Microsoft Graph answers `/me`",
    here: "400, as Azure answers an application",
    why: "the callers of the emulator are applications",
  },
  {
    where: "recordings with replaced names",
    azure: "a vault of one region is purged in another; a region that does not exist is refused",
    here: "404 `DeletedVaultNotFound`; created",
    why: "the recorder replaced the name of the region in one request only; the replay replaces a region that the emulator does not have",
  },
  {
    where: "providers that aro-hcp does not use",
    azure: "Microsoft.RecoveryServices is registered, and has types",
    here: "not registered, without types; 409 `MissingSubscriptionRegistration` for a write",
    why: "types are emulated that aro-hcp makes, or that share groups with them",
  },
  {
    where: "Template deployments, resource links",
    azure: "written and listed",
    here: "501 for a write; lists of deployments are empty",
    why: "aro-hcp has neither; templates are a language of their own",
  },
];

export const differences: readonly Difference[] = [...resourceManager, ...providers, ...otherServices, ...recordings];
