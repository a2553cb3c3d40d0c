// Separates what a model thinks from what it says where both come as one text, with tags around the thoughts. Not of reasoning that a
// provider sends on its own. The SDK's middleware for this knows one tag, takes it inside code, and misses one that is only closed.

export type SpokenPiece =
  | { type: 'text' | 'reasoning'; delta: string }
  /** All text before this was thought: the model began to think without saying so. */
  | { type: 'was reasoning' };

export interface ThoughtSplitter {
  push(delta: string): SpokenPiece[];
  /** What was held back, once nothing follows. */
  end(): SpokenPiece[];
}

/** `<think>` and its kin, also with a prefix as some models write it, and what Mistral, Kimi and others write instead. */
const names = ['', 'antml:', 'seed:', 'mm:'].flatMap((prefix) =>
  ['think', 'thinking', 'thought', 'thoughts', 'reasoning'].map((name) => prefix + name),
);
const openers = [...names.map((name) => `<${name}>`), '[THINK]', '◁think▷', '<|begin_of_thought|>'];
const closers = [...names.map((name) => `</${name}>`), '[/THINK]', '◁/think▷', '<|end_of_thought|>'];
/** Characters after an opening tag in the middle of a line within which it has to be closed. */
const maxUnsure = 20_000;
/** Where a tag or code can begin. */
const marks = /[<[◁`~\n]/;

/**
 * A splitter for one answer. Tags in code are text, and so is an opening tag in the middle of a line that is never closed; one at the
 * beginning of a line that is never closed opens a thought that lasts to the end. With `holds` an answer waits until it is known whether it
 * began as a thought, which only its closing tag shows.
 */
export function createThoughtSplitter({ holds }: { holds: boolean }): ThoughtSplitter {
  const told = createTold(holds);
  let rest = '';
  let state: 'text' | 'thought' | 'maybe thought' = 'text';
  /** The run of backticks or tildes that ends the code we are in. */
  let code: { fence: string } | { span: string } | undefined;

  const take = (piece: string): true => {
    told.say(piece);
    rest = rest.slice(piece.length);
    return true;
  };
  /** One step over what is there; false where more is needed to know. */
  const step = (isEnd: boolean): boolean => {
    if (state === 'thought') return think(isEnd);
    if (state === 'maybe thought') return decide(isEnd);
    const at = rest.search(marks);
    if (at !== 0) return take(at < 0 ? rest : rest.slice(0, at));
    const [mark = ''] = rest;
    if (mark === '`' || mark === '~') return ticks(mark, isEnd);
    if (mark === '\n' && code !== undefined && 'span' in code) code = undefined; // a span ends with its line here
    if (mark === '\n' || code !== undefined) return take(mark);
    return tag(mark, isEnd);
  };
  const ticks = (mark: string, isEnd: boolean): boolean => {
    const run = /^(`+|~+)/.exec(rest)?.[0] ?? mark;
    if (run.length === rest.length && !isEnd) return false;
    const isFence = told.isLineStart() && run.length >= 3;
    if (code === undefined) {
      if (isFence) code = { fence: run };
      else if (mark === '`') code = { span: run };
    } else if ('span' in code) {
      if (run === code.span) code = undefined;
    } else if (isFence && run.startsWith(code.fence)) code = undefined;
    return take(run);
  };
  const open = (opener: string): void => {
    rest = rest.slice(opener.length);
    told.beginThought();
    state = 'thought';
  };
  const tag = (mark: string, isEnd: boolean): boolean => {
    const opener = startOf(rest, openers);
    const closer = startOf(rest, closers);
    if (opener !== undefined) {
      if (told.isLineStart()) open(opener);
      else state = 'maybe thought';
    } else if (closer !== undefined) {
      rest = rest.slice(closer.length);
      told.endThought();
    } else if (!isEnd && mayBecome(rest, [...openers, ...closers])) return false;
    else take(mark);
    return true;
  };
  const think = (isEnd: boolean): boolean => {
    const found = firstOf(rest, closers);
    const sure = found?.at ?? (isEnd ? rest.length : rest.length - tailLength(rest, closers));
    told.think(rest.slice(0, sure));
    rest = rest.slice(sure + (found?.length ?? 0));
    if (found === undefined) return false;
    told.endThought();
    state = 'text';
    return true;
  };
  /** At an opening tag in the middle of a line: a thought if it is closed, text if not. */
  const decide = (isEnd: boolean): boolean => {
    const found = firstOf(rest, closers);
    if (found === undefined && !isEnd && rest.length < maxUnsure) return false;
    const opener = startOf(rest, openers) ?? '';
    state = 'text';
    if (found === undefined) return take(opener);
    open(opener);
    return true;
  };
  const run = (isEnd: boolean): void => {
    while (rest !== '' && step(isEnd)) {
      // each step takes something of the rest, or changes the state
    }
  };
  return {
    push(delta) {
      rest += delta;
      run(false);
      return told.take();
    },
    end() {
      run(true);
      told.release('text');
      return told.take();
    },
  };
}

