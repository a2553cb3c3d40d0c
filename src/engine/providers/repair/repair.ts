// Makes a request acceptable to a model: by what is known of it before it is asked, and by what it says when it refuses.
import type { FilePart, ModelMessage } from 'ai';
import type { Log } from '#base/log/log.ts';
import { truncate } from '#base/text.ts';
import { type ClassifiedError, ProviderFailure } from '#engine/providers/calls/provider-failure.ts';
import type { Provider } from '#engine/providers/provider.ts';
import type { RunNotice } from '#engine/wire/runs/notice.ts';
import {
  acceptable,
  charsOf,
  fileID,
  maxHalvings,
  picturesIn,
  questionAt,
  type Repairable,
} from './acceptable.ts';
import { takenFiles } from './file-texts.ts';
import type { Known } from './known.ts';
import type { Learned } from './learned.ts';
import { createPictureTries } from './picture-tries.ts';
import { type Refusal, refusalIn } from './refusal.ts';

export interface Repair {
  /** The request as this model takes it. */
  request<Tool, Request extends Repairable<Tool>>(request: Request): Request;
  /** Files that are not sent as they are, by `fileID`. */
  readonly unreadable: ReadonlySet<string>;
  /** What of the conversation is left out that a person has to know of. */
  unseen(messages: Repairable<unknown>['messages']): RunNotice[];
  /**
   * Learns from a refusal. `again`: the request can be made so that it may be taken. `error`: what to report otherwise, which says what
   * the refusal was.
   */
  learn(request: Repairable<unknown>, error: unknown): { again: true } | { again: false; error: unknown };
  /**
   * For a refusal that nothing else answers: true where there is something to leave out, one after the other, without knowing what was
   * refused. Nothing is learned of the model: it may be this one request.
   */
  leaveOut(request: Repairable<unknown>, error: unknown): boolean;
}

/** What is left out of a request that is refused in words that nobody knows, in this order. */
const attempts: readonly (readonly Left[])[] = [['files'], ['tools'], ['history'], ['tools', 'history']];
type Left = 'files' | 'tools' | 'history';

const untaken = {
  tools: { tools: false },
  system: { system: false },
  'call ids': { shortIDs: true },
} as const;
/** Requests that are repaired for one answer: every kind of refusal, and three halvings. */
const maxRepairs = 8;
/** Those in which it is looked for the pictures that are refused: every choice of four, and what their words name. */
const maxPictureTries = 20;
/** Characters of what a server said that are stored. */
const maxWords = 300;
/** Characters of a token, where nobody says how many tokens a text has. */
const charsPerToken = 4;
/** Tokens of the smallest window that is guessed by the length of what was refused. */
const leastGuess = 2_048;

