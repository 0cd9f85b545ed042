/** The resource providers that an extension needs, and that Azure registers with none of its requests: registered and waited for. */
import type { Provider } from "@azure/arm-resources";
import type { Azure } from "../../azure/azure.js";
import { defineStep, type Step } from "../../engine/step.js";
import { Failure } from "../../errors/failure.js";

const pollMs = 5_000;
/** Azure documents up to 10 minutes. */
const mostPolls = 120;

export function extensionProvider(azure: Azure, namespace: string): Step<unknown> {
  return defineStep({
    id: `provider-${namespace.toLowerCase().replaceAll(".", "-")}`,
    title: `resource provider ${namespace}`,
    subject: { kind: "offer" },
    needs: {},
    seconds: 60,
    read: async () => (await azure.resources()).providers.get(namespace),
    decide: (live) =>
      live?.registrationState === "Registered"
        ? { act: "keep" }
        : { act: "create", why: `it is ${live?.registrationState ?? "not registered"}, and nothing is evaluated without it` },
    async apply(_live, _outputs, { note, signal }): Promise<Provider> {
      const { providers } = await azure.resources();
      await providers.register(namespace);
      for (let polls = 0; polls < mostPolls; polls += 1) {
        const live = await providers.get(namespace);
        if (live.registrationState === "Registered") return live;
        note(`waiting until ${namespace} is registered`);
        await azure.connection.clock.sleep(pollMs, signal);
      }
      throw new Failure("ARO-AZURE-005", `the resource provider ${namespace} is not registered after 10 minutes`);
    },
    predict: () => undefined,
    output: () => undefined,
  });
}
