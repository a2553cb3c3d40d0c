// A part of an answer, joined from the pieces of its events.

/**
 * The text with the piece at its place, which may reach back over what is known; undefined when pieces before it are missing.
 * `offset` counts the characters before the piece; one without continues the text.
 */
export function withPiece(
  known: string,
  { delta, offset = known.length }: { delta: string; offset?: number | undefined },
): string | undefined {
  return offset > known.length ? undefined : known.slice(0, offset) + delta;
}
