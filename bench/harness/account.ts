// What became of every message: answered, lost, reported as failed, doubled, out of order, archived. Pure.
import type { SandboxPlatform } from '#sandbox/contract.ts';
import type { Said } from './echo-model.ts';

/** A message that someone said. */
export interface Sent {
  token: string;
  platform: SandboxPlatform;
  /** The chat, or the thread in it, within which answers follow the order of messages. */
  lane: string;
}

/** A message of the bot as it stands in the end, in the order of its chat. */
export interface Stood {
  platform: SandboxPlatform;
  lane: string;
  text: string;
}

export interface Outcome {
  sent: number;
  answered: number;
  lost: number;
  duplicated: Record<SandboxPlatform, number>;
  outOfOrder: number;
  archived: number;
  archivedTwice: number;
  /** Repeats that do not say that they may be one. */
  unlabelled: number;
  /** Messages of the bot in a place where nobody said what they answer. */
  astray: number;
  /** What is wrong, one sentence for each case. */
  faults: string[];
}

const word = /\ba(\d+)w(\d+)\b/g;
const label = /^\(This may be a repeat\.\)/;

interface Read extends Stood {
  at: number;
  /** Words by the answer they belong to. */
  words: Map<number, Set<number>>;
}

/**
 * Compares what was written with what is in the chats. An answer is whole when every word of it exists, in order; what
 * stands besides one whole answer for each message is a duplicate, and so is the rest of a preview. Nothing may be in
 * a lane where its messages were not said. `archives` holds, for each archived exchange, the text that people said in it.
 */
export function accountFor(facts: {
  sent: readonly Sent[];
  existed: readonly Stood[];
  book: ReadonlyMap<number, Said>;
  archives: readonly string[];
}): Outcome {
  const { sent, book } = facts;
  const read = facts.existed.map(readStood);
  const outcome: Outcome = {
    sent: sent.length,
    answered: 0,
    lost: 0,
    duplicated: { discord: 0, slack: 0, telegram: 0 },
    outOfOrder: 0,
    archived: 0,
    archivedTwice: 0,
    unlabelled: 0,
    astray: 0,
    faults: [],
  };
  const firstAt = new Map<string, number>();
  for (const answers of answersByTokens(book).values()) judge(answers, { read, outcome, firstAt });
  findAstray(sent, book, { read, outcome });
  for (const { lane, text, platform } of read.filter(({ words }) => words.size === 0))
    outcome.faults.push(
      `${platform} ${lane}: the bot said something else: ${JSON.stringify(text.slice(0, 120))}`,
    );
  countMessages(sent, firstAt, outcome);
  countArchives(sent, facts.archives, outcome);
  return outcome;
}

function readStood(existed: Stood, at: number): Read {
  const words = new Map<number, Set<number>>();
  for (const [, id, number] of existed.text.matchAll(word)) {
    const known = words.get(Number(id)) ?? new Set();
    words.set(Number(id), known.add(Number(number)));
  }
  return { ...existed, at, words };
}

/** Answers to the same messages: a run that died is begun again, and its model answers again. */
function answersByTokens(book: ReadonlyMap<number, Said>): Map<string, Said[]> {
  const groups = new Map<string, Said[]>();
  for (const said of book.values()) {
    const key = said.tokens.join();
    groups.set(key, [...(groups.get(key) ?? []), said]);
  }
  return groups;
}

/** Finds the whole answer among those to the same messages; everything else that stands of them is too much. */
function judge(
  answers: readonly Said[],
  { read, outcome, firstAt }: { read: readonly Read[]; outcome: Outcome; firstAt: Map<string, number> },
): void {
  const pieces = read.filter(({ words }) => answers.some(({ id }) => words.has(id)));
  const whole = answers.findLast((said) => {
    const found = new Set(pieces.flatMap(({ words }) => [...(words.get(said.id) ?? [])]));
    return found.size >= said.words;
  });
  const needed = whole === undefined ? [] : coverOf(whole, pieces);
  if (whole !== undefined) {
    const [first] = needed;
    const again = whole.tokens.filter((token) => firstAt.has(token));
    if (first !== undefined && again.length > 0) {
      outcome.duplicated[first.platform] += needed.length;
      outcome.faults.push(`${first.platform} ${first.lane}: answered again: ${again.join(' ')}`);
    }
    for (const token of whole.tokens)
      if (first !== undefined) firstAt.set(token, Math.min(first.at, firstAt.get(token) ?? first.at));
    if (!inOrder(whole, needed)) {
      outcome.outOfOrder += 1;
      outcome.faults.push(`the parts of the answer to ${whole.tokens.join(' ')} are out of order`);
    }
  }
  const surplus = pieces.filter((piece) => !needed.includes(piece));
  for (const { platform, lane, text } of surplus) {
    outcome.duplicated[platform] += 1;
    if (platform !== 'telegram')
      outcome.faults.push(`${platform} ${lane}: too much stands: ${JSON.stringify(text.slice(0, 90))}`);
  }
  for (const { platform, lane, text } of unlabelledOf(surplus, pieces)) {
    outcome.unlabelled += 1;
    outcome.faults.push(
      `${platform} ${lane}: a repeat without its label: ${JSON.stringify(text.slice(0, 90))}`,
    );
  }
}

