/** Packs the package, and serves it as an npm registry on this machine that has no other. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";

export interface Packed {
  readonly tarball: string;
  readonly files: readonly string[];
}

/** Of the package in `root`, which is built. */
export function pack(into: string, root = process.cwd()): Packed {
  const args = ["pack", "--json", "--silent", "--ignore-scripts", "--pack-destination", into];
  const [pack] = JSON.parse(execFileSync("npm", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] })) as [
    { filename: string; files: { path: string }[] },
  ];
  return { tarball: path.join(into, pack.filename), files: pack.files.map((file) => file.path) };
}

export interface PackageRegistry {
  /** For npm's environment. */
  readonly variables: Readonly<Record<string, string>>;
  close(): void;
}

/** `npm install` with its variables takes the tarball as it would take the published package. */
export async function servePackage(
  tarball: string,
  manifest: { readonly name: string; readonly version: string },
): Promise<PackageRegistry> {
  const { name, version } = manifest;
  const content = readFileSync(tarball);
  const integrity = `sha512-${createHash("sha512").update(content).digest("base64")}`;
  const server = createServer((request, response) => {
    const origin = `http://${request.headers.host ?? ""}`;
    const dist = { tarball: `${origin}/${name}/-/${name}-${version}.tgz`, integrity };
    if (request.url === `/${name}`) {
      response.end(JSON.stringify({ name, "dist-tags": { latest: version }, versions: { [version]: { ...manifest, dist } } }));
    } else if (request.url === new URL(dist.tarball).pathname) {
      response.end(content);
    } else {
      response.writeHead(404).end("{}");
    }
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    variables: { npm_config_registry: `http://127.0.0.1:${String(port)}`, npm_config_audit: "false", npm_config_update_notifier: "false" },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
