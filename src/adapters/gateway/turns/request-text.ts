// How a run's request reads in a chat, which messages answer it, and how its end is reported. Pure.
import type { Address } from '#adapters/gateway/address.ts';
import type { Button } from '#adapters/gateway/channel.ts';
import { named } from '#adapters/gateway/commands/naming.ts';
import { shortOf } from '#adapters/gateway/commands/reply.ts';
import type { PostedRequest, RequestSnapshot } from '#adapters/gateway/ledger/posted-requests.ts';
import { truncate } from '#base/text.ts';
import type { Question } from '#engine/wire/request.ts';

/** What a permission can be answered with, by its number; the last one only to anyone who has this machine. */
const choices = [
  { reply: 'once', says: 'yes, this once', outcome: 'allowed this once' },
  { reply: 'reject', says: 'no', outcome: 'not allowed' },
  {
    reply: 'always',
    says: 'yes, and starting now without asking, in every chat of this assistant',
    outcome: 'always allowed starting now',
  },
] as const;

type Choice = (typeof choices)[number];

/** So that one message holds it on every platform, with its frame; what is longer is in messages before the one that asks. */
const argumentChars = 1_000;
/** Nobody reads more before they decide; how much is left out is stated. */
const maxArgumentChars = 20_000;

/** The result of either answer: an approval is bound to these very arguments. */
const consequence = 'It is used exactly so, or not at all: without approval I continue without it.';

/** A rule that represents every chat is not for anyone who writes to the bot: only for who sits at the machine itself. */
function choicesFor({ address }: Pick<PostedRequest, 'address'>): readonly Choice[] {
  return address.platform === 'terminal' ? choices : choices.slice(0, 2);
}

/** The message that asks what is to be answered next, as Markdown. */
export function askText(
  asked: Pick<PostedRequest, 'id' | 'request' | 'answers' | 'address' | 'behalf'>,
  now: number,
): string {
  const { request, answers, address } = asked;
  const within = `within ${duration(request.expiresAtMs - now)}`;
  const inRoom = address.kind !== 'dm';
  const before = asked.behalf === undefined ? [] : [asked.behalf];
  if (request.kind === 'permission') {
    const list = choicesFor(asked).map(({ says }, index) => `${index + 1}. ${says}`);
    const id = shortOf(asked.id);
    return [
      ...before,
      ...(isLong(request.args)
        ? [`May I use the tool \`${request.tool}\` with what is above?`]
        : [`May I use the tool \`${request.tool}\` with this?`, fenced(jsonOf(request.args))]),
      consequence,
      list.join('\n'),
      inRoom
        ? `_(Answer me with the number only, or with ${named(address, `approve ${id}`)} or ${named(address, `deny ${id}`)}, ${within}.)_`
        : `_(Answer with the number only, or ${named(address, `approve ${id}`)} or ${named(address, 'deny')}, ${within}.)_`,
    ].join('\n\n');
  }
  const { question, options = [] } = nextQuestion(request, answers);
  const count = request.questions.length;
  const place = count > 1 ? ` (${answers.length + 1} of ${count})` : '';
  const plain =
    options.length > 0 ? 'Answer with a number or in your own words' : 'Your next message answers this';
  const how = inRoom ? 'Reply to this, or mention me with your answer' : plain;
  const list = options.map((option, index) => `${index + 1}. ${option}`);
  return [
    ...before,
    `**Question${place}:** ${question}`,
    ...(list.length > 0 ? [list.join('\n')] : []),
    `_(${how}, ${within}.)_`,
  ].join('\n\n');
}

/** What a tool is given, in full, for messages before the one that asks; undefined where that one has room for it. */
export function argumentsText({ request }: Pick<PostedRequest, 'request'>): string | undefined {
  if (request.kind !== 'permission' || !isLong(request.args)) return undefined;
  const json = jsonOf(request.args);
  const left = json.length - maxArgumentChars;
  const more = left > 0 ? [`_(${left} more characters are left out.)_`] : [];
  const shown = truncate(json, maxArgumentChars, '');
  return [`The tool \`${request.tool}\` would be given this:`, fenced(shown), ...more].join('\n\n');
}

/** The buttons of a request, with the short labels that fit on one; none for a question that is answered with a message. */
export function choicesOf(asked: Pick<PostedRequest, 'id' | 'request' | 'answers' | 'address'>): Button[] {
  const labels =
    asked.request.kind === 'permission'
      ? choicesFor(asked).map(({ says }) => says)
      : (nextQuestion(asked.request, asked.answers).options ?? []);
  return labels.map((label, option) => ({ id: `a:${asked.id}:${asked.answers.length}:${option}`, label }));
}

/** The answer that a button represents. */
export function choiceFor(
  asked: Pick<PostedRequest, 'request' | 'answers' | 'address'>,
  option: number,
): string | undefined {
  if (asked.request.kind === 'permission') return choicesFor(asked)[option]?.reply;
  return nextQuestion(asked.request, asked.answers).options?.[option];
}

