// Which messages and buttons answer what a run asks, and with what. Pure.
import type { PostedRequest, RequestSnapshot } from '#adapters/gateway/ledger/posted-requests.ts';
import { truncate } from '#base/text.ts';
import { choiceIn, interruptedCallOptions, type Question } from '#engine/wire/runs/request.ts';

/** What a permission can be answered with, by its number; the last one only to someone who sits at this machine. */
const choices = ['once', 'reject', 'always'] as const;
type ApprovalChoice = (typeof choices)[number];

/** As the engine takes one answer. */
const answerChars = 10_000;

/** The choices for an approval in a chat; only the terminal offers a rule for every chat. */
export function choicesFor({ address }: Pick<PostedRequest, 'address'>): readonly ApprovalChoice[] {
  return address.platform === 'terminal' ? choices : choices.slice(0, 2);
}

/** The answer that a button gives. */
export function choiceFor(
  asked: Pick<PostedRequest, 'request' | 'answers' | 'address'>,
  option: number,
): string | undefined {
  if (asked.request.kind === 'permission') return choicesFor(asked)[option];
  return nextQuestion(asked.request, asked.answers).options?.[option];
}

/** The answer that a message gives to an open request; undefined for one that gives none, such as a bare "yes" to an approval. */
export function answerIn(
  text: string,
  asked: Pick<PostedRequest, 'request' | 'answers' | 'address'>,
): string | undefined {
  const said = text.trim();
  const number = /^(\d{1,2})[.)]?$/.exec(said)?.[1];
  if (asked.request.kind === 'permission') return choicesFor(asked)[Number(number ?? 0) - 1];
  if (said === '') return undefined;
  const { options = [], interruptedCall } = nextQuestion(asked.request, asked.answers);
  const numbered = options[Number(number ?? 0) - 1];
  if (interruptedCall === undefined) return numbered ?? truncate(said, answerChars);
  const choice = choiceIn(options, said) ?? choiceIn(interruptedCallOptions, said);
  return numbered ?? options[choice ?? -1];
}

/** What the request asks about a call that may have run, which only one of its choices answers; undefined where it asks anything else. */
export function aboutCall({
  request,
  answers,
}: Pick<PostedRequest, 'request' | 'answers'>): Question | undefined {
  if (request.kind !== 'question') return undefined;
  const question = nextQuestion(request, answers);
  return question.interruptedCall === undefined ? undefined : question;
}

/** True when the person has answered every question of the request. */
export function isComplete({ request, answers }: Pick<PostedRequest, 'request' | 'answers'>): boolean {
  return answers.length >= (request.kind === 'permission' ? 1 : request.questions.length);
}

/** The answers as the engine knows them: an option of its own in the engine's words, whatever the language of the chat. */
export function answersOf({ request, answers }: Pick<PostedRequest, 'request' | 'answers'>): string[] {
  const questions = request.kind === 'question' ? request.questions : [];
  return answers.map((answer, index) => {
    const { interruptedCall, options = [] } = questions[index] ?? {};
    return (interruptedCall && interruptedCallOptions[choiceIn(options, answer) ?? -1]) ?? answer;
  });
}

/** The choice of an answered approval request. */
export function choiceOf({ answers }: Pick<PostedRequest, 'answers'>): ApprovalChoice {
  return choices.find((choice) => choice === answers[0]) ?? 'reject';
}

/** The first question of a request that has no answer yet; throws when all are answered. */
export function nextQuestion(
  { questions }: Extract<RequestSnapshot, { kind: 'question' }>,
  answers: readonly string[],
): Question {
  const next = questions[answers.length];
  if (next === undefined) throw new Error(`all ${questions.length} questions are answered`);
  return next;
}
