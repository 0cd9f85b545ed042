/** The claims of the tokens with which pods of a cluster sign in as a managed identity. */

/** The audience of Microsoft's webhook and of the Secrets Store CSI driver: https://azure.github.io/azure-workload-identity/docs */
export const workloadAudience = "api://AzureADTokenExchange";

/** The only audience of OpenShift's tokens for Azure. */
export const openShiftAudience = "openshift";

export interface ServiceAccount {
  readonly namespace: string;
  readonly serviceAccount: string;
}

export function serviceAccountSubject({ namespace, serviceAccount }: ServiceAccount): string {
  return `system:serviceaccount:${namespace}:${serviceAccount}`;
}

/** Undefined for the subject of anything else. */
export function serviceAccountIn(subject: string): ServiceAccount | undefined {
  const [, namespace, serviceAccount] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(subject) ?? [];
  return namespace === undefined || serviceAccount === undefined ? undefined : { namespace, serviceAccount };
}

/** Whether Entra can read the issuer: it must be public, and the API server's default is not. */
export function isPublicIssuer(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === "https:" && hostname.includes(".") && !/(?:^|\.)(?:svc|local|localhost|internal)$/.test(hostname);
}
