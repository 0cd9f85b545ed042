/** Every check of a connected cluster, in the order of the output. */
import { checkCatalogue, error, warning } from "../../verify/check.js";

const azureChecks = checkCatalogue({
  "arc-providers": error("the resource providers of Azure Arc are registered with the subscription"),
  "arc-exists": error("the connected cluster exists, and its last operation did not fail"),
  "arc-identity": error("it has a system-assigned identity"),
  "arc-connected": error("the agents are connected, and have reported within the last 15 minutes"),
  "arc-certificate": warning("the certificate of its identity does not expire within 14 days"),
  "arc-agent-version": warning("the agents are at most two minor versions older than those of the region"),

  // Its extensions.
  "extension-installed": error("the extension is installed, and reports no error"),
  "extension-warnings": warning("the extension reports no warning"),
  "extension-version": warning("the installed version is the one that was asked for"),
  "policy-extension": warning("policies are assigned only if the extension that evaluates them is installed"),

  // The secrets of its workloads.
  "arc-vault-rbac": error("Azure RBAC decides who reads the Key Vault"),
  "arc-vault-role": error("the identity of the workloads can read a secret of the Key Vault"),
});

/** They need access to the cluster. */
export const arcInClusterChecks = checkCatalogue({
  "agents-coordinates": error("the ConfigMap of the agents names this connected cluster"),
  "arc-distribution": warning("the distribution and the infrastructure in Azure are those that the nodes show"),
  "agents-release": error("the Helm release of the agents is deployed"),
  "agents-ready": error("the pods of the agents are ready"),
  "agents-secrets": error("the agents have the certificates of their identity and of kube-aad-proxy"),
  "proxy-permission": error("OpenShift's security context constraints admit the pods of kube-aad-proxy"),
  "proxy-ready": error("kube-aad-proxy starts"),
  "arc-secret-mounted": error("the pods have mounted the newest version of the secrets in the Key Vault"),
});

export const arcChecks = { ...azureChecks, ...arcInClusterChecks };
