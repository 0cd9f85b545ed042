/** A state with one vault, a clock to turn, and direct calls to the vault service. */
import { keyVaultService } from "../../../src/emulator/services/key-vault/service.js";
import { signAccessToken } from "../../../src/emulator/core/access-token.js";
import { ApiError, type ApiRequest, type Asking } from "../../../src/emulator/core/service.js";
import { systemClock } from "../../../src/emulator/common/clock.js";
import { systemRandom } from "../../../src/emulator/common/random.js";
import { sampleUuid } from "../../../src/emulator/state/sampling.js";
import { wellKnown } from "../../../src/emulator/state/well-known.js";
import type { AzureState } from "../../../src/emulator/state/state.js";
import { ArmState, type Reply } from "../arm/arm-state.js";

const host = "demo-vault.vault.azure.net";
export const vaultUrl = `https://${host}`;

/** Key Vault Administrator. */
const administrator = "00482a5a-887f-4fb3-b363-3b7fe8e74483";

export const pemPolicy = {
  issuer: { name: "Self" },
  key_props: { exportable: true, kty: "RSA", key_size: 2048, reuse_key: false },
  secret_props: { contentType: "application/x-pem-file" },
  x509_props: { subject: "CN=demo", validity_months: 12 },
};

interface VaultRequest {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly apiVersion?: string;
}

export class VaultState {
  readonly arm = new ArmState();
  readonly service = keyVaultService({ clock: systemClock, random: systemRandom });
  readonly vault: string;
  /** Of the client of azure-creds.json, which has all rights in the vault. */
  token = "";

  private constructor(properties: Readonly<Record<string, unknown>>) {
    this.vault = `${this.arm.group("demo")}/providers/Microsoft.KeyVault/vaults/demo-vault`;
    const sku = { family: "A", name: "standard" };
    this.arm.put(this.vault, {
      location: "eastus",
      properties: { tenantId: wellKnown.tenantId, sku, enableRbacAuthorization: true, ...properties },
    });
  }

  static async open({ role = administrator, ...properties }: Readonly<Record<string, unknown>> & { role?: string } = {}) {
    const opened = new VaultState(properties);
    opened.grant(role);
    opened.token = opened.tokenFor("https://vault.azure.net");
    return opened;
  }

  get state(): AzureState {
    return this.arm.state;
  }

  /** Valid for an hour of the test's clock. */
  tokenFor(audience: string): string {
    const subject = { appId: wellKnown.clientId, objectId: wellKnown.clientPrincipalId, roles: [], proof: "secret" } as const;
    return signAccessToken(this.state, subject, audience, this.arm.now);
  }

  grant(role: string, scope = this.vault): void {
    const { status } = this.arm.put(`${scope}/providers/Microsoft.Authorization/roleAssignments/${sampleUuid(this.state)}`, {
      properties: {
        roleDefinitionId: `/subscriptions/${wellKnown.subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/${role}`,
        principalId: wellKnown.clientPrincipalId,
        principalType: "ServicePrincipal",
      },
    });
    if (status !== 201) throw new Error(`the role was not granted: ${String(status)}`);
  }

  /** Sends a request as the server would: on a copy of the state, kept if the answer is a success. */
  async send(
    method: ApiRequest["method"],
    target: string,
    { body, headers, apiVersion = "2025-07-01" }: VaultRequest = {},
  ): Promise<Reply> {
    const url = new URL(target, vaultUrl);
    if (!url.searchParams.has("api-version")) url.searchParams.set("api-version", apiVersion);
    const request: ApiRequest = {
      method,
      host: url.host,
      path: url.pathname.split("/").filter(Boolean),
      target: `${url.pathname}${url.search}`,
      query: url.searchParams,
      headers: headers ?? { authorization: `Bearer ${this.token}` },
      body,
    };
    const state = structuredClone(this.state);
    const readState = <T>(read: (state: AzureState) => T): Promise<T> => Promise.resolve(read(state));
    const prepared = await this.service.prepare?.(request, { readState, fetch: () => Promise.resolve(undefined) });
    try {
      const asking: Asking = {
        request,
        state,
        now: this.arm.now,
        sample: (key) => this.arm.seconds[key] ?? 0,
        milliseconds: (seconds) => seconds * 1000,
        uuid: () => sampleUuid(state),
        random: systemRandom,
      };
      const answer = await this.service.handle({ ...asking, caller: await this.service.identify?.(asking), prepared });
      this.arm.state = JSON.parse(JSON.stringify(state)) as AzureState;
      return { status: answer.status, headers: answer.headers ?? {}, body: answer.body };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { status, code, message, inner, headers: sent } = error;
      return { status, headers: sent, body: { error: { code, message, ...(inner !== undefined && { innererror: { code: inner } }) } } };
    }
  }

  get(target: string): Promise<Reply> {
    return this.send("GET", target);
  }

  createCertificate(name: string, body: unknown = { policy: pemPolicy }): Promise<Reply> {
    return this.send("POST", `/certificates/${name}/create`, { body });
  }
}

/** A refusal, by its code and its inner code. */
export function refusal(status: number, code: string, inner?: string) {
  return { status, body: { error: { code, ...(inner !== undefined && { innererror: { code: inner } }) } } };
}
