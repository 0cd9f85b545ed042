/** `version`: the versions of the program and of what it runs on, for a report of a problem. */
import { printDocument } from "../render/document.js";
import { eventsVersion } from "../render/events-file.js";
import { screensOf } from "../render/screen.js";
import { table } from "../render/table.js";
import type { Resolved } from "../settings/settings.js";
import type { ProcessPort } from "../run/process-port.js";
import { azurePackages, version } from "../run/package-version.js";

export function run({ settings }: Resolved<"version">, port: ProcessPort): Promise<number> {
  const { result } = screensOf(port, settings.color);
  if (settings.output === "json") {
    printDocument(result, { ok: true, command: "version", version, node: port.nodeVersion, eventsVersion, packages: azurePackages });
  } else {
    result.show(table(result, ["NAME", "VERSION"], Object.entries({ "aro-hcp": version, "Node.js": port.nodeVersion, ...azurePackages })));
  }
  return Promise.resolve(0);
}
