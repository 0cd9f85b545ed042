/** Whether a create protects a vault from purging. Azure never takes the protection back. */

/** `new`: only a vault that it creates; `any`: also one that exists. */
export type PurgeProtection = "none" | "new" | "any";
