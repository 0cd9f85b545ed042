/** The variables that helm and sign-in plugins get, without those that sign in to Azure, except for kubelogin. */

/** What a program needs to start, to find its settings, and to reach servers. */
const common = new Set([
  ...["PATH", "HOME", "USER", "LOGNAME", "TMPDIR", "TMP", "TEMP", "LANG", "SSL_CERT_FILE", "SSL_CERT_DIR"],
  ...["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY"],
  ...["SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "USERPROFILE", "APPDATA", "LOCALAPPDATA"],
]);
const commonPrefix = /^(?:LC|XDG|HELM)_/;
/** Another cluster or namespace than that of the command. */
const elsewhere = /^HELM_(?:KUBE|NAMESPACE$)/;

/** Credentials of Azure, and what obtains them: from a managed identity, or as the job of a pipeline. */
const ofAzure =
  /^(?:(?:AZURE|AZURESUBSCRIPTION|AAD|ARM|ARO_HCP|AZD|IDENTITY|IMDS|MSI)_|SYSTEM_(?:ACCESSTOKEN|OIDCREQUESTURI)$|ACTIONS_ID_TOKEN_REQUEST_)/;
/** The settings of this program, which no other reads. */
const ours = /^ARO_HCP_/;
/** For az, which kubelogin can call. */
const ofAz = new Set(["REQUESTS_CA_BUNDLE"]);

/**
 * `plugin` is the command that the kubeconfig names. helm starts it too, with its own variables. A kubeconfig that a cluster or Azure sent names
 * none.
 */
export function environmentOfPrograms(environment: NodeJS.ProcessEnv, plugin: { readonly command: string } | undefined): NodeJS.ProcessEnv {
  const isPassed = plugin === undefined ? isCommon : isKubelogin(plugin.command) ? isForKubelogin : isForOthers;
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => {
      // Windows ignores the case, and proxies are written in both.
      const upper = name.toUpperCase();
      return isPassed(upper) && !elsewhere.test(upper);
    }),
  );
}

function isCommon(name: string): boolean {
  return common.has(name) || commonPrefix.test(name);
}

function isForKubelogin(name: string): boolean {
  return isCommon(name) || ofAz.has(name) || (ofAzure.test(name) && !ours.test(name));
}

function isForOthers(name: string): boolean {
  return !ofAzure.test(name);
}

function isKubelogin(command: string): boolean {
  return /(?:^|[\\/])kubelogin(?:\.exe)?$/i.test(command);
}
