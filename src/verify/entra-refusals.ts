/** Explains why Entra refused a token: meaning and advice by error code, and Entra's own message. */
import { advise, aroHcp, shell, type Advice, type OwnCommand } from "../errors/advice.js";
import { signInCodeIn } from "../azure/azure-error.js";
import { redacted } from "../text/redact.js";
import { failed, type Finding } from "./check.js";

/** The identity whose token was refused. */
export interface Refused {
  readonly clientId: string;
  readonly tenantId: string;
  /** How to renew a credential of this kind. */
  readonly renewal: Advice;
  /** The command that publishes the key of a token that somebody signed. */
  readonly publish?: () => Promise<OwnCommand>;
}

interface Cause {
  readonly meaning: string;
  next(refused: Refused): Advice | Promise<Advice>;
}

const soon = "a recent change might not have replicated yet: wait 10 minutes and verify again";
const clock = advise`set the clock of this machine (${shell`timedatectl status`} shows whether it is synchronized)`;
const compare = "compare issuer, subject and audience of its federated identity credentials exactly, including case; ";

/** Source: https://learn.microsoft.com/entra/identity-platform/reference-error-codes, and reports of users for undocumented codes. */
const causes: Readonly<Record<string, Cause>> = {
  AADSTS700016: {
    meaning: "the tenant has no application with this client ID",
    next: ({ tenantId }) => `check the client ID and the tenant (${tenantId}) in the file; ${soon}`,
  },
  AADSTS7000229: {
    meaning: "the application has no service principal in the tenant",
    next: ({ clientId }) => shell`az ad sp create --id ${clientId}`,
  },
  AADSTS7000112: {
    meaning: "the application is disabled",
    next: ({ clientId }) => shell`az ad sp update --id ${clientId} --set accountEnabled=true`,
  },
  AADSTS700027: {
    meaning: "the certificate is not registered on the application, is registered as expired, or did not sign this assertion",
    next: ({ renewal }) => advise`${soon}; if it persists, renew it: ${renewal}`,
  },
  AADSTS7000222: { meaning: "the credential has expired", next: ({ renewal }) => renewal },
  AADSTS7000215: { meaning: "the secret is wrong", next: ({ renewal }) => renewal },
  AADSTS700023: { meaning: "the assertion was issued for another authority", next: () => "correct authentication_endpoint in the secret" },
  AADSTS700024: { meaning: "the assertion is not within its valid time range", next: () => clock },
  AADSTS90002: {
    meaning: "the tenant does not exist",
    next: () => "correct tenant_id in the secret, and authentication_endpoint: it may be that of another cloud",
  },
  AADSTS53003: {
    meaning: "a conditional access policy blocks it",
    next: () => "ask the owner of the policy to exclude workload identities, or to allow the clusters' addresses",
  },
  AADSTS70021: { meaning: "no federated identity credential matches the token", next: () => `${compare}${soon}` },
  AADSTS70025: { meaning: "it has no federated identity credentials", next: ({ renewal }) => renewal },
  AADSTS700211: { meaning: "no federated identity credential has the token's issuer", next: () => `${compare}${soon}` },
  AADSTS700212: { meaning: "no federated identity credential has the token's audience", next: () => `${compare}${soon}` },
  AADSTS700213: { meaning: "no federated identity credential has the token's subject", next: () => `${compare}${soon}` },
  AADSTS50166: {
    meaning: "Entra could not fetch the issuer's documents",
    next: () => "make both addresses public: a firewall that allows this machine may block Entra",
  },
  AADSTS90061: { meaning: "Entra could not reach the issuer", next: () => "make the issuer's address public" },
  AADSTS50013: {
    meaning: "the token was not signed with a key of the issuer",
    next: async ({ publish }) => advise`publish the key: ${(await publish?.()) ?? aroHcp("create oidc-issuer")}; ${soon}`,
  },
  AADSTS7000272: {
    meaning: "the issuer's key set, as Entra last read it, does not contain the key",
    next: () => "Entra caches key sets: wait an hour and verify again",
  },
};

/**
 * The finding for a token that Entra refused.
 * @throws any other error unchanged.
 */
export async function refusedToken(error: unknown, refused: Refused): Promise<Finding<never>> {
  const text = error instanceof Error ? error.message : "";
  const code = signInCodeIn(text);
  if (code === undefined) throw error;
  const cause = causes[code];
  return failed(
    `${cause === undefined ? code : `${code}: ${cause.meaning}`}; Entra's message: ${messageIn(text, code)}`,
    (await cause?.next(refused)) ?? `look up the code: https://login.microsoftonline.com/error?code=${code.replace("AADSTS", "")}`,
  );
}

/** Removes the SDK's text before Entra's message, and the trace IDs after it. */
function messageIn(text: string, code: string): string {
  const message = text.slice(text.indexOf(code)).split(/\r?\n| Trace ID:/, 1)[0] ?? "";
  return redacted(message);
}
