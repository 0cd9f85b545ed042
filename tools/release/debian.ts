/** The Debian packages of the image, and their files: a C library for Node.js, a shell for pipelines, certificates and time zones. */
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Part } from "../bundle/sbom.js";
import { run } from "./run.js";

const wanted = ["base-files", "bash", "ca-certificates", "coreutils", "libc6", "libstdc++6", "tzdata"];

/** Only the scripts that install packages need these, and nothing runs them here. */
const forScripts: ReadonlySet<string> = new Set(["debconf", "debianutils", "libssl3", "mawk", "openssl"]);

/** Debian's name of an architecture of Node.js. */
export const debianNames: Readonly<Record<string, string>> = { x64: "amd64", arm64: "arm64" };

export interface DebianPackage extends Part {
  readonly file: string;
}

/** In the versions that this machine's apt sources have, checked with their keys; this machine's own packages do not matter. */
export async function downloadPackages(folder: string, architecture: string): Promise<readonly DebianPackage[]> {
  for (const each of ["lists/partial", "archives/partial"]) mkdirSync(path.join(folder, each), { recursive: true });
  writeFileSync(path.join(folder, "status"), "");
  const settings = {
    "APT::Architecture": architecture,
    "APT::Architectures": architecture,
    "APT::Install-Recommends": "false",
    "APT::Sandbox::User": "root",
    "Dir::Cache": folder,
    "Dir::State::Lists": path.join(folder, "lists"),
    "Dir::State::status": path.join(folder, "status"),
  };
  const options = ["-qq", ...Object.entries(settings).flatMap(([name, value]) => ["-o", `${name}=${value}`])];
  await run("apt-get", [...options, "update"]);
  await run("apt-get", [...options, "--yes", "--download-only", "install", ...wanted]);
  const files = readdirSync(path.join(folder, "archives")).filter((each) => each.endsWith(".deb"));
  const packages = await Promise.all(files.map((each) => describe(path.join(folder, "archives", each))));
  return packages.filter(({ name }) => !forScripts.has(path.basename(name)));
}

async function describe(file: string): Promise<DebianPackage> {
  const text = await run("dpkg-deb", ["--showformat", "${Package} ${Version} ${Architecture}", "--show", file]);
  const [name = "", version = "", arch = ""] = text.split(" ");
  return { type: "deb", name: `debian/${name}`, version, qualifiers: `?arch=${arch}`, file };
}

/** What users of the image do not read. */
const leftOut = ["usr/share/man", "usr/share/info", "usr/share/locale", "usr/share/lintian", "usr/share/bug"];

/** Writes the root of the file system. Scanners find the packages in `var/lib/dpkg/status.d`. */
export async function writeRoot(root: string, packages: readonly DebianPackage[]): Promise<void> {
  for (const each of ["bin", "sbin", "lib", "lib64"]) {
    mkdirSync(path.join(root, "usr", each), { recursive: true });
    symlinkSync(path.join("usr", each), path.join(root, each));
  }
  const status = path.join(root, "var/lib/dpkg/status.d");
  mkdirSync(status, { recursive: true });
  for (const { name, file } of packages) {
    await run("sh", ["-c", 'dpkg-deb --fsys-tarfile "$0" | tar --extract --keep-directory-symlink --directory "$1"', file, root]);
    writeFileSync(path.join(status, path.basename(name)), `${await run("dpkg-deb", ["--field", file])}\n`);
  }
  for (const each of leftOut) rmSync(path.join(root, each), { recursive: true, force: true });
  for (const each of readdirSync(path.join(root, "usr/share/doc"), { recursive: true, withFileTypes: true })) {
    if (!each.isDirectory() && each.name !== "copyright") rmSync(path.join(each.parentPath, each.name));
  }
  rmSync(path.join(root, "usr/bin/sh"), { force: true });
  symlinkSync("bash", path.join(root, "usr/bin/sh"));
  writeFileSync(path.join(root, "etc/passwd"), "root:x:0:0:root:/root:/bin/bash\naro-hcp:x:1000:0:aro-hcp:/home/aro-hcp:/bin/bash\n");
  writeFileSync(path.join(root, "etc/group"), "root:x:0:\n");
  writeCertificates(root);
}

/** One file with all, as `update-ca-certificates` writes it. */
function writeCertificates(root: string): void {
  const source = path.join(root, "usr/share/ca-certificates/mozilla");
  const file = path.join(root, "etc/ssl/certs/ca-certificates.crt");
  mkdirSync(path.dirname(file), { recursive: true });
  for (const each of readdirSync(source).sort()) appendFileSync(file, readFileSync(path.join(source, each)));
}