/** Whose run it is that asks. */
export interface Speaker {
  /** As the platform shows them. */
  name: string;
  /** Persons for one of whom that name could be taken; none of their accounts is this one. */
  looksLike: readonly string[];
}

/** For who someone else is requested leave, as Markdown. */
export function behalfText(speaker: Speaker, { platform, kind }: Address): string {
  return `${speakerText(speaker)} (${platform}, ${kind === 'dm' ? 'in private' : 'in a room'}) wants me to do something for which I need your approval.`;
}

function speakerText({ name, looksLike }: Speaker): string {
  const shown = `**${plainName(name)}**`;
  return looksLike.length === 0 ? shown : `${shown}, who is not ${looksLike.map(plainName).join(' or ')}`;
}

/** In a room: for which person approval is needed and who may give it, or who a question is for; as Markdown. */
export function roomText(kind: RequestSnapshot['kind'], speaker: Speaker, whoMay: string): string {
  const name = speakerText(speaker);
  return kind === 'question'
    ? `A question for ${name}:`
    : `For what ${name} wants I need approval, which ${whoMay} may give.`;
}

/** A name that people gave themselves, without anything that could be markup or a mention. */
function plainName(name: string): string {
  const plain = name
    .replace(/[^\p{L}\p{N} .'-]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return truncate(plain, 60) || 'somebody';
}

const yesOrNo =
  /^(yes|yeah|yep|y|ok|okay|sure|allow|approve|ja|si|oui|no|nope|n|deny|reject|nein|non)[\s.!]*$/i;

/** What anyone who wrote a bare yes or no below a request for approval is reported, as Markdown; undefined for any other text. */
export function yesOrNoHint(
  text: string,
  { id, request, address }: Pick<PostedRequest, 'id' | 'request' | 'address'>,
): string | undefined {
  if (request.kind !== 'permission' || !yesOrNo.test(text.trim())) return undefined;
  const short = shortOf(id);
  return `_(A word is no answer to what I asked. Write \`1\` for yes or \`2\` for no, or ${named(address, `approve ${short}`)} or ${named(address, `deny ${short}`)}. Your message waits until then.)_`;
}

/** What anyone who may not approve is reported for trying. */
export const notYoursToAllow = 'You may not approve for this: that is for owners, or who they named.';

/** The notice to the chat whose run waits for the approval of someone else, and how that ended. */
export function elsewhereText(tool: string, who: string, outcome?: string): string {
  const end = outcome === undefined ? '' : `: ${outcome}`;
  return `_(For this I need approval to use \`${tool}\`, and have asked ${who}${end}.)_`;
}

/** The answer that a message gives to an open request; undefined for one that is written to the assistant, such as a bare "yes". */
export function answerIn(
  text: string,
  asked: Pick<PostedRequest, 'request' | 'answers' | 'address'>,
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
export function isComplete({ request, answers }: Pick<PostedRequest, 'request' | 'answers'>): boolean {
  return answers.length >= (request.kind === 'permission' ? 1 : request.questions.length);
}

/** The choice of an answered permission request. */
export function choiceOf({ answers }: Pick<PostedRequest, 'answers'>): Choice['reply'] {
  return choices.find(({ reply }) => reply === answers[0])?.reply ?? 'reject';
}

/** How an answer ended a request; in a room with who gave it, since more than one may. */
export function outcomeOf(
  { request, answers, address }: Pick<PostedRequest, 'request' | 'answers' | 'address'>,
  by?: string,
): string {
  if (request.kind === 'question') return 'answered';
  const outcome = choices.find(({ reply }) => reply === answers[0])?.outcome ?? 'not allowed';
  return address.kind === 'dm' || by === undefined ? outcome : `${outcome} by ${plainName(by)}`;
}

/** How a request ended that nobody answered here. */
export const outcomes = {
  somewhereElse: 'answered somewhere else',
  expired: 'expired: nobody answered in time',
  dropped: 'no longer needed',
} as const;

/** The message that asked, once it is settled. */
export function settledText(asked: PostedRequest, now: number): string {
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
  const saved =
    request.kind === 'permission' ? lines.slice(0, lines.indexOf(consequence)) : lines.slice(0, -1);
  return [...saved, `_(${words})_`].join('\n\n');
}

function nextQuestion(
  { questions }: Extract<RequestSnapshot, { kind: 'question' }>,
  answers: readonly string[],
): Question {
  const next = questions[answers.length];
  if (next === undefined) throw new Error(`all ${questions.length} questions are answered`);
  return next;
}

function jsonOf(args: unknown): string {
  return JSON.stringify(args, null, 1) ?? 'null';
}

function isLong(args: unknown): boolean {
  return jsonOf(args).length > argumentChars;
}

/** JSON as a code block that no text in it can close. */
function fenced(json: string): string {
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
