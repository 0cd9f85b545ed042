/** Whether `npm ci` accepts the lock file. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

interface LockedPackage {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
interface LockFile {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

const exactVersion = /^\d+\.\d+\.\d+$/;

/** The package that Node resolves a name to, from the package in a folder. */
function resolved(packages: LockFile["packages"], folder: string, name: string): LockedPackage | undefined {
  for (let at = folder; ;) {
    const found = packages[`${at === "" ? "" : `${at}/`}node_modules/${name}`];
    if (found !== undefined || at === "") return found;
    const parent = at.lastIndexOf("/node_modules/");
    at = parent === -1 ? "" : at.slice(0, parent);
  }
}

/** Dependencies with an exact version that a lock file has in another version. */
function unmet({ packages }: LockFile): string[] {
  return Object.entries(packages).flatMap(([folder, of]) =>
    Object.entries({ ...of.dependencies, ...of.optionalDependencies })
      .filter(([, version]) => exactVersion.test(version))
      .filter(([name, version]) => (resolved(packages, folder, name)?.version ?? version) !== version)
      .map(([name, version]) => `${folder}: ${name} ${version}`),
  );
}

test("the lock file has every dependency in the exact version that its package requires, on every platform", () => {
  expect(unmet(JSON.parse(readFileSync("package-lock.json", "utf8")) as LockFile)).toEqual([]);
});
