/** The sign-in plugin in a kubeconfig of AKS: kubelogin from PATH, with the arguments that AKS writes, and no others. */
import { z } from "zod";
import { uncoloredText } from "../text/control.js";
import { cloudName, uuid } from "./fields.js";

/** The methods of kubelogin that take no secret and no path as an argument. */
const methods = ["devicecode", "interactive", "azurecli", "azd", "msi", "spn", "workloadidentity"];

/** Others lead elsewhere, read files or contain secrets: --authority-host, --token-cache-dir, --client-secret. */
const values: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  ["--environment", cloudName],
  ["--server-id", uuid],
  ["--client-id", uuid],
  ["--tenant-id", uuid],
  ["--login", z.enum(methods)],
]);

export const kubeloginExec = z.strictObject({
  apiVersion: z.enum(["client.authentication.k8s.io/v1beta1", "client.authentication.k8s.io/v1"], "is not a version of exec plugins"),
  command: z.literal("kubelogin", "must be kubelogin, without a path"),
  args: z.array(z.string()).refine(areOfAks, "has arguments that AKS does not write"),
  env: z.array(z.unknown()).max(0, "must be empty").optional(),
  // kubectl prints it.
  installHint: z.string().max(2000, "is too long").transform(uncoloredText).optional(),
  interactiveMode: z.enum(["Never", "IfAvailable", "Always"], "is not a mode of exec plugins").optional(),
  provideClusterInfo: z.boolean().optional(),
});

export type KubeloginExec = z.output<typeof kubeloginExec>;

function areOfAks([verb, ...others]: readonly string[]): boolean {
  const flags = others.filter((_, index) => index % 2 === 0);
  return (
    verb === "get-token" &&
    new Set(flags).size === flags.length &&
    flags.every((flag, index) => values.get(flag)?.safeParse(others[2 * index + 1]).success === true)
  );
}
