/** Makes external text (Azure's messages, names, files) safe for a terminal. */
import { stripVTControlCharacters } from "node:util";
import { withoutControl } from "../text/control.js";

/** One line of plain text: no escape sequence, no control character, no line end. */
export function printable(text: string): string {
  return withoutControl(stripVTControlCharacters(text)).trim();
}

/**
 * At most `width` characters, with an ellipsis at the end of shortened text.
 * Wide characters count as one: such a line may wrap, which the live view survives.
 */
export function shorten(text: string, width: number, ellipsis: string): string {
  const characters = [...text];
  if (characters.length <= width) return text;
  const room = Math.max(0, width - ellipsis.length);
  return characters.slice(0, room).join("").trimEnd() + ellipsis.slice(0, width);
}

/** Like `shorten`, but keeps the end; the beginning gets a third of the width. */
export function cutMiddle(text: string, width: number, ellipsis: string): string {
  const characters = [...text];
  if (characters.length <= width) return text;
  const room = width - ellipsis.length;
  const head = Math.floor(room / 3);
  return characters.slice(0, head).join("") + ellipsis + characters.slice(characters.length - (room - head)).join("");
}
