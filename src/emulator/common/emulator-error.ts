/** The errors of the emulator itself, about a setting, file or directory, and not about a request. */

/** The message is lower-case and names the variable, file or directory; it holds no secret. */
export class EmulatorError extends Error {
  override readonly name: string = "EmulatorError";
}

/** The state is of another version, or damaged: a fresh one helps, another directory or permission does not. */
export class EmulatorStateError extends EmulatorError {
  override readonly name = "EmulatorStateError";
}

/** What it was given cannot be used, a variable, a port or a seed document: nothing was touched. */
export class EmulatorInputError extends EmulatorError {
  override readonly name: string = "EmulatorInputError";
}

/** Another process serves the directory. */
export class EmulatorServedError extends EmulatorInputError {
  override readonly name = "EmulatorServedError";
  readonly pid: number;

  constructor(pid: number, message: string) {
    super(message);
    this.pid = pid;
  }
}
