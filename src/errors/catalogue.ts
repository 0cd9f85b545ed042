/** Every failure the program can show: exit code, meaning and standing advice, as data. `docs/errors.md` is generated from it. */

export interface CatalogueEntry {
  readonly title: string;
  /** The process exit code, see `exit-codes.ts`. */
  readonly exit: number;
  /** Advice used where the failure brings none of its own. */
  readonly next: readonly string[];
  /** Azure error codes that are translated to this entry. */
  readonly azureCodes?: readonly string[];
}

export const catalogue = {
  "ARO-USAGE-001": { title: "settings that cannot be used", exit: 2, next: ["correct the settings named above; --help lists them"] },
  "ARO-OWN-001": { title: "a resource of that name exists and is not ours", exit: 5, next: ["choose another name or infra id, or hand the resource over with its flag"] },
  "ARO-AZURE-001": { title: "Azure refused for a reason not in this list", exit: 1, next: ["run the same command again"] },
  "ARO-BUG-001": { title: "a fault of aro-hcp itself", exit: 70, next: ["please report it with the output of --debug"] },
} as const satisfies Record<string, CatalogueEntry>;

export type FailureCode = keyof typeof catalogue;
