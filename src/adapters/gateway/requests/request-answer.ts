// Which messages and buttons answer what a run asks, and with what. Pure.
import type { PostedRequest, RequestSnapshot } from '#adapters/gateway/ledger/posted-requests.ts';
import { truncate } from '#base/text.ts';
import { interruptedCallOptions, type Question } from '#engine/wire/runs/request.ts';

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

/** The answer that a message gives to an open request; undefined for one that is written to the assistant, such as a bare "yes". */
export function answerIn(
  text: string,
  asked: Pick<PostedRequest, 'request' | 'answers' | 'address'>,
): string | undefined {
  const said = text.trim();
  const number = /^(\d{1,2})[.)]?$/.exec(said)?.[1];
  if (asked.request.kind === 'permission') return choicesFor(asked)[Number(number ?? 0) - 1];
  if (said === '') return undefined;
  const { options = [] } = nextQuestion(asked.request, asked.answers);
  return options[Number(number ?? 0) - 1] ?? truncate(said, answerChars);
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
    const chosen = options.findIndex((option) => option.toLowerCase() === answer.trim().toLowerCase());
    return (interruptedCall && interruptedCallOptions[chosen]) ?? answer;
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
