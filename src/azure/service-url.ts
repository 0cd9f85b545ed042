/** The address of a vault or a managed HSM: its name is the first label of a host of the cloud, and decides nothing else. */
import { Failure } from "../errors/failure.js";

/** @throws ARO-NET-005 for a name that is no label of a hostname: a token for the service would go to another host */
export function serviceUrl(name: string, suffix: string): string {
  if (/^[a-z0-9-]+$/i.test(name)) return `https://${name}.${suffix}`;
  throw new Failure("ARO-NET-005", `"${name}" is not the name of a resource at ${suffix}`, {
    because: "a request to it would contain a token; none was sent",
  });
}
