/** Reads each input file of a command and returns the problems of all of them. */
import { features } from "../features.js";
import { Failure, type Problem } from "../errors/failure.js";
import { readText } from "../files/text-file.js";
import type { InputFile } from "../settings/read-files.js";

export interface UnusableFile {
  readonly file: InputFile;
  readonly problems: readonly Problem[];
}

/** The files that have problems. */
export async function unusableFiles(files: readonly InputFile[]): Promise<readonly UnusableFile[]> {
  const readers = await readersOfFiles();
  const read = async (file: InputFile) => ({ file, problems: await problemsOf(file, readers.get(file.key) ?? readText) });
  return (await Promise.all(files.map(read))).filter(({ problems }) => problems.length > 0);
}

type Reader = (path: string) => Promise<unknown>;

/** The keys are options that name a file. Commands read files of other options in different ways. */
async function readersOfFiles(): Promise<ReadonlyMap<string, Reader>> {
  const documents = await Promise.all(features.map((feature) => feature.documents()));
  return new Map(documents.flatMap((own) => ("readers" in own ? Object.entries<Reader>(own.readers) : [])));
}

async function problemsOf({ path, label }: InputFile, read: Reader): Promise<readonly Problem[]> {
  try {
    await read(path);
    return [];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [{ origin: label, message: error.message }, ...error.problems];
  }
}
