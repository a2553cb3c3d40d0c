// The headings above a place of a document, from the outermost down.

export interface HeadingPath {
  /** Goes below a heading; those that are as deep, or deeper, end. */
  enter(depth: number, text: string): void;
  /** The texts of the headings, without empty ones. */
  texts(): string[];
}

/** The path at the beginning of a document, whose first heading may be of any depth. */
export function createHeadingPath(): HeadingPath {
  const above: { depth: number; text: string }[] = [];
  return {
    enter(depth, text) {
      while ((above.at(-1)?.depth ?? 0) >= depth) above.pop();
      above.push({ depth, text });
    },
    texts: () => above.map(({ text }) => text).filter((text) => text !== ''),
  };
}
