/** The documents of AKS clusters: loaded where a schema or the reader of a file is needed. */
import { managementClusterSchema, serviceClusterSchema, readAksCluster } from "../files/aks-cluster-output.js";
import { text } from "../files/results/parts.js";
import { resourcesResult, verificationResult } from "../files/results/reads.js";
import { applyResult, removalResult } from "../files/results/changes.js";

const ofNamed = { name: text };

export const results = {
  "create management-cluster": applyResult(ofNamed, { cluster: managementClusterSchema }),
  "destroy management-cluster": removalResult(ofNamed),
  "show management-cluster": resourcesResult(ofNamed),
  "verify management-cluster": verificationResult,
  "create service-cluster": applyResult(ofNamed, { cluster: serviceClusterSchema }),
  "destroy service-cluster": removalResult(ofNamed),
  "show service-cluster": resourcesResult(ofNamed),
  "verify service-cluster": verificationResult,
};

export const files = {
  "management-cluster": managementClusterSchema,
  "service-cluster": serviceClusterSchema,
};

export const readers = {
  managementClusterFile: (path: string) => readAksCluster(path, "management-cluster"),
  serviceClusterFile: (path: string) => readAksCluster(path, "service-cluster"),
};
