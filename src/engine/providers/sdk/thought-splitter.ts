// Separates what a model thinks from what it says where both come as one text, with tags around the thoughts. Not of reasoning that a
// provider sends on its own. The SDK's middleware for this knows one tag, takes it inside code, and misses one that is only closed.

import { looksLikeThought } from './thought-begins.ts';

export type SpokenPiece =
  | { type: 'text' | 'reasoning'; delta: string }
  /** All text before this was thought: the model began to think without saying so. */
  | { type: 'was reasoning' };

export interface ThoughtSplitter {
  push(delta: string): SpokenPiece[];
  /** What was held back, once nothing follows. */
  end(): SpokenPiece[];
}

/** Characters after an opening tag in the middle of a line within which it has to be closed. */
const maxUnsure = 20_000;
/** Where a tag or code can begin. */
const marks = /[<[◁`~\n]/;

/**
 * A splitter for one answer. Tags in code are text, and so is an opening tag in the middle of a line that is never closed; one at the
 * beginning of a line that is never closed opens a thought that lasts to the end. A tag that is opened inside of a thought ends only itself,
 * where another one ends the thought. With `holds` an answer waits until it is known whether it began as a thought, which only its closing
 * tag shows; with `thoughts` only one whose first words are such as thoughts begin with.
 */
export function createThoughtSplitter({ holds }: { holds: boolean | 'thoughts' }): ThoughtSplitter {
  const told = createTold(holds);
  let rest = '';
  let state: 'text' | 'thought' | 'maybe thought' | 'maybe more thought' = 'text';
  /** Tags that were opened inside of the thought and are not closed yet. */
  let depth = 0;
  const code = createCodeMarks();
  const channels = createChannels(told);

  const skip = (length: number): void => {
    rest = rest.slice(length);
  };
  const take = (piece: string): true => {
    told.say(piece);
    skip(piece.length);
    return true;
  };
  /** One step over what is there; false where more is needed to know. */
  const step = (isEnd: boolean): boolean => {
    if (state === 'thought') return think(isEnd);
    if (state !== 'text') return decide(isEnd);
    const bare = channels.bare(rest, isEnd);
    if (bare !== undefined) return bare !== 'unsure' && header(bare);
    const at = rest.search(marks);
    if (at !== 0) return take(at < 0 ? rest : rest.slice(0, at));
    const [mark = ''] = rest;
    if (mark === '`' || mark === '~') return ticks(mark, isEnd);
    if (mark === '\n') code.endLine();
    return mark === '\n' || code.isIn() ? take(mark) : tag(mark, isEnd);
  };
  const ticks = (mark: string, isEnd: boolean): boolean => {
    const run = /^(`+|~+)/.exec(rest)?.[0] ?? mark;
    if (run.length === rest.length && !isEnd) return false;
    code.meet(run, told.isLineStart());
    return take(run);
  };
  const open = (length: number): void => {
    skip(length);
    told.beginThought();
    depth = 0;
    state = 'thought';
  };
  const close = (length: number): void => {
    skip(length);
    told.endThought();
    state = 'text';
  };
  const header = (found: Header): true => {
    if (channels.begin(found)) open(found.length);
    else skip(found.length);
    return true;
  };
  const tag = (mark: string, isEnd: boolean): boolean => {
    const found = markAt(rest);
    if (found === undefined) return !isEnd && mayBecomeMark(rest) ? false : take(mark);
    const { is, length } = found;
    if (is === 'header') return header(found);
    if (is === 'end') {
      if (!channels.end()) return take(mark);
      skip(length);
    } else if (is === 'answer' || is === 'nothing') {
      if (is === 'nothing' && !told.isLineStart()) return take(mark);
      skip(length);
      told.beginThought();
    } else if (is === 'close') close(length);
    else if (!told.isLineStart()) state = 'maybe thought';
    else open(length);
    return true;
  };
  const think = (isEnd: boolean): boolean => {
    const found = firstMark(rest, channels.isThought() ? ['header', 'end'] : ['open', 'close', 'answer']);
    const sure = found?.at ?? (isEnd ? rest.length : rest.length - tailLength(rest));
    told.think(rest.slice(0, sure));
    skip(sure);
    if (found === undefined) return false;
    const { is, length } = found.mark;
    if (is === 'header' || is === 'answer') close(0);
    else if (is !== 'open' && depth === 0) close(length);
    else {
      skip(length);
      depth += is === 'open' ? 1 : -1;
      if (is !== 'open') state = 'maybe more thought';
    }
    if (state === 'text') channels.end();
    return true;
  };
  /**
   * At an opening tag in the middle of a line, or behind the end of a tag inside of a thought: a thought if another tag closes it, text if
   * none does.
   */
  const decide = (isEnd: boolean): boolean => {
    const found = firstMark(withoutCode(rest), ['close']);
    if (found === undefined && !isEnd && rest.length < maxUnsure) return false;
    if (state === 'maybe more thought') {
      if (found === undefined) close(0);
      else state = 'thought';
      return true;
    }
    const { length } = markAt(rest) ?? { length: 1 };
    state = 'text';
    if (found === undefined) return take(rest.slice(0, length));
    open(length);
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
      // what is undecided is decided by the end of a tag, or by its length
      const isUndecided = state !== 'text' && state !== 'thought';
      if (!isUndecided || endOfMark.test(delta) || rest.length >= maxUnsure) run(false);
      return told.take();
    },
    end() {
      run(true);
      channels.end();
      told.release('text');
      return told.take();
    },
  };
}

/** Whether a text is in code, by its runs of backticks and tildes. */
function createCodeMarks() {
  let code: { fence: string } | { span: string } | undefined;
  return {
    isIn: () => code !== undefined,
    /** A span ends with its line here. */
    endLine(): void {
      if (code !== undefined && 'span' in code) code = undefined;
    },
    meet(run: string, isLineStart: boolean): void {
      const isFence = isLineStart && run.length >= 3;
      if (code === undefined) {
        if (isFence) code = { fence: run };
        else if (run.startsWith('`')) code = { span: run };
      } else if ('span' in code) {
        if (run === code.span) code = undefined;
      } else if (isFence && run.startsWith(code.fence)) code = undefined;
    },
  };
}

