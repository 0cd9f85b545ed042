/** Advised commands: each one uses the Azure cloud of this run, without repeating a flag. */
import { expect, test } from "vitest";
import { adviceRenderer } from "../../src/run/connection-flags.js";
import { advise, aroHcp, blank, joinAdvice, shell } from "../../src/errors/advice.js";
import { resolveSettings } from "../../src/settings/resolve.js";

const file = { id: "5b5c0000-0000-4000-8000-000000000001", file: "infra.json" };
const createDemo = aroHcp("create infra", { name: "demo", infraId: "x", baseDomain: "a.b" });

test.each([
  [
    "without any setting",
    {},
    advise`${createDemo} creates it`,
    "`aro-hcp create infra --name demo --infra-id x --base-domain a.b` creates it",
  ],
  ["with the default cloud", { cloud: "AzurePublicCloud" }, aroHcp("doctor"), "`aro-hcp doctor`"],
  [
    "with the emulator",
    { cloud: "local" },
    advise`${createDemo}, then ${aroHcp("doctor")}`,
    "`aro-hcp create infra --cloud local --name demo --infra-id x --base-domain a.b`, then `aro-hcp doctor --cloud local`",
  ],
  [
    "with credentials and a subscription",
    { azureCreds: "my creds.json", subscription: file.id },
    aroHcp("rotate credentials", { identitiesName: "demo", persistentResourceGroupName: "ids" }),
    `\`aro-hcp rotate credentials --azure-creds 'my creds.json' --subscription ${file.id} --identities-name demo --persistent-resource-group-name ids\``,
  ],
  [
    "with variables of settings that the running command does not take",
    { variables: { ARO_HCP_OIDC_ISSUER_URL: "https://i.example.com", ARO_HCP_BASE_DOMAIN: "a.b" } },
    aroHcp("create identities", { identitiesName: "demo", oidcIssuerUrl: blank("issuer-url") }),
    "`aro-hcp create identities --identities-name demo --oidc-issuer-url https://i.example.com`",
  ],
  [
    "for a command with its own connection",
    { cloud: "local" },
    aroHcp("show infra", { cloud: "AzureChinaCloud", infraFile: "a.json" }),
    "`aro-hcp show infra --cloud AzureChinaCloud --infra-file a.json`",
  ],
  [
    "for commands without connection flags",
    { cloud: "local" },
    joinAdvice(
      [
        aroHcp("create key-pair"),
        aroHcp("local reset"),
        aroHcp("render secret-provider-classes", { name: "demo", keyVaultUserClientId: "u" }, shell`kubectl apply -f -`),
      ],
      ", ",
    ),
    "`aro-hcp create key-pair`, `aro-hcp local reset`, `aro-hcp render secret-provider-classes --name demo --key-vault-user-client-id u | kubectl apply -f -`",
  ],
  [
    "with the cluster of a file, which need not be the name of its identity set",
    { cluster: { name: "demo", infraId: "x", baseDomain: "a.b" } },
    joinAdvice([aroHcp("create infra"), aroHcp("show infra"), aroHcp("destroy identities")], ", "),
    "`aro-hcp create infra --name demo --infra-id x --base-domain a.b`, `aro-hcp show infra --name demo --infra-id x`, `aro-hcp destroy identities --identities-name <identities-name>`",
  ],
  [
    "for text that looks like a command",
    { cloud: "local" },
    advise`${shell`az group create`}; \`aro-hcp doctor\``,
    "`az group create`; `aro-hcp doctor`",
  ],
  [
    "with the subscription of a file",
    { documentSubscription: file },
    createDemo,
    `\`aro-hcp create infra --subscription ${file.id} --name demo --infra-id x --base-domain a.b\``,
  ],
  [
    "with a file, and credentials for the same subscription",
    { documentSubscription: file, azureCreds: "creds.json" },
    aroHcp("doctor"),
    "`aro-hcp doctor --azure-creds creds.json`",
  ],
])("%s", (_what, settings, advice, text) => {
  expect(adviceRenderer(settings)(advice)).toBe(text);
});

test("it reads the settings of every command that uses Azure", async () => {
  const { settings } = await resolveSettings("doctor", {
    flags: {},
    environment: { ARO_HCP_CLOUD: "local" },
    readConfig: () => Promise.reject(new Error("there is none")),
  });
  expect(adviceRenderer(settings)(aroHcp("doctor"))).toBe("`aro-hcp doctor --cloud local`");
});

test("each kind of setting is written in its flag's format: switches, lists, tags, durations, blanks; unset ones are omitted", () => {
  const render = adviceRenderer({});
  const advice = aroHcp("create infra", {
    name: blank("name"),
    singleResourceGroup: true,
    assignIdentityRoles: false,
    vnetId: undefined,
    resourceGroupTags: { team: "a b", env: "test" },
    disableClusterCapabilities: ["Console", "Insights"],
    timeout: 90_000,
  });
  expect(render(advice)).toBe(
    "`aro-hcp create infra --name <name> --single-resource-group --resource-group-tags 'team=a b' --resource-group-tags env=test " +
      "--disable-cluster-capabilities Console --disable-cluster-capabilities Insights --timeout 90000ms --infra-id <infra-id> --base-domain <base-domain>`",
  );
});

test("values in commands of other programs are quoted, so they never split", () => {
  const render = adviceRenderer({});
  expect(
    render(shell`az x --name ${"a b"} --query ${"[].{name:name}"} --set tags.a=${"it's"} --limit-object value=${blank("limit")}`),
  ).toBe("`az x --name 'a b' --query '[].{name:name}' --set 'tags.a=it'\\''s' --limit-object value=<limit>`");
  expect(render(shell`kubectl delete pod ${["a", "b"]}`)).toBe("`kubectl delete pod a b`");
});

test("a command that lacks required settings has those of the run, otherwise placeholders", () => {
  const known = { name: "demo", infraId: "demo-x7k2" };
  expect(adviceRenderer({ cloud: "local", known })(aroHcp("show infra"))).toBe(
    "`aro-hcp show infra --cloud local --name demo --infra-id demo-x7k2`",
  );
  expect(adviceRenderer({})(aroHcp("destroy infra"))).toBe("`aro-hcp destroy infra --name <name> --infra-id <infra-id>`");
  expect(adviceRenderer({ known: { infraFile: "a.json" } })(aroHcp("show infra"))).toBe("`aro-hcp show infra --infra-file a.json`");
  expect(adviceRenderer({ known })(aroHcp("show infra", { infraFile: "a.json" }))).toBe("`aro-hcp show infra --infra-file a.json`");
});
