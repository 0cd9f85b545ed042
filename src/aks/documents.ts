/** The documents of AKS clusters: loaded where a schema or the reader of a file is needed. */
import { managementClusterSchema, serviceClusterSchema, readAksCluster } from "../files/aks-cluster-output.js";
import { text } from "../files/results/parts.js";
import { resourcesResult, verificationResult } from "../files/results/reads.js";
import { applyResult, removalResult } from "../files/results/run.js";

const ofNamed = { name: text };

/** What each command prints with `--output json`. One that fails before it has a result prints only its failures. */
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

/** The files that commands write for others to read, by the name of their schema. */
export const files = {
  "management-cluster": managementClusterSchema,
  "service-cluster": serviceClusterSchema,
};

/** How a file is read that an option names. */
export const readers = {
  managementClusterJson: (path: string) => readAksCluster(path, "management-cluster"),
  serviceClusterJson: (path: string) => readAksCluster(path, "service-cluster"),
};