/** gpt-oss's own form, where no server reads it: a call of a tool becomes the form in which one is read. */
function createChannels(told: { say(piece: string): void }) {
  let channel: 'none' | 'thought' | 'call' | 'other' = 'none';
  /** True where a message may begin without the tags of its header. */
  let mayBegin = true;
  /** False where no message was begun: the mark is text then. */
  const end = (): boolean => {
    if (channel === 'call') told.say('}</tool_call>');
    if (channel !== 'none') channel = 'other';
    mayBegin ||= channel !== 'none';
    return channel !== 'none';
  };
  return {
    isThought: () => channel === 'thought',
    end,
    /** A header without its tags, with which the text begins; `unsure` while more could make it one. */
    bare(text: string, isEnd: boolean): Header | 'unsure' | undefined {
      if (!mayBegin) return undefined;
      if (!isEnd && mayBecomeBareHeader(text)) return 'unsure';
      mayBegin = false;
      return headerIn(bareHeader.exec(text));
    },
    /** True for a message that the model writes for itself. */
    begin({ name, to }: { name: string; to: string | undefined }): boolean {
      end();
      mayBegin = false;
      channel = to !== undefined ? 'call' : name === 'final' ? 'other' : 'thought';
      if (to !== undefined) told.say(`<tool_call>{"name": ${JSON.stringify(to)}, "arguments": `);
      return channel === 'thought';
    },
  };
}

/** Gathers words and thoughts; text is without the space around a thought. */
function createTold(holds: boolean | 'thoughts') {
  let out: SpokenPiece[] = [];
  let isLineStart = true;
  let hasText = false;
  let hasThought = false;
  let isHolding = holds !== false;
  let isUnsure = holds === 'thoughts';
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
      const isThought = isUnsure ? looksLikeThought(held) : undefined;
      if (isThought !== undefined) isUnsure = false;
      if (isThought === false) release('text');
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

type Mark =
  /** `answer` is around what is said, `nothing` a thought without words. */
  { is: 'open' | 'close' | 'end' | 'answer' | 'nothing'; length: number } | Header;

/** Of a message of gpt-oss: its channel, and the tool that it calls. */
interface Header {
  is: 'header';
  length: number;
  name: string;
  to: string | undefined;
}

/** `<think>` and its kin, also with a prefix as some models write it. */
const names = ['', 'antml:', 'seed:', 'mm:'].flatMap((prefix) =>
  ['think', 'thinking', 'thought', 'thoughts', 'reasoning', 'reasoning_content', 'analysis'].map(
    (name) => prefix + name,
  ),
);
/** A tag may have space or attributes in it: `<think >`. */
const openTag = new RegExp(`^<\\s?(?:${names.join('|')})(?:\\s[^<>]{0,80})?>`, 'i');
const closeTag = new RegExp(`^<\\s?/\\s?(?:${names.join('|')})\\s{0,80}>`, 'i');
const emptyTag = new RegExp(`^<\\s?(?:${names.join('|')})\\s{0,80}/>`, 'i');
const beginsTag = /^<\s?\/?\s?([a-z:_]*)(\/|\s[^<>]{0,80})?$/i;
/** What Mistral, Kimi, Cohere, Gemma and others write instead, as it stands. */
const openWords = ['[THINK]', '◁think▷', '<|begin_of_thought|>', '<|START_THINKING|>', '<|channel>thought'];
const closeWords = ['[/THINK]', '◁/think▷', '<|end_of_thought|>', '<|END_THINKING|>', '<channel|>'];
/** What the same and GLM write around the answer itself. */
const answerWords = [
  ...['<|begin_of_solution|>', '<|end_of_solution|>', '<|START_RESPONSE|>', '<|END_RESPONSE|>'],
  ...['<|begin_of_box|>', '<|end_of_box|>'],
];
/** The messages of gpt-oss: `<|start|>assistant<|channel|>analysis<|message|>…<|end|>`. */
const headerForm =
  /^(?:<\|start\|>\s?assistant([^<]{0,80}))?<\|channel\|>\s?([a-z]+)([^<]{0,80})(?:<\|constrain\|>[^<]{0,20})?<\|message\|>/;
const beginsHeader =
  /^(?:<\|start\|>\s?assistant[^<]{0,80})?(?:<\|channel\|>[^<]{0,80}(?:<\|constrain\|>[^<]{0,20})?)?(?:<[|a-z]{0,11})?$/;
/** The same without the tags that a server took out, at the beginning of a message. */
const bareHeader =
  /^\s*(?:assistant\s?<\|channel\|>\s?)?(analysis|commentary|final)((?:\s?to=[^<]{1,80})?\s?)(?:<\|constrain\|>[^<]{0,20})?<\|message\|>/;
const bareNames = ['analysis', 'commentary', 'final'];
const endWords = ['<|end|>', '<|return|>', '<|call|>'];
const longestMark = 300;
const endOfMark = /[>\]▷\n]/;

