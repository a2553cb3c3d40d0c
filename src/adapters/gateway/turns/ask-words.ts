// How a run's request reads in a chat, which messages answer it, and how its end is told. Pure.
import type { Address } from '#adapters/gateway/address.ts';
import type { Choice as Button } from '#adapters/gateway/channel.ts';
import { shortOf } from '#adapters/gateway/commands/reply.ts';
import type { Asked, AskedRequest } from '#adapters/gateway/ledger/asked.ts';
import { truncate } from '#base/text.ts';
import type { Question } from '#engine/wire/request.ts';

/** What a permission can be answered with, by its number; the last one only to whoever has this machine. */
const choices = [
  { reply: 'once', says: 'yes, this once', outcome: 'allowed this once' },
  { reply: 'reject', says: 'no', outcome: 'not allowed' },
  {
    reply: 'always',
    says: 'yes, and from now on without asking, in every chat of this assistant',
    outcome: 'always allowed from now on',
  },
] as const;

type Choice = (typeof choices)[number];

/** So that one message holds it on every platform, with its frame. */
const argumentChars = 1_000;

/** A rule that stands for every chat is not for anybody who writes to the bot: only for who sits at the machine itself. */
function choicesFor({ address }: Pick<Asked, 'address'>): readonly Choice[] {
  return address.platform === 'terminal' ? choices : choices.slice(0, 2);
}

/** The message that asks what is to be answered next, as Markdown. */
export function askText(
  asked: Pick<Asked, 'id' | 'request' | 'answers' | 'address' | 'behalf'>,
  now: number,
): string {
  const { request, answers } = asked;
  const within = `within ${duration(request.expiresAtMs - now)}`;
  if (request.kind === 'permission') {
    const list = choicesFor(asked).map(({ says }, index) => `${index + 1}. ${says}`);
    return [
      ...(asked.behalf === undefined ? [] : [asked.behalf]),
      `May I use the tool \`${request.tool}\` with this?`,
      fenced(request.args),
      list.join('\n'),
      `_(Answer with the number alone, or \`/approve ${shortOf(asked.id)}\` or \`/deny\`, ${within}.)_`,
    ].join('\n\n');
  }
  const { question, options = [] } = nextQuestion(request, answers);
  const count = request.questions.length;
  const place = count > 1 ? ` (${answers.length + 1} of ${count})` : '';
  const how =
    options.length > 0 ? 'Answer with a number or in your own words' : 'Your next message answers this';
  const list = options.map((option, index) => `${index + 1}. ${option}`);
  return [
    `**Question${place}:** ${question}`,
    ...(list.length > 0 ? [list.join('\n')] : []),
    `_(${how}, ${within}.)_`,
  ].join('\n\n');
}

/** The buttons of a request, with the short labels that fit on one; none for a question that is answered in words. */
export function choicesOf(asked: Pick<Asked, 'id' | 'request' | 'answers' | 'address'>): Button[] {
  const labels =
    asked.request.kind === 'permission'
      ? choicesFor(asked).map(({ says }) => says)
      : (nextQuestion(asked.request, asked.answers).options ?? []);
  return labels.map((label, option) => ({ id: `a:${asked.id}:${asked.answers.length}:${option}`, label }));
}

/** The answer that a button stands for. */
export function choiceFor(
  asked: Pick<Asked, 'request' | 'answers' | 'address'>,
  option: number,
): string | undefined {
  if (asked.request.kind === 'permission') return choicesFor(asked)[option]?.reply;
  return nextQuestion(asked.request, asked.answers).options?.[option];
}

/** For whom somebody else is asked for leave, as Markdown. */
export function behalfText(speaker: string, { platform, kind }: Address): string {
  const name =
    truncate(
      speaker
        .replace(/[^\p{L}\p{N} .'-]/gu, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
      60,
    ) || 'somebody';
  return `**${name}** (${platform}, ${kind === 'dm' ? 'in private' : 'in a room'}) wants me to do something for which I need your leave.`;
}

/** What the chat is told whose run waits for somebody else's leave. */
export function elsewhereText(tool: string, whom: string): string {
  return `_(For this I need leave to use \`${tool}\`, and have asked ${whom}.)_`;
}

/** The answer that a message gives to an open request; undefined for one that is said to the assistant, such as a bare "yes". */
export function answerIn(
  text: string,
  asked: Pick<Asked, 'request' | 'answers' | 'address'>,
): string | undefined {
  const said = text.trim();
  const number = /^(\d{1,2})[.)]?$/.exec(said)?.[1];
  if (asked.request.kind === 'permission') return choicesFor(asked)[Number(number ?? 0) - 1]?.reply;
  if (said === '') return undefined;
  const { options = [] } = nextQuestion(asked.request, asked.answers);
  return options[Number(number ?? 0) - 1] ?? truncate(said, answerChars);
}

/** As the engine takes one answer. */
const answerChars = 10_000;

/** True when the person has answered all that was asked. */
export function isComplete({ request, answers }: Pick<Asked, 'request' | 'answers'>): boolean {
  return answers.length >= (request.kind === 'permission' ? 1 : request.questions.length);
}

/** The choice of an answered permission request. */
export function choiceOf({ answers }: Pick<Asked, 'answers'>): Choice['reply'] {
  return choices.find(({ reply }) => reply === answers[0])?.reply ?? 'reject';
}

/** How an answer ended a request. */
export function outcomeOf({ request, answers }: Pick<Asked, 'request' | 'answers'>): string {
  if (request.kind === 'question') return 'answered';
  return choices.find(({ reply }) => reply === answers[0])?.outcome ?? 'not allowed';
}

/** How a request ended that nobody answered here. */
export const outcomes = {
  elsewhere: 'answered elsewhere',
  expired: 'expired: nobody answered in time',
  dropped: 'no longer needed',
} as const;

/** The message that asked, once it is settled. */
export function settledText(asked: Asked, now: number): string {
  const { request, outcome = outcomes.dropped } = asked;
  const said = asked.answers.at(-1);
  const words =
    request.kind === 'question' && said !== undefined
      ? `${outcome}: ${truncate(said.replace(/\s+/g, ' '), 200)}`
      : outcome;
  const before = { ...asked, answers: asked.answers.slice(0, -1) };
  const lines = askText(request.kind === 'question' && said !== undefined ? before : asked, now).split(
    '\n\n',
  );
  return [...lines.slice(0, -1), `_(${words})_`].join('\n\n');
}

function nextQuestion(
  { questions }: Extract<AskedRequest, { kind: 'question' }>,
  answers: readonly string[],
): Question {
  const next = questions[answers.length];
  if (next === undefined) throw new Error(`all ${questions.length} questions are answered`);
  return next;
}

/** The arguments as a code block that no text of theirs can close. */
function fenced(args: unknown): string {
  const json = truncate(JSON.stringify(args, null, 1) ?? 'null', argumentChars, ' […]');
  const longest = Math.max(2, ...[...json.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}json\n${json}\n${fence}`;
}

/** `12 minutes`, `24 hours`; at least a minute. */
function duration(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000));
  if (minutes >= 120) return `${Math.round(minutes / 60)} hours`;
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}
