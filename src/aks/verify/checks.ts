/** Every check of a management cluster or a service cluster, in the order of the output. */
import { checkCatalogue, error, warning } from "../../verify/check.js";

const azureChecks = checkCatalogue({
  // Each resource.
  "resource-exists": error("the resource exists"),
  "resource-at-rest": warning("no operation is in flight on the resource"),
  "resource-succeeded": error("its last operation did not fail"),
  "resource-owned": error("its tags show that this cluster owns it, or it is an existing resource that you passed"),
  "resource-location": error("it is in the location of the cluster"),
  "resource-as-wanted": error("the create of the cluster would neither change nor refuse it"),
  "resource-as-made": warning("values that the create sets only at creation are unchanged"),

  // The AKS cluster.
  "cluster-running": error("the AKS cluster is not stopped"),
  "kubernetes-supported": warning("AKS supports the Kubernetes version of the cluster in its region"),
  "vault-addon": error("the add-on azureKeyvaultSecretsProvider is enabled and has an identity"),
  "vault-addon-rotation": warning("the add-on picks up new versions of secrets as often as the settings say"),
  "oidc-issuer": error("the OIDC issuer is enabled"),
  "oidc-documents": error("anyone can read the issuer's discovery document and its keys, and the document names the issuer"),
  "workload-identity": error("workload identity is enabled"),
  "local-accounts": error("local accounts are disabled, and Azure RBAC decides who may sign in, if the preset says so"),
  "etcd-encryption": error("etcd is encrypted with the key of the settings"),
  "etcd-key": error("the key that encrypts etcd is enabled and within its dates"),

  // Its agent pools.
  "pool-running": error("the agent pool is not stopped"),
  "pool-autoscaling": warning("the autoscaler of the agent pool has the bounds of the settings, and room between them"),
  "pool-taints": error("the agent pool has its taints, so only the pods that belong there run there"),
  "pool-size": warning("the region offers the VM size of the agent pool in its zones"),
  "vcpu-quota": warning("the vCPU quota has room for every node that the autoscaler may add"),
  "subnet-addresses": warning("the subnets have an address for every node and every pod that the agent pools may have"),

  // Roles.
  "identity-role": error("the identity of the AKS cluster has the role"),
  "vault-addon-role": error("the add-on's identity can read the secrets"),
  "registry-role": error("the identity of the nodes can pull images from the registry"),

  // What leaves the cluster.
  "outbound-address": error("the wanted outbound address, the configured one and the effective one are the same"),
  "ip-tags": error("the address has the IP tags of the settings"),
  "snat-ports": warning("the outbound addresses have enough ports for every node that the agent pools may have"),

  // What enters it.
  "security-rule": error("the network security group lets the traffic in, to the right address, and no rule before it denies it"),
  "record-address": error("the hostname is at the address of its ingress, and at no other"),
  "zone-delegated": error("the parent zone delegates to the name servers of the regional zone"),
  "certificate-valid": error("the TLS certificate exists, is enabled, and is within its dates"),
  "certificate-hostnames": error("the TLS certificate is valid for every hostname of the ingress"),
  "certificate-expiry": warning("the TLS certificate does not expire soon"),
  "certificate-as-wanted": error("the create of the cluster would issue no new version of the TLS certificate"),

  // Obstacles.
  "feature-registered": warning("the feature that the cluster uses is registered"),
  "deny-assignments": error("no deny assignment stops the identity of the AKS cluster"),
  "no-locks": warning("no management lock is on the resources of the cluster or above them"),
});

/** They need --kubeconfig. */
export const inClusterChecks = checkCatalogue({
  "api-server": error("the kubeconfig leads to the nodes of this cluster, and its user may read them"),
  "nodes-ready": warning("every node is ready"),
  "secrets-driver": error("the Secrets Store CSI driver and its Azure provider are ready on every node"),
  "resource-definitions": error("the API server has the types that the cluster's controllers need"),
  "operator-environment": error("HyperShift's operator has the add-on's client ID and is set up for ARO HCP"),
  "operator-ready": error("HyperShift's operator is available"),
  "shared-ingress": error("the Service of the shared ingress has a public address of the cluster, with its IP tags"),
  "gateway-ready": error("the gateway of AKS's Istio add-on has a ready pod"),
  "gateway-address": error("the Service of the gateway is annotated with its address in Azure, and is at it"),
});

export const aksChecks = { ...azureChecks, ...inClusterChecks };
