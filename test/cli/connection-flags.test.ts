/** Command lines that somebody is told to run: each works where this run works, and says nothing twice. */
import { expect, test } from "vitest";
import { connectionFlags } from "../../src/cli/run/connection-flags.js";
import { resolveSettings } from "../../src/settings/resolve.js";

const file = { id: "5b5c0000-0000-4000-8000-000000000001", file: "infra.json" };

test.each([
  ["nothing was chosen", {}, "`aro-hcp create infra --name demo` makes it", "`aro-hcp create infra --name demo` makes it"],
  ["the usual cloud", { cloud: "AzurePublicCloud" }, "`aro-hcp doctor`", "`aro-hcp doctor`"],
  [
    "the local one",
    { cloud: "local" },
    "`aro-hcp create infra --name demo`, then `aro-hcp doctor`",
    "`aro-hcp create infra --cloud local --name demo`, then `aro-hcp doctor --cloud local`",
  ],
  [
    "credentials and subscription",
    { azureCreds: "my creds.json", subscription: file.id },
    "`aro-hcp rotate credentials --name demo`",
    `\`aro-hcp rotate credentials --azure-creds 'my creds.json' --subscription ${file.id} --name demo\``,
  ],
  ["a line that says it", { cloud: "local" }, "`aro-hcp show infra --cloud local`", "`aro-hcp show infra --cloud local`"],
  [
    "a command that takes none of them",
    { cloud: "local" },
    "`aro-hcp create key-pair`, `aro-hcp local reset`, `aro-hcp render secret-provider-classes --name demo | kubectl apply -f -`",
    "`aro-hcp create key-pair`, `aro-hcp local reset`, `aro-hcp render secret-provider-classes --name demo | kubectl apply -f -`",
  ],
  ["others' commands", { cloud: "local" }, "`az group create`; aro-hcp doctor", "`az group create`; aro-hcp doctor"],
  [
    "the subscription of a file alone",
    { documentSubscription: file },
    "`aro-hcp create infra --name demo`",
    `\`aro-hcp create infra --subscription ${file.id} --name demo\``,
  ],
  [
    "a file beside credentials, which say the same",
    { documentSubscription: file, azureCreds: "creds.json" },
    "`aro-hcp doctor`",
    "`aro-hcp doctor --azure-creds creds.json`",
  ],
])("%s", (_what, where, text, told) => {
  expect(connectionFlags(where)(text)).toBe(told);
  expect(connectionFlags(where)(told)).toBe(told);
});

test("the settings that it reads are those of every command that works on Azure", async () => {
  const { settings } = await resolveSettings("doctor", {
    flags: {},
    environment: { ARO_HCP_CLOUD: "local" },
    readConfig: () => Promise.reject(new Error("there is none")),
  });
  expect(connectionFlags(settings)("`aro-hcp doctor`")).toBe("`aro-hcp doctor --cloud local`");
});
