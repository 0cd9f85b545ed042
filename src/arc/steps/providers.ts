/** The resource providers that a connected cluster or an extension needs: registered with the subscription, and waited for. */
import type { Azure } from "../../azure/azure.js";
import type { ArcSpec } from "../domain/spec.js";
import { defineStep, type Step } from "../../engine/step.js";
import { Failure } from "../../errors/failure.js";

const pollMs = 5_000;
/** Documented as up to ten minutes. */
const mostPolls = 180;

interface Registered {
  readonly missing: readonly string[];
}

/** The agents use Microsoft.KubernetesConfiguration also without extensions. */
export function clusterNamespaces({ customLocationsId }: Pick<ArcSpec, "customLocationsId">): readonly string[] {
  const customLocations = customLocationsId === undefined ? [] : ["Microsoft.ExtendedLocation"];
  return ["Microsoft.Kubernetes", "Microsoft.KubernetesConfiguration", ...customLocations];
}

interface ProvidersSpec {
  readonly id: string;
  readonly title: string;
  readonly namespaces: readonly string[];
}

export function resourceProviders(azure: Azure, { id, title, namespaces }: ProvidersSpec): Step<Registered> {
  const read = async (): Promise<Registered> => {
    const { providers } = await azure.resources();
    const states = await Promise.all(namespaces.map(async (name) => (await providers.get(name)).registrationState));
    return { missing: namespaces.filter((_, index) => states[index] !== "Registered") };
  };
  return defineStep({
    id,
    title,
    subject: { kind: "offer" },
    needs: {},
    seconds: 60,
    read,
    decide(live: Registered | undefined) {
      const missing = live?.missing ?? namespaces;
      return missing.length === 0
        ? { act: "keep" }
        : {
            act: "update",
            why: "not registered with the subscription",
            changes: missing.map((path) => ({ path, from: "not registered", to: "Registered" })),
          };
    },
    async apply(live, _outputs, { note, signal }): Promise<Registered> {
      const { providers } = await azure.resources();
      const missing = live?.missing ?? namespaces;
      for (const name of missing) await providers.register(name);
      for (let polls = 0; polls < mostPolls; polls += 1) {
        const now = await read();
        if (now.missing.length === 0) return now;
        note(`waiting until ${now.missing.join(" and ")} ${now.missing.length === 1 ? "is" : "are"} registered`);
        await azure.connection.clock.sleep(pollMs, signal);
      }
      throw new Failure("ARO-CHECK-001", `${missing.join(" and ")} not registered after 15 minutes`);
    },
    output: (live) => live,
  });
}