/** Gathers words and thoughts; text is without the space around a thought. */
function createTold(holds: boolean) {
  let out: SpokenPiece[] = [];
  let isLineStart = true;
  let hasText = false;
  let hasThought = false;
  let isHolding = holds;
  /** Space before the first word, which waits for what follows it. */
  let space = '';
  let held = '';

  const add = (type: 'text' | 'reasoning', delta: string): void => {
    const last = out.at(-1);
    if (last?.type === type) out[out.length - 1] = { type, delta: last.delta + delta };
    else if (delta !== '') out.push({ type, delta });
  };
  const release = (as: 'text' | 'reasoning'): void => {
    isHolding = false;
    add(as, held);
    held = '';
  };
  return {
    isLineStart: () => isLineStart,
    release,
    think: (piece: string) => add('reasoning', piece),
    say(piece: string): void {
      const end = piece.lastIndexOf('\n');
      isLineStart = end < 0 ? isLineStart && piece.trim() === '' : piece.slice(end).trim() === '';
      const whole = space + piece;
      const words = hasThought && !hasText ? whole.replace(/^\s+/, '') : whole;
      space = !hasText && words.trim() === '' ? words : '';
      if (space !== '' || words === '') return;
      hasText = true;
      if (isHolding) held += words;
      else add('text', words);
    },
    beginThought(): void {
      hasThought = true;
      space = '';
      release('text');
    },
    /** Also where none was begun: all before it was one then. */
    endThought(): void {
      if (!hasThought) out.push({ type: 'was reasoning' });
      release('reasoning');
      hasThought = true;
      isLineStart = true;
      hasText = false;
    },
    take(): SpokenPiece[] {
      const pieces = out;
      out = [];
      return pieces;
    },
  };
}

/** The text of an answer that is whole, without its thoughts. */
export function withoutThoughts(text: string): string {
  const splitter = createThoughtSplitter({ holds: true });
  return [...splitter.push(text), ...splitter.end()]
    .map((piece) => (piece.type === 'text' ? piece.delta : ''))
    .join('');
}

const lower = (text: string): string => text.toLowerCase();
/** Tags in angle brackets are read in any case; the others stand as they do. */
const hasStart = (text: string, tag: string): boolean =>
  tag.startsWith('<') ? lower(text.slice(0, tag.length)) === tag : text.startsWith(tag);

/** The tag that the text begins with. */
function startOf(text: string, tags: readonly string[]): string | undefined {
  return tags.find((tag) => hasStart(text, tag));
}

/** Whether more could make the text begin with a tag. */
function mayBecome(text: string, tags: readonly string[]): boolean {
  return tags.some((tag) => text.length < tag.length && hasStart(text, tag.slice(0, text.length)));
}

function firstOf(text: string, tags: readonly string[]): { at: number; length: number } | undefined {
  for (let at = 0; at < text.length; at += 1) {
    if (!/[<[◁]/.test(text[at] ?? '')) continue;
    const tag = startOf(text.slice(at, at + 30), tags);
    if (tag !== undefined) return { at, length: tag.length };
  }
  return undefined;
}

/** How many characters at the end could be the beginning of a tag. */
function tailLength(text: string, tags: readonly string[]): number {
  const at = Math.max(text.lastIndexOf('<'), text.lastIndexOf('['), text.lastIndexOf('◁'));
  return at >= 0 && mayBecome(text.slice(at), tags) ? text.length - at : 0;
}
