// How a run's request reads in a chat, and how its end is shown. Which messages answer it is in request-answer.ts. Pure.

import {
  aboutCall,
  choicesFor,
  isComplete,
  nextQuestion,
} from '#adapters/gateway/admission/request-answer.ts';
import type { PostedRequest, RequestSnapshot } from '#adapters/gateway/ledger/posted-requests.ts';
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { Button } from '#adapters/gateway/terms/channel.ts';
import { commandNamer } from '#adapters/gateway/terms/command-names.ts';
import { aside, codeSpan, escapeMarkdown, shortOf } from '#adapters/gateway/terms/command-reply.ts';
import { truncate } from '#base/text.ts';
import type { Question } from '#engine/wire/runs/request.ts';
import { outcomeOf, outcomeText } from './request-outcome.ts';

/** So that one message holds it on every platform, with its frame; the rest goes into messages before the one that asks. */
const argumentChars = 1_000;
/** Nobody reads more before they decide; the message says how much is left out. */
const maxArgumentChars = 20_000;
/** Of each question and each answer, where a request is shown as settled. */
const saidChars = 200;

type ShownRequest = Pick<PostedRequest, 'id' | 'request' | 'answers' | 'address' | 'behalf'>;

/** The message that asks the next question of a request, as Markdown; `now` is milliseconds since the epoch. */
export function askText(asked: ShownRequest, { now, phrases }: { now: number; phrases: Phrases }): string {
  return [...contentParts(asked, phrases), ...howParts(asked, { now, phrases })].join('\n\n');
}

/** What is asked, as paragraphs: they stay when it is settled. */
function contentParts({ request, answers, behalf }: ShownRequest, { requests }: Phrases): string[] {
  const { requester } = request;
  const before = [
    ...(behalf === undefined ? [] : [behalf]),
    ...(requester === undefined ? [] : [requests.forAgent({ agent: plainName(requester, requests) })]),
  ];
  if (request.kind === 'permission') {
    const { tool, args } = request;
    return isLong(args)
      ? [...before, requests.mayIUseAbove({ tool })]
      : [...before, requests.mayIUse({ tool }), fenced(jsonOf(args))];
  }
  const { question, options = [], interruptedCall } = nextQuestion(request, answers);
  const of = request.questions.length;
  const text =
    of > 1 ? requests.questionOf({ n: answers.length + 1, of, question }) : requests.question({ question });
  const call =
    interruptedCall === undefined ? [] : [fenced(truncate(jsonOf(interruptedCall.args), argumentChars))];
  return [...before, text, ...call, ...(options.length > 0 ? [numbered(options)] : [])];
}

/** What someone reads whose answer to a question about a call is none of its choices. */
export function onlyChoicesText({ options = [] }: Question, { requests }: Phrases): string {
  return [requests.onlyChoices, numbered(options)].join('\n\n');
}

function numbered(options: readonly string[]): string {
  return options.map((option, index) => `${index + 1}. ${option}`).join('\n');
}

/** The question in the words of its reader where it is the engine's own, about a call; a model has asked in its own words. */
export function inPhrases(question: Question, { requests }: Phrases): Question {
  if (question.interruptedCall === undefined) return question;
  const { again, skip, stop } = requests.interruptedCall;
  const { tool } = question.interruptedCall;
  return { ...question, question: requests.mayHaveRun({ tool }), options: [again, skip, stop] };
}

/** How to answer it, as paragraphs. */
function howParts(asked: ShownRequest, { now, phrases }: { now: number; phrases: Phrases }): string[] {
  const { requests } = phrases;
  const { request, answers, address } = asked;
  const ms = request.expiresAtMs - now;
  const inRoom = address.kind !== 'dm';
  if (request.kind === 'permission') {
    const named = commandNamer(address, phrases);
    const short = shortOf(asked.id);
    const how = { approve: named(`approve ${short}`), deny: named(inRoom ? `deny ${short}` : 'deny'), ms };
    const list = numbered(choicesFor(asked).map((choice) => requests.choices[choice]));
    const answer = inRoom ? requests.allowHowInRoom(how) : requests.allowHow(how);
    return [requests.consequence, list, aside(answer)];
  }
  const hasOptions = (nextQuestion(request, answers).options ?? []).length > 0;
  const byNumber =
    aboutCall(asked) === undefined ? requests.answerByNumber({ ms }) : requests.chooseByNumber({ ms });
  const inPrivate = hasOptions ? byNumber : requests.answerNext({ ms });
  return [aside(inRoom ? requests.answerInRoom({ ms }) : inPrivate)];
}

/** The full arguments of a tool call, for messages before the request; undefined when the request itself has room for them. */
export function argumentsText(
  { request }: Pick<PostedRequest, 'request'>,
  { requests }: Phrases,
): string | undefined {
  if (request.kind !== 'permission' || !isLong(request.args)) return undefined;
  const json = jsonOf(request.args);
  const left = json.length - maxArgumentChars;
  const more = left > 0 ? [aside(requests.leftOut({ n: left }))] : [];
  const shown = truncate(json, maxArgumentChars, '');
  return [requests.wouldUse({ tool: request.tool }), fenced(shown), ...more].join('\n\n');
}

