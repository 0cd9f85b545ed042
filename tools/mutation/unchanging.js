/** Code whose mutants change nothing that anybody can see, with the reason. */
export const unchanging = new Map([]);