/** For one answer of one model. */
export function createRepair(provider: Provider, { learned, log }: { learned: Learned; log: Log }): Repair {
  const { key } = provider;
  const unreadable = learned.unreadable(key);
  const taken = (messages: readonly ModelMessage[]): FilePart[] =>
    takenFiles(messages, { takesFile: provider.takesFile, unreadable });
  const pictures = createPictureTries(unreadable);
  let halved = 0;
  const mayRepair = createRepairBounds();
  let untried = attempts;
  let left: readonly Left[] = [];
  const known = (): Known => ({
    ...learned.known(provider),
    ...(left.includes('tools') ? { tools: false } : {}),
  });
  const acceptableNow = <Tool, Request extends Repairable<Tool>>(request: Request): Request =>
    acceptable<Tool, Request>(request, {
      ...{ known: known(), unreadable },
      halved: left.includes('history') ? maxHalvings : halved,
    });
  const add = (what: Known, words: string): boolean => {
    const isNew = learned.add(key, what, truncate(words, maxWords));
    if (isNew)
      log.warn({ model: key, ...what, words: truncate(words, maxWords) }, 'a model refused a request');
    return isNew;
  };
  const remedy = (refusal: Refusal, request: Repairable<unknown>, words: string): boolean => {
    switch (refusal.kind) {
      case 'pictures': {
        const now = picturesIn(acceptableNow(request).messages).length;
        const images = Math.min(refusal.most ?? Math.floor(now / 2), now - 1);
        if (images > 0 || known().sees !== true) return add({ images }, words);
        // it has answered one: it is this one that it does not take
        return pictures.leaveOut({}, () => acceptableNow(request));
      }
      case 'picture':
        return pictures.leaveOut(refusal, () => acceptableNow(request));
      case 'file': {
        const newest = taken(request.messages.slice(questionAt(request.messages)));
        for (const each of newest.length > 0 ? newest : taken(request.messages)) unreadable.add(fileID(each));
        return true;
      }
      case 'tools':
      case 'system':
      case 'call ids':
        return add(untaken[refusal.kind], words);
      case 'too long': {
        const guess = Math.floor(charsOfRequest(request) / charsPerToken);
        const window = refusal.window ?? guess;
        const isWindow = refusal.window !== undefined || guess >= leastGuess;
        if (isWindow && window < (known().contextTokens ?? Number.POSITIVE_INFINITY))
          add({ contextTokens: window }, words);
        halved += 1;
        return halved <= maxHalvings;
      }
      case 'content':
        return false;
    }
  };
  return {
    unreadable,
    request: acceptableNow,
    unseen: (messages) => [
      ...unseenPictures(messages, { images: known().images, unreadable }),
      ...(left.includes('history') ? [{ code: 'no history' as const }] : []),
    ],
    learn(request, error) {
      if (!(error instanceof ProviderFailure)) return { again: false, error };
      const { judged } = error;
      const refusal = refusalIn(judged, {
        pictures: picturesIn(acceptableNow(request).messages).length,
        files: taken(request.messages).length,
        tools: request.tools.length > 0 && known().tools !== false,
        system: request.system !== '' && known().system !== false,
      });
      if (refusal === undefined) return { again: false, error };
      // a model that answered one is not said to see none: it is this one
      const isOne = refusal.kind === 'picture' || (refusal.kind === 'pictures' && known().sees === true);
      if (mayRepair(isOne) && remedy(refusal, request, judged.answer)) return { again: true };
      if (refusal.kind === 'content') {
        const filtered = { ...judged, code: 'CONTENT_FILTERED', passing: false } as const;
        return { again: false, error: new ProviderFailure(filtered, { cause: error }) };
      }
      if (refusal.kind !== 'too long') return { again: false, error };
      const sizes = {
        window: refusal.window ?? known().contextTokens,
        tokens: refusal.tokens ?? Math.ceil(charsOfRequest(request) / charsPerToken),
      };
      const code = 'CONTEXT_LENGTH_EXCEEDED' as const;
      return {
        again: false,
        error: new ProviderFailure({ ...judged, code, passing: false, sizes }, { cause: error }),
      };
    },
    leaveOut(request, error) {
      if (!(error instanceof ProviderFailure)) return false;
      const { status, answer } = error.judged;
      const isRouted = status === 404; // a router that finds no model for pictures; else there is no such model
      if (!isRouted && !isOfTheRequest(error.judged)) return false;
      const now = acceptableNow(request);
      const files = [...picturesIn(now.messages), ...taken(now.messages)];
      const there: Record<Left, boolean> = {
        files: files.length > 0,
        tools: !isRouted && request.tools.length > 0 && learned.known(provider).tools !== false,
        history: !isRouted && questionAt(request.messages) > 0,
      };
      const next = untried.find((each) => each.every((what) => there[what]));
      if (next === undefined) return false;
      untried = untried.slice(untried.indexOf(next) + 1);
      if (next.includes('files')) for (const each of files) unreadable.add(fileID(each));
      else left = next;
      const words = truncate(answer, maxWords);
      log.warn(
        { model: key, without: next, words },
        'a model refused a request, and its words do not say why',
      );
      return true;
    },
  };
}

/** Counts the requests that are repaired for one answer; false once there were too many of a kind. */
function createRepairBounds(): (isOnePicture: boolean) => boolean {
  let [repairs, pictureTries] = [0, 0];
  return (isOnePicture) => {
    if (isOnePicture) pictureTries += 1;
    else repairs += 1;
    return repairs <= maxRepairs && pictureTries <= maxPictureTries;
  };
}

/** The pictures of the question that are left out of it, and why. */
function unseenPictures(
  messages: Repairable<unknown>['messages'],
  {
    images = Number.POSITIVE_INFINITY,
    unreadable,
  }: { images: number | undefined; unreadable: ReadonlySet<string> },
): RunNotice[] {
  const question = picturesIn(messages.slice(questionAt(messages)));
  const broken = question.filter((each) => unreadable.has(fileID(each)));
  const seen = question.filter((each) => !unreadable.has(fileID(each)));
  const gone = [...broken, ...seen.slice(0, Math.max(0, seen.length - images))];
  if (gone.length === 0) return [];
  const code = broken.length > 0 ? 'unreadable' : images === 0 ? 'no pictures' : 'fewer pictures';
  return [{ code, files: gone.map(({ filename = 'unnamed' }) => filename) }];
}

/** True for a refusal that may be about what was sent: not about the key, the account, the model or the hour. */
function isOfTheRequest({ code, status }: ClassifiedError): boolean {
  if (code === 'PROVIDER_SERVER_ERROR') return status === undefined || status === 500;
  return code === 'PROVIDER_REQUEST_INVALID' || code === 'CONTENT_FILTERED';
}

function charsOfRequest({ system, messages, tools }: Repairable<unknown>): number {
  return system.length + charsOf(messages) + (tools.length === 0 ? 0 : JSON.stringify(tools).length);
}