/** The mark that the text begins with. */
function markAt(text: string): Mark | undefined {
  const head = text.slice(0, longestMark);
  const [empty] = emptyTag.exec(head) ?? [];
  if (empty !== undefined) return { is: 'nothing', length: empty.length };
  const [opener] = openTag.exec(head) ?? openWords.filter((word) => head.startsWith(word));
  if (opener !== undefined) return { is: 'open', length: opener.length };
  const [closer] = closeTag.exec(head) ?? closeWords.filter((word) => head.startsWith(word));
  if (closer !== undefined) return { is: 'close', length: closer.length };
  const end = endWords.find((word) => head.startsWith(word));
  if (end !== undefined) return { is: 'end', length: end.length };
  const answer = answerWords.find((word) => head.startsWith(word));
  if (answer !== undefined) return { is: 'answer', length: answer.length };
  return headerIn(headerForm.exec(head));
}

function headerIn(found: RegExpExecArray | null): Header | undefined {
  if (found === null) return undefined;
  const [whole] = found;
  const [about = '', name = '', role = ''] = found.slice(1).toReversed();
  const [, to] = /\bto=(?:functions\.)?([\w-]+)/.exec(role + about) ?? [];
  return { is: 'header', length: whole.length, name, to };
}

/** Whether more could make the text a header without its tags. */
function mayBecomeBareHeader(text: string): boolean {
  const words = text.trimStart();
  if (text.length > longestMark || bareHeader.test(text)) return false;
  if (['assistant<|channel|>', 'assistant <|channel|>'].some((role) => role.startsWith(words))) return true;
  const rest = words.replace(/^assistant\s?<\|channel\|>\s?/, '');
  return bareNames.some((name) => {
    if (!rest.startsWith(name)) return name.startsWith(rest);
    return /^(?:\s?(?:t?|to=?|to=[^<]{1,80}))?\s?(?:<\|constrain\|>[^<]{0,20})?(?:<[|a-z]{0,11})?$/.test(
      rest.slice(name.length),
    );
  });
}

/** Whether more could make the text begin with a mark. */
function mayBecomeMark(text: string): boolean {
  if (text.length > longestMark) return false;
  const words = [
    ...openWords,
    ...closeWords,
    ...answerWords,
    ...endWords,
    '<|start|>assistant',
    '<|channel|>',
  ];
  if (words.some((word) => word.startsWith(text))) return true;
  const [, name, space] = beginsTag.exec(text) ?? [];
  if (name === undefined) return /^<\|(?:start|channel)\|>/.test(text) && beginsHeader.test(text);
  const lower = name.toLowerCase();
  return space === undefined ? names.some((each) => each.startsWith(lower)) : names.includes(lower);
}

function firstMark(text: string, kinds: readonly Mark['is'][]): { at: number; mark: Mark } | undefined {
  for (const { index } of text.matchAll(/[<[◁]/g)) {
    const mark = markAt(text.slice(index, index + longestMark));
    if (mark !== undefined && kinds.includes(mark.is)) return { at: index, mark };
  }
  return undefined;
}

/** How many characters at the end could be the beginning of a mark. */
function tailLength(text: string): number {
  const from = Math.max(0, text.length - longestMark);
  for (const { index } of text.slice(from).matchAll(/[<[◁]/g))
    if (mayBecomeMark(text.slice(from + index))) return text.length - from - index;
  return 0;
}

/** Code that is not closed yet lasts to the end: more may close it. */
const codeIn = /(`{3,}|~{3,})[\s\S]*?(?:\1|$)|(`+)[^\n]*?(?:\2|$)/g;

/** The text with spaces in the place of its code. */
const withoutCode = (text: string): string => text.replace(codeIn, (found) => ' '.repeat(found.length));
