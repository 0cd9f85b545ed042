/** Checks of the secrets of a connected cluster's workloads: names in the vault and on the cluster, and the issuer. */
import { isPublicIssuer } from "../../domain/service-account-tokens.js";
import type { Check } from "../../settings/checks/check.js";

/** A DNS label of Kubernetes. */
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

export const checkArcSecrets: Check = ({ command, values, given, problem }) => {
  if (command !== "create arc-secrets") return;
  const { secretName, workloadNamespace, serviceAccount, secretsIdentity, oidcIssuerUrl } = values;
  if (secretName !== undefined && !/^[a-z0-9-]{1,127}$/i.test(secretName))
    problem("secretName", `"${secretName}" is not the name of a secret: use 1 to 127 letters, digits and hyphens`);
  if (workloadNamespace !== undefined && !label.test(workloadNamespace))
    problem("workloadNamespace", `"${workloadNamespace}" is not a namespace: use lowercase letters, digits and inner hyphens`);
  if (serviceAccount !== undefined && !label.test(serviceAccount))
    problem("serviceAccount", `"${serviceAccount}" is not a service account: use lowercase letters, digits and inner hyphens`);
  if (oidcIssuerUrl !== undefined && !isPublicIssuer(oidcIssuerUrl))
    problem("oidcIssuerUrl", `"${oidcIssuerUrl}" cannot be read by Entra: an issuer has a public hostname and HTTPS`);
  if (secretsIdentity === "service-principal" && given("oidcIssuerUrl"))
    problem("oidcIssuerUrl", "cannot be combined with --secrets-identity service-principal, which uses no tokens of the cluster");
};

export const checkArcManifests: Check = ({ command, values, problem }) => {
  if (command === "render arc" && values.outputDir !== undefined && values.outputFile !== undefined)
    problem("outputDir", "cannot be combined with --output-file: it gets one file for each manifest");
};
