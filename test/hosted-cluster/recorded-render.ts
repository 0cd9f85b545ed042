/**
 * What `hypershift create cluster azure --render-sensitive` writes, recorded by its own tests (openshift/hypershift at 062f07fe,
 * cmd/cluster/azure/testdata): the documents of a minimal run and what each flag changes in them. Names, IDs and identities are those of our input.
 */
import * as samples from "../identities/cli/identities.js";

export const subscription = "11111111-1111-1111-1111-111111111111";
export const tenant = "7e7a0000-0000-4000-8000-000000000001";
const network = (path: string) => `/subscriptions/${subscription}/resourceGroups/net/providers/Microsoft.Network/${path}`;
const image = `/subscriptions/${subscription}/resourceGroups/images/providers/Microsoft.Compute/images/rhcos`;

/** The `--infra-file` of the runs, with hypershift's keys. */
export const infra = {
  infraID: "demo-x7k2",
  baseDomain: "hcp.example.com",
  publicZoneID: network("dnszones/hcp.example.com"),
  privateZoneID: network("privateDnsZones/demo.hcp.example.com"),
  region: "eastus",
  resourceGroupName: "demo-demo-x7k2",
  vnetID: network("virtualNetworks/demo"),
  subnetID: network("virtualNetworks/demo/subnets/default"),
  securityGroupID: network("networkSecurityGroups/demo"),
  bootImageID: image,
  controlPlaneMIs: {
    controlPlane: samples.controlPlane,
    dataPlane: { imageRegistryMSIClientID: "", diskMSIClientID: "", fileMSIClientID: "" },
  },
  dataPlaneIdentities: samples.dataPlane,
  workloadIdentities: null,
};

export const issuer = "https://demo.blob.core.windows.net/demo";
export const release = "quay.io/openshift-release-dev/ocp-release:4.20.4-x86_64";
const metadata = { name: "demo", namespace: "clusters" };
const base64 = (text: string) => Buffer.from(text).toString("base64");

const secret = (name: string, data: object, type?: string) => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name, namespace: "clusters", labels: { "hypershift.openshift.io/safe-to-delete-with-cluster": "true" } },
  ...(type !== undefined && { type }),
  data,
});

const route = (service: string, more: object = {}) => ({ service, servicePublishingStrategy: { type: "Route", route: more } });
export const routes = ["Ignition", "Konnectivity", "OAuthServer"].map((service) => route(service));
export const hosts = (domain: string, prefixes: Readonly<Record<string, string>>) =>
  Object.entries(prefixes).map(([service, prefix]) => route(service, { hostname: `${prefix}-demo.${domain}` }));

export const azureOfCluster = {
  location: infra.region,
  resourceGroup: infra.resourceGroupName,
  vnetID: infra.vnetID,
  subnetID: infra.subnetID,
  securityGroupID: infra.securityGroupID,
  subscriptionID: subscription,
  tenantID: tenant,
  azureAuthenticationConfig: {
    azureAuthenticationConfigType: "ManagedIdentities",
    managedIdentities: { controlPlane: samples.controlPlane, dataPlane: samples.dataPlane },
  },
};

export const azureOfPool = {
  image: { type: "ImageID", imageID: image },
  osDisk: { diskStorageAccountType: "Premium_LRS", sizeGiB: 120 },
  subnetID: infra.subnetID,
  vmSize: "Standard_D4s_v5",
};

export const pool = (azure: object, name = "demo", more: object = {}) => ({
  apiVersion: "hypershift.openshift.io/v1beta1",
  kind: "NodePool",
  metadata: { ...metadata, name },
  spec: {
    arch: "amd64",
    clusterName: "demo",
    management: { autoRepair: false, upgradeType: "Replace" },
    nodeDrainTimeout: "0s",
    nodeVolumeDetachTimeout: "0s",
    platform: { type: "Azure", azure },
    release: { image: release },
    replicas: 0,
    ...more,
  },
  status: { replicas: 0 },
});

/** `signingKey` and `pullSecret` are the contents of the files. */
export const minimal = (signingKey: string, pullSecret: string) => ({
  namespace: { apiVersion: "v1", kind: "Namespace", metadata: { name: "clusters" }, spec: {}, status: {} },
  secrets: [
    secret("demo-pull-secret", { ".dockerconfigjson": base64(pullSecret) }),
    secret("demo-cloud-credentials", { AZURE_SUBSCRIPTION_ID: base64(subscription), AZURE_TENANT_ID: base64(tenant) }),
    secret("demosa-token-issuer-key", { key: base64(signingKey) }),
  ],
  /** 32 random bytes. */
  etcdKey: secret("demo-etcd-encryption-key", { key: base64("x".repeat(32)) }, "Opaque"),
  cluster: {
    apiVersion: "hypershift.openshift.io/v1beta1",
    kind: "HostedCluster",
    metadata,
    spec: {
      autoscaling: {},
      configuration: {},
      controllerAvailabilityPolicy: "SingleReplica",
      dns: { baseDomain: infra.baseDomain, privateZoneID: infra.privateZoneID, publicZoneID: infra.publicZoneID },
      etcd: { managed: { storage: { persistentVolume: { size: "8Gi" }, type: "PersistentVolume" } }, managementType: "Managed" },
      fips: false,
      infraID: infra.infraID,
      issuerURL: issuer,
      serviceAccountSigningKey: { name: "demosa-token-issuer-key" },
      networking: {
        clusterNetwork: [{ cidr: "10.132.0.0/14" }],
        networkType: "OVNKubernetes",
        serviceNetwork: [{ cidr: "172.31.0.0/16" }],
      },
      olmCatalogPlacement: "management",
      platform: { type: "Azure", azure: azureOfCluster },
      pullSecret: { name: "demo-pull-secret" },
      release: { image: release },
      secretEncryption: { type: "aescbc", aescbc: { activeKey: { name: "demo-etcd-encryption-key" } } },
      services: [{ service: "APIServer", servicePublishingStrategy: { type: "LoadBalancer" } }, ...routes],
      sshKey: {},
    } as Record<string, unknown>,
    status: { controlPlaneEndpoint: { host: "", port: 0 } },
  },
  nodePools: [pool(azureOfPool)],
});
