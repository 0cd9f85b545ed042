/** Splits a command line into words, as a POSIX shell does. */

/** @throws Error if a shell would interpret part of the line: an open quote, `<placeholder>`, `?`. */
export function shellWords(line: string): string[] {
  const word = /\s+|'([^']*)'|"([^"$`\\!]*)"|([^\s'"<>|&;()$`\\*?[\]#~!{}]+)/y;
  const words: string[] = [];
  let inWord = false;
  while (word.lastIndex < line.length) {
    const at = word.lastIndex;
    const [whole, single, double, plain] = word.exec(line) ?? [];
    if (whole === undefined) throw new Error(`a shell would interpret this line, from ${line.slice(at, at + 20)}: ${line}`);
    const text = single ?? double ?? plain;
    if (text === undefined) inWord = false;
    else if (inWord) words.push(`${words.pop() ?? ""}${text}`);
    else words.push(text);
    inWord = text !== undefined;
  }
  return words;
}