/** The buttons of a request with short labels; none for a question that is answered by a message. */
export function choicesOf(
  asked: Pick<PostedRequest, 'id' | 'request' | 'answers' | 'address'>,
  { requests }: Phrases,
): Button[] {
  const labels =
    asked.request.kind === 'permission'
      ? choicesFor(asked).map((choice) => requests.choices[choice])
      : (nextQuestion(asked.request, asked.answers).options ?? []);
  return labels.map((label, option) => ({ id: `a:${asked.id}:${asked.answers.length}:${option}`, label }));
}

/** Whose run it is that asks. */
interface Speaker {
  /** As the platform shows them. */
  name: string;
  /** Names of known persons that look like this one. The speaker's account belongs to none of them. */
  looksLike: readonly string[];
}

/** For an approver in another chat: the person who asks and the place, as Markdown. */
export function behalfText(speaker: Speaker, { platform, kind }: Address, phrases: Phrases): string {
  const who = speakerText(speaker, phrases);
  const { requests } = phrases;
  return kind === 'dm' ? requests.forPrivate({ who, platform }) : requests.forRoom({ who, platform });
}

function speakerText({ name, looksLike }: Speaker, { requests }: Phrases): string {
  const who = `**${plainName(name, requests)}**`;
  const names = looksLike.map((each) => plainName(each, requests));
  return names.length === 0 ? who : requests.notThePerson({ who, names });
}

/** In a room: the person who needs the approval and the people who may give it, or the person a question is for; as Markdown. */
export function roomText(
  kind: RequestSnapshot['kind'],
  { speaker, approvers, phrases }: { speaker: Speaker; approvers: string; phrases: Phrases },
): string {
  const who = speakerText(speaker, phrases);
  const { requests } = phrases;
  return kind === 'question' ? requests.roomQuestion({ who }) : requests.roomApproval({ who, approvers });
}

/** A name that people gave themselves, without anything that could be markup or a mention. */
export function plainName(name: string, { someone }: Pick<Phrases['requests'], 'someone'>): string {
  const plain = name
    .replace(/[^\p{L}\p{N} .'-]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return truncate(plain, 60) || someone;
}

const yesOrNo =
  /^(yes|yeah|yep|y|ok|okay|sure|allow|approve|ja|si|oui|no|nope|n|deny|reject|nein|non)[\s.!]*$/i;

/** How to answer, for someone who wrote a bare yes or no below a request for approval, as Markdown; undefined for any other text. */
export function yesOrNoHint(
  text: string,
  { id, request, address }: Pick<PostedRequest, 'id' | 'request' | 'address'>,
  phrases: Phrases,
): string | undefined {
  if (request.kind !== 'permission' || !yesOrNo.test(text.trim())) return undefined;
  const short = shortOf(id);
  const named = commandNamer(address, phrases);
  return aside(
    phrases.requests.yesOrNo({ approve: named(`approve ${short}`), deny: named(`deny ${short}`) }),
  );
}

/** The notice to the chat whose run waits for the approval of someone else, and how that ended. */
export function elsewhereText(
  asked: { tool: string; who: string; outcome?: string },
  { requests }: Phrases,
): string {
  const { tool, who, outcome } = asked;
  return aside(
    outcome === undefined
      ? requests.approvalPending({ tool, who })
      : requests.approvalSettled({ tool, who, outcome }),
  );
}

/** The text of a request's message after it was settled. */
export function settledText(asked: PostedRequest, phrases: Phrases): string {
  const { request, answers } = asked;
  const outcome = outcomeText(asked.outcome ?? 'dropped', phrases);
  const said = request.kind === 'question' ? answers.at(-1) : undefined;
  const end = said === undefined ? outcome : `${outcome}: ${truncate(said.replace(/\s+/g, ' '), saidChars)}`;
  const before = said === undefined ? asked : { ...asked, answers: answers.slice(0, -1) };
  return [...contentParts(before, phrases), aside(end)].join('\n\n');
}

/** What was decided about a request that is not open any more, and by whom; without `isHere` with none of its words, for another chat. */
export function decidedText(
  asked: PostedRequest,
  { by, isHere, phrases }: { by: string | undefined; isHere: boolean; phrases: Phrases },
): { title: string; how: string } {
  const { requests } = phrases;
  const { id, request, answers } = asked;
  const outcome = asked.outcome ?? (isComplete(asked) ? outcomeOf(asked) : 'dropped');
  const plain = outcomeText(outcome, phrases);
  const isNamed = by === undefined || outcome.includes(':') || !isComplete(asked);
  const ended = isNamed ? plain : requests.outcomeBy({ outcome: plain, name: plainName(by, requests) });
  if (request.kind === 'permission') return { title: requests.mayIUse({ tool: request.tool }), how: ended };
  if (!isHere) return { title: codeSpan(shortOf(id)), how: ended };
  const short = (text: string): string => escapeMarkdown(truncate(text, saidChars));
  return {
    title: request.questions.map(({ question }) => short(question)).join(' · '),
    how: [ended, ...(answers.length === 0 ? [] : [answers.map(short).join(' · ')])].join(': '),
  };
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
