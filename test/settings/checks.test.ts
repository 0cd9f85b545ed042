import { symlinkSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { temporaryDirectory } from "../harness/temporary-directory.js";
import { create, nsgId, problemsOf, resolve, subnetId, subscription, vnetId } from "./resolving.js";

type Flags = Parameters<typeof create>[0];

const only = async (flags: Flags): Promise<string[]> =>
  (await problemsOf(create(flags))).map(({ origin, message }) => `${origin}: ${message}`);

describe("valid settings are accepted", () => {
  test.each<[string, Flags]>([
    ["the minimum", {}],
    ["other address ranges", { vnetCidr: "192.168.0.0/20", subnetCidr: "192.168.8.0/21" }],
    ["an existing network", { vnetId, networkSecurityGroupId: nsgId }],
    ["an existing subnet", { subnetId }],
    ["an existing network and its subnet in other casing", { vnetId: vnetId.toUpperCase(), subnetId }],
    ["everything in one existing group", { singleResourceGroup: true, resourceGroupName: "NET", vnetId, networkSecurityGroupId: nsgId }],
    ["one new group for all resources", { singleResourceGroup: true }],
    ["roles", { assignIdentityRoles: true, dnsZoneRgName: "dns", workloadIdentitiesFile: "w.json" }],
    ["both files of managed identities", { managedIdentitiesFile: "a", dataPlaneIdentitiesFile: "b" }],
    ["many tags", { resourceGroupTags: Array.from({ length: 48 }, (_, index) => `k${index}=v`) }],
  ])("%s", async (_, flags) => {
    expect(await only(flags)).toEqual([]);
  });
});

describe("invalid settings are refused with the reason", () => {
  test.each<[Flags, string]>([
    [
      { egress: "nat-gateway", vnetId },
      '--egress: "nat-gateway" cannot be combined with --vnet-id: a NAT gateway must be attached to the subnet',
    ],
    [
      { egress: "nat-gateway", subnetId },
      '--egress: "nat-gateway" cannot be combined with --subnet-id: a NAT gateway must be attached to the subnet',
    ],
    [{ resourceGroupTags: ["aro-hcp-options=mine"] }, "earlier versions recorded settings in it"],
    [{ name: "a".repeat(64) }, "--name: "],
    [{ name: "a.b" }, '--name: "a.b" must have 1 to 63'],
    [{ infraId: "-x" }, '--infra-id: "-x" must have 1 to 63'],
    [{ name: "a".repeat(35), infraId: "b".repeat(30) }, "--name: virtual network name"],
    [{ baseDomain: "example" }, '--base-domain: "example" is not a lowercase domain name of two or more labels'],
    [{ baseDomain: "example.com." }, "--base-domain: "],
    [{ baseDomain: "Example.com" }, "--base-domain: "],
    [{ location: "east us" }, 'did you mean "eastus"?'],
    [{ subscription: "mine" }, '--subscription: "mine" is not a UUID'],
    [{ resourceGroupName: "ends." }, "--resource-group-name: resource group name"],
    [{ dnsZoneRgName: "a/b" }, "--dns-zone-rg-name: resource group name"],

    [{ vnetCidr: "10.0.0.0" }, "is not an IPv4 CIDR range"],
    [{ vnetCidr: "10.0/16" }, "is not an IPv4 CIDR range"],
    [{ vnetCidr: "010.0.0.0/16" }, "is not an IPv4 CIDR range"],
    [{ vnetCidr: "10.0.0.256/16" }, "is not an IPv4 CIDR range"],
    [{ vnetCidr: "10.0.0.0/33" }, "is not an IPv4 CIDR range"],
    [{ vnetCidr: "fd00::/64" }, "is not an IPv4 CIDR range"],
    [{ vnetCidr: "10.0.0.1/16" }, 'did you mean "10.0.0.0/16"?'],
    [{ vnetCidr: "10.0.0.0/30" }, "not between /2 and /29"],
    [{ vnetCidr: "168.63.0.0/16" }, "Azure's own DNS address"],
    [{ vnetCidr: "224.0.0.0/8" }, "multicast"],
    [{ subnetCidr: "10.1.0.0/24" }, "--subnet-cidr: 10.1.0.0/24 is not inside the virtual network, 10.0.0.0/16"],

    [{ vnetId: "corp" }, '--vnet-id: "corp" is not an Azure resource ID'],
    [{ vnetId: nsgId }, "expected a Microsoft.Network/virtualNetworks"],
    [{ subnetId: vnetId }, "expected a Microsoft.Network/virtualNetworks/subnets"],
    [{ networkSecurityGroupId: subnetId }, "expected a Microsoft.Network/networkSecurityGroups"],
    [{ vnetId: `${vnetId}2`, subnetId }, "not in the virtual network of --vnet-id"],
    [{ vnetId, networkSecurityGroupId: nsgId.replace(subscription, "other") }, `is in subscription other, not in ${subscription}`],
    [{ vnetId, subscription: "22222222-2222-2222-2222-222222222222" }, `--vnet-id: is in subscription ${subscription}`],
    [{ vnetId, vnetCidr: "10.0.0.0/16" }, "--vnet-cidr: cannot be combined with --vnet-id"],
    [{ subnetId, subnetCidr: "10.0.0.0/24" }, "--subnet-cidr: cannot be combined with --subnet-id"],
    [{ singleResourceGroup: true, vnetId }, "cannot be in the new group of --single-resource-group"],
    [
      { singleResourceGroup: true, resourceGroupName: "mine", vnetId },
      'is in resource group "net", but --single-resource-group uses "mine"',
    ],

    [{ resourceGroupTags: "azure-x=1" }, 'tag "azure-x" starts with "azure"'],
    [{ resourceGroupTags: "Microsoft=1" }, 'starts with "microsoft"'],
    [{ resourceGroupTags: "a/b=1" }, "contains a character that Azure rejects"],
    [{ resourceGroupTags: "=1" }, "has no name"],
    [{ resourceGroupTags: `${"k".repeat(513)}=1` }, "has a name of 513 characters; Azure accepts at most 512"],
    [{ resourceGroupTags: `k=${"v".repeat(257)}` }, "has a value of 257 characters; Azure accepts at most 256"],
    [{ resourceGroupTags: "ARO-HCP-infra-id=mine" }, "is reserved"],
    [{ resourceGroupTags: "__proto__=x" }, 'tag "__proto__" has a reserved name'],
    [{ resourceGroupTags: "Constructor=x" }, "has a reserved name"],
    [{ resourceGroupTags: Array.from({ length: 49 }, (_, index) => `k${index}=v`) }, "has 49 tags"],

    [{ assignIdentityRoles: true, managedIdentitiesFile: "a" }, "--assign-identity-roles: requires --dns-zone-rg-name"],
    [{ assignIdentityRoles: true, dnsZoneRgName: "dns" }, "--assign-identity-roles: requires --managed-identities-file"],
    [{ assignCustomHcpRoles: true, managedIdentitiesFile: "a" }, "--assign-custom-hcp-roles: requires --dns-zone-rg-name"],
    [{ workloadIdentitiesFile: "a", managedIdentitiesFile: "b" }, "--workload-identities-file: cannot be combined with"],
    [{ workloadIdentitiesFile: "a", dataPlaneIdentitiesFile: "b" }, "--workload-identities-file: cannot be combined with"],
    [{ disableClusterCapabilities: "imageregistry" }, 'did you mean "ImageRegistry"?'],

    [{ outputEvents: "-", output: "json" }, "cannot be standard output together with `--output json`"],
    [{ outputFile: "a.json", outputReport: "a.json" }, "is also the path of --output-file"],
    [{ outputFile: "a.json", outputTimings: "./a.json" }, "is also the path of --output-file"],
    [{ outputFile: "a.json", managedIdentitiesFile: "a.json" }, '--output-file: "a.json" is also an input'],
    [{ outputFile: "a.json", outputEvents: "a.json" }, "is also the path of --output-file"],
    [{ outputFile: "./a.json", managedIdentitiesFile: "a.json" }, '--output-file: "./a.json" is also an input'],
    [{ outputFile: `${process.cwd()}/a.json`, managedIdentitiesFile: "a.json" }, "is also an input"],
    [{ outputFile: "a.json", outputEvents: "test/../a.json" }, "is also the path of --output-file"],
    [{ concurrency: "0" }, "--concurrency: 0 is not between 1 and 64"],
    [{ concurrency: "65" }, "--concurrency: 65 is not between 1 and 64"],
    [{ cloud: "AzureStackCloud" }, '--cloud: "AzureStackCloud" is not one of'],
    [{ naming: "mine" }, '--naming: "mine" is not one of documented, hypershift'],
  ])("%j", async (flags, why) => {
    const problems = await only(flags);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(why);
  });
});

describe("valid settings that may be a mistake cause a notice", () => {
  const noticesOf = async (vnetCidr: string, subnetCidr: string): Promise<readonly string[]> =>
    (await create({ vnetCidr, subnetCidr })).notices;

  test("a network that overlaps the default ranges of pods and services", async () => {
    expect(await noticesOf("10.132.0.0/16", "10.132.0.0/24")).toEqual([
      expect.stringContaining("hypershift gives a hosted cluster (10.132.0.0/14)"),
    ]);
    expect(await noticesOf("172.31.0.0/24", "172.31.0.0/24")).toEqual([expect.stringContaining("service network")]);
  });

  test("a network of public addresses", async () => {
    expect(await noticesOf("20.0.0.0/16", "20.0.0.0/24")).toEqual([expect.stringContaining("is not a private range")]);
  });

  test("the defaults cause none", async () => {
    expect((await create()).notices).toEqual([]);
  });
});

test("a subnet is accepted if and only if the network contains all its addresses", async () => {
  const cidr = fc
    .tuple(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 16, max: 29 }))
    .map(([low, prefix]) => ({ start: low - (low % 2 ** Math.max(0, 32 - prefix)), size: 2 ** (32 - prefix), prefix }));
  const text = ({ start, prefix }: { start: number; prefix: number }): string => `10.9.${start >> 8}.${start & 255}/${prefix}`;
  await fc.assert(
    fc.asyncProperty(cidr, cidr, async (vnet, subnet) => {
      const inside = subnet.start >= vnet.start && subnet.start + subnet.size <= vnet.start + vnet.size;
      expect((await only({ vnetCidr: text(vnet), subnetCidr: text(subnet) })).length).toBe(inside ? 0 : 1);
    }),
  );
});

