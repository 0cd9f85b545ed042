export const run = (): Promise<number> => Promise.reject(new Error("not yet"));
