/** What the embedded Azure throws at whoever started it: a setting, file or directory it cannot work with, never an answer of Azure's. */

/** The message is lower-case and names the variable, file or directory; it holds no secret. */
export class EmbeddedAzureError extends Error {
  override readonly name: string = "EmbeddedAzureError";
}

/** What it was given cannot be used, a variable, a port or a seed document: nothing was touched. */
export class EmbeddedAzureInputError extends EmbeddedAzureError {
  override readonly name = "EmbeddedAzureInputError";
}