describe("destroy infra", () => {
  test("requires a name and an infra ID, or an output file", async () => {
    expect((await problemsOf(resolve("destroy infra", {}))).map(({ origin }) => origin)).toEqual(["--name", "--infra-id"]);
    expect(await problemsOf(resolve("destroy infra", { infraFile: "infra.json" }))).toEqual([]);
    expect(await problemsOf(resolve("destroy infra", { name: "demo", infraId: "x" }))).toEqual([]);
  });
});

describe("an input and an output with the same path", () => {
  const directory = temporaryDirectory(afterAll);

  test("is detected through symbolic links of files and directories", async () => {
    const file = directory.write("ids.json", "{}");
    symlinkSync(file, path.join(directory.path, "link.json"));
    symlinkSync(directory.path, path.join(directory.path, "here"));
    for (const other of ["link.json", "here/ids.json"]) {
      const problems = await only({ outputFile: path.join(directory.path, other), managedIdentitiesFile: file });
      expect(problems, other).toEqual([expect.stringContaining("is also an input")]);
    }
    const [outputEvents, outputFile] = ["new.json", "here/new.json"].map((name) => path.join(directory.path, name));
    expect(await only({ outputEvents, outputFile })).toEqual([expect.stringContaining("is also the path of --output-file")]);
  });

  test("is detected among the files of identities", async () => {
    const flags = { name: "demo", persistentResourceGroupName: "common", oidcIssuerUrl: "https://issuer.example.com/demo" };
    const problems = await problemsOf(
      resolve("create identities", { ...flags, outputFile: "ids.json", outputManagedIdentities: "./ids.json" }),
    );
    expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining("one of them would be overwritten")]);
    const read = await problemsOf(
      resolve("create identities", { ...flags, azureCreds: "creds.json", outputDataPlaneIdentities: "./creds.json" }),
    );
    expect(read.map(({ message }) => message)).toEqual([expect.stringContaining("is also an input")]);
  });
});
