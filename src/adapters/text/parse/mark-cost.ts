// What the marks of one paragraph cost the Markdown parser: it looks back from each of them for one that it could close. Not its other work.

/** In microseconds; measured as in parse-cost.ts. */
const costs = {
  /** A star, a bracket, a tag, a character reference, on its own … */
  mark: 10,
  /** … with each mark before it in the paragraph … */
  before: 0.02,
  /** … and with each one before it that is still open: what is closed is not looked at again. */
  open: 0.5,
  /** The end of a comment or the like, and backticks of another length than the first, are looked for in each character behind. */
  endless: 0.03,
  /** The parser trims one character reference after the other from the end of an address. */
  inAddress: 0.25,
  /** Words between brackets, with each other. */
  words: 0.025,
};

const marks = /[*_~]+|`+|\\.|!?\[|[\]<&@:]/g;
const blank = /^\s?$/;

interface MarkCost {
  /** What the next line of the paragraph adds; `left` are the characters from this line on. */
  line(text: string, left: number): number;
  /** Another paragraph begins. */
  begin(): void;
}

/** Estimates what a text's inline marks cost the parser, one paragraph after the other. Linear in the text. */
export function createMarkCost(): MarkCost {
  const open = new Map<string, number>();
  const ticks = new Set<number>();
  let seen = 0;
  let stillOpen = 0;
  const opened = (kind: string, by: 1 | -1): void => {
    open.set(kind, (open.get(kind) ?? 0) + by);
    stillOpen += by;
  };
  /** Opens or closes, as far as its neighbours say; what could do both closes. */
  const delimiter = (kind: string, before: string, after: string): void => {
    const isOpen = (open.get(kind) ?? 0) > 0;
    if (isOpen && !blank.test(before)) opened(kind, -1);
    else if (!blank.test(after)) opened(kind, 1);
  };
  return {
    line(text, left) {
      let cost = 0;
      let hasBrackets = false;
      let references = 0;
      for (const { 0: mark, index } of text.matchAll(marks)) {
        const sign = mark.charAt(0);
        const after = text.charAt(index + mark.length);
        cost += costs.mark + seen * costs.before + stillOpen * costs.open;
        seen += 1;
        if (sign === '[' || sign === '!') {
          opened('[', 1);
          hasBrackets = true;
        } else if (sign === ']') {
          if ((open.get('[') ?? 0) > 0) opened('[', -1);
          hasBrackets = true;
        } else if ('*_~'.includes(sign)) delimiter(sign, text.charAt(index - 1), after);
        else if (sign === '`') {
          if (ticks.size > 0 && !ticks.has(mark.length)) cost += left * costs.endless;
          ticks.add(mark.length);
        } else if (sign === '&') references += 1;
        else if (sign === '<' && '!?'.includes(after)) cost += left * costs.endless;
      }
      if (hasBrackets) cost += countOf(text, ' ') ** 2 * costs.words;
      if (references > 1 && /:\/\/|www\./i.test(text)) cost += references ** 2 * costs.inAddress;
      return cost;
    },
    begin() {
      open.clear();
      ticks.clear();
      seen = 0;
      stillOpen = 0;
    },
  };
}

/** How often the character `sign` occurs in the text. */
export function countOf(text: string, sign: string): number {
  let count = 0;
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) count += 1;
  return count;
}