/**
 * What is too much and does not say so: every surplus message needs a label of its own, or one on another message that says
 * some of the same words or answers the same messages again.
 */
function unlabelledOf(surplus: readonly Read[], pieces: readonly Read[]): Read[] {
  const labels = new Set(pieces.filter(({ text }) => label.test(text)));
  const untold = surplus.filter((piece) => !labels.delete(piece));
  const untoldBy = (fits: (labelled: Read, piece: Read) => boolean) => (piece: Read) => {
    const told = [...labels].find((labelled) => fits(labelled, piece));
    return told === undefined || !labels.delete(told);
  };
  return untold.filter(untoldBy(overlap)).filter(untoldBy((one, other) => !sameAnswer(one, other)));
}

function sameAnswer(one: Read, other: Read): boolean {
  return [...one.words.keys()].some((id) => other.words.has(id));
}

function overlap(one: Read, other: Read): boolean {
  return [...one.words].some(([id, numbers]) =>
    [...numbers].some((number) => other.words.get(id)?.has(number) === true),
  );
}

/** Messages in a place where nobody said what they answer. */
function findAstray(
  sent: readonly Sent[],
  book: ReadonlyMap<number, Said>,
  { read, outcome }: { read: readonly Read[]; outcome: Outcome },
): void {
  const homes = new Map(sent.map(({ token, platform, lane }) => [token, `${platform} ${lane}`]));
  for (const { platform, lane, words, text } of read) {
    const tokens = [...words.keys()].flatMap((id) => book.get(id)?.tokens ?? []);
    const away = tokens.find((token) => homes.get(token) !== `${platform} ${lane}`);
    if (away === undefined) continue;
    outcome.astray += 1;
    outcome.faults.push(
      `${platform} ${lane}: is in the wrong place, for ${away} was said elsewhere: ${JSON.stringify(text.slice(0, 60))}`,
    );
  }
}

/** The fewest messages that hold the whole answer: the fullest first, of equal ones the oldest; in the order they stand. */
function coverOf({ id }: Said, pieces: readonly Read[]): Read[] {
  const wordsOf = (piece: Read): Set<number> => piece.words.get(id) ?? new Set();
  const fullestFirst = [...pieces].sort((a, b) => wordsOf(b).size - wordsOf(a).size || a.at - b.at);
  const covered = new Set<number>();
  const needed: Read[] = [];
  for (const piece of fullestFirst) {
    const fresh = [...wordsOf(piece)].filter((number) => !covered.has(number));
    if (fresh.length === 0) continue;
    for (const number of fresh) covered.add(number);
    needed.push(piece);
  }
  return needed.sort((a, b) => a.at - b.at);
}

function inOrder({ id }: Said, pieces: readonly Read[]): boolean {
  const starts = pieces.map(({ words }) => Math.min(...(words.get(id) ?? [])));
  return starts.every((start, at) => at === 0 || start > (starts[at - 1] ?? 0));
}

/** Answered or lost, and whether the answers of a lane follow its messages. */
function countMessages(sent: readonly Sent[], firstAt: ReadonlyMap<string, number>, outcome: Outcome): void {
  /** The answered message of each lane whose answer stands lowest so far. */
  const lowest = new Map<string, { token: string; at: number }>();
  for (const { token, platform, lane } of sent) {
    const key = `${platform} ${lane}`;
    const at = firstAt.get(token);
    if (at === undefined) {
      outcome.lost += 1;
      outcome.faults.push(`${key}: no whole answer to ${token}`);
      continue;
    }
    outcome.answered += 1;
    const before = lowest.get(key);
    if (before !== undefined && at < before.at) {
      outcome.outOfOrder += 1;
      outcome.faults.push(`${key}: the answer to ${token} stands before that to the earlier ${before.token}`);
    } else lowest.set(key, { token, at });
  }
}

function countArchives(sent: readonly Sent[], archives: readonly string[], outcome: Outcome): void {
  for (const { token, platform, lane } of sent) {
    const times = archives.filter((text) => text.includes(token)).length;
    if (times === 1) outcome.archived += 1;
    else outcome.faults.push(`${platform} ${lane}: ${token} is archived ${times} times`);
    if (times > 1) outcome.archivedTwice += 1;
  }
}
