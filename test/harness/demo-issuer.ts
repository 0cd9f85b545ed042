/** The issuer of the set "demo" in the emulator. The digits are a hash of subscription, group and name: see `defaultAccountName`. */
export const demoAccount = "demo1e0571";
export const demoIssuer = `https://${demoAccount}.blob.core.windows.net/demo`;
