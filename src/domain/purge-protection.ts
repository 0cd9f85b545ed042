/** Whether a create protects a vault from purging, which Azure never reverses. */

/** `new`: only a vault that it creates; `any`: also one that exists. */
export type PurgeProtection = "none" | "new" | "any";
