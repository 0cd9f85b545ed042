/** What Entra means where it refuses a token, and what to do about it: its codes as data, its own words beside them. */
import { advise, aroHcp, shell, type Advice } from "../../errors/advice.js";
import { signInCodeIn } from "../../azure/azure-error.js";
import { redacted } from "../../azure/redact.js";
import { broken, type Finding } from "../check.js";

/** Whose token was refused. */
export interface Refused {
  readonly clientId: string;
  readonly tenantId: string;
  /** How to renew a credential of this kind. */
  readonly renewal: Advice;
}

interface Cause {
  readonly means: string;
  next(refused: Refused): Advice;
}

const soon = "a recent change may not have replicated yet: wait 10 minutes and verify again";
const clock = advise`set the clock of this machine (${shell`timedatectl status`} shows whether it is synchronized)`;
const compare = "compare issuer, subject and audience of its federated credentials letter by letter; ";

/** Source: https://learn.microsoft.com/entra/identity-platform/reference-error-codes, and what users report where that is silent. */
const causes: Readonly<Record<string, Cause>> = {
  AADSTS700016: {
    means: "the tenant does not know the client id",
    next: ({ tenantId }) => `check the client ID and the tenant (${tenantId}) in the file; ${soon}`,
  },
  AADSTS7000229: {
    means: "the application has no service principal in the tenant",
    next: ({ clientId }) => shell`az ad sp create --id ${clientId}`,
  },
  AADSTS7000112: {
    means: "the application is disabled",
    next: ({ clientId }) => shell`az ad sp update --id ${clientId} --set accountEnabled=true`,
  },
  AADSTS700027: {
    means: "the certificate is not registered on the application, is registered as expired, or did not sign this",
    next: ({ renewal }) => advise`${soon}; if it persists, renew it: ${renewal}`,
  },
  AADSTS7000222: { means: "the credential has expired", next: ({ renewal }) => renewal },
  AADSTS7000215: { means: "the secret is wrong", next: ({ renewal }) => renewal },
  AADSTS700023: { means: "the assertion is meant for another authority", next: () => "correct authentication_endpoint in the secret" },
  AADSTS700024: { means: "the assertion is not within its valid time range", next: () => clock },
  AADSTS90002: {
    means: "there is no such tenant",
    next: () => "correct tenant_id in the secret, and authentication_endpoint: it may be that of another cloud",
  },
  AADSTS53003: {
    means: "a conditional access policy blocks it",
    next: () => "ask the owner of the policy to exclude workload identities, or to allow the clusters' addresses",
  },
  AADSTS70021: { means: "no federated credential matches the token", next: () => `${compare}${soon}` },
  AADSTS70025: { means: "it has no federated credentials", next: ({ renewal }) => renewal },
  AADSTS700211: { means: "no federated credential has the token's issuer", next: () => `${compare}${soon}` },
  AADSTS700212: { means: "no federated credential has the token's audience", next: () => `${compare}${soon}` },
  AADSTS700213: { means: "no federated credential has the token's subject", next: () => `${compare}${soon}` },
  AADSTS50166: {
    means: "Entra could not fetch the issuer's documents",
    next: () => "make both addresses public: a firewall that allows this machine may block Entra",
  },
  AADSTS90061: { means: "Entra could not reach the issuer", next: () => "make the issuer's address public" },
  AADSTS50013: {
    means: "the signature is none of the issuer's keys",
    next: () => advise`publish the key: ${aroHcp("create oidc-issuer")}; ${soon}`,
  },
  AADSTS7000272: {
    means: "the issuer's key set does not hold the key, as Entra last read it",
    next: () => "Entra caches key sets: wait an hour and verify again",
  },
};

/** The finding where Entra refused; anything else that was thrown is thrown on. */
export function refusedToken(error: unknown, refused: Refused): Finding<never> {
  const text = error instanceof Error ? error.message : "";
  const code = signInCodeIn(text);
  if (code === undefined) throw error;
  const cause = causes[code];
  return broken(
    `${cause === undefined ? code : `${code}: ${cause.means}`}; Entra said: ${wordsOf(text, code)}`,
    cause?.next(refused) ?? `look the code up: https://login.microsoftonline.com/error?code=${code.replace("AADSTS", "")}`,
  );
}

/** The SDK puts words of its own before Entra's, and Entra trace ids behind. */
function wordsOf(text: string, code: string): string {
  const said = text.slice(text.indexOf(code)).split(/\r?\n| Trace ID:/, 1)[0] ?? "";
  return redacted(said);
}
