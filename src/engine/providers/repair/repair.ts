// Makes a request acceptable to a model: by what is known of it before it is asked, and by what it says when it refuses.
import type { Log } from '#base/log/log.ts';
import { truncate } from '#base/text.ts';
import { ProviderFailure } from '#engine/providers/calls/provider-failure.ts';
import type { Provider } from '#engine/providers/provider.ts';
import {
  acceptable,
  charsOf,
  maxHalvings,
  pictureID,
  picturesIn,
  questionAt,
  type Repairable,
} from './acceptable.ts';
import type { Known } from './known.ts';
import type { Learned } from './learned.ts';
import { type Refusal, refusalIn } from './refusal.ts';

export interface Repair {
  /** The request as this model takes it. */
  request<Tool, Request extends Repairable<Tool>>(request: Request): Request;
  /** Pictures of the question that are left out of it, and why. */
  unseen(messages: Repairable<unknown>['messages']): Unseen | undefined;
  /**
   * Learns from a refusal. `again`: the request can be made so that it may be taken. `error`: what to report otherwise, which says what
   * the refusal was.
   */
  learn(request: Repairable<unknown>, error: unknown): { again: true } | { again: false; error: unknown };
}

export interface Unseen {
  pictures: string[];
  why: 'no pictures' | 'fewer pictures' | 'unreadable';
}

/** Requests that are repaired for one answer: every kind of refusal, and three halvings. */
const maxRepairs = 8;
/** Characters of what a server said that are stored. */
const maxWords = 300;
/** Characters of a token, where nobody says how many tokens a text has. */
const charsPerToken = 4;

/** For one answer of one model. */
export function createRepair(provider: Provider, { learned, log }: { learned: Learned; log: Log }): Repair {
  const { key } = provider;
  const unreadable = learned.unreadable(key);
  let halved = 0;
  let repairs = 0;
  const known = (): Known => learned.known(provider);
  const add = (what: Known, words: string): boolean => {
    const isNew = learned.add(key, what, truncate(words, maxWords));
    if (isNew)
      log.warn({ model: key, ...what, words: truncate(words, maxWords) }, 'a model refused a request');
    return isNew;
  };
  const remedy = (refusal: Refusal, request: Repairable<unknown>, words: string): boolean => {
    switch (refusal.kind) {
      case 'pictures': {
        const sent = picturesIn(request.messages).filter((each) => !unreadable.has(pictureID(each))).length;
        const now = Math.min(sent, known().images ?? sent);
        const most = refusal.most ?? Math.floor(now / 2);
        return add({ images: Math.max(0, Math.min(most, now - 1)) }, words);
      }
      case 'picture': {
        const newest = picturesIn(request.messages.slice(questionAt(request.messages)));
        const some = newest.filter((each) => !unreadable.has(pictureID(each)));
        for (const each of some.length > 0 ? some : picturesIn(request.messages))
          unreadable.add(pictureID(each));
        return true;
      }
      case 'tools':
        return add({ tools: false }, words);
      case 'system':
        return add({ system: false }, words);
      case 'call ids':
        return add({ shortIDs: true }, words);
      case 'too long': {
        const window = refusal.window ?? Math.floor(charsOfRequest(request) / charsPerToken);
        if (window < (known().contextTokens ?? Number.POSITIVE_INFINITY))
          add({ contextTokens: window }, words);
        halved += 1;
        return halved <= maxHalvings;
      }
    }
  };
  return {
    request: (request) => acceptable(request, { known: known(), halved, unreadable }),
    unseen(messages) {
      const question = picturesIn(messages.slice(questionAt(messages)));
      const images = known().images ?? Number.POSITIVE_INFINITY;
      const broken = question.filter((each) => unreadable.has(pictureID(each)));
      const left = question.filter((each) => !unreadable.has(pictureID(each)));
      const tooMany = left.slice(0, Math.max(0, left.length - images));
      const gone = [...broken, ...tooMany];
      if (gone.length === 0) return undefined;
      const why = broken.length > 0 ? 'unreadable' : images === 0 ? 'no pictures' : 'fewer pictures';
      return { pictures: gone.map(({ filename = 'unnamed' }) => filename), why };
    },
    learn(request, error) {
      if (!(error instanceof ProviderFailure)) return { again: false, error };
      const { judged } = error;
      const refusal = refusalIn(judged, {
        pictures: picturesIn(acceptable(request, { known: known(), halved, unreadable }).messages).length,
        tools: request.tools.length > 0 && known().tools !== false,
        system: request.system !== '' && known().system !== false,
      });
      if (refusal === undefined) return { again: false, error };
      repairs += 1;
      if (repairs <= maxRepairs && remedy(refusal, request, judged.answer)) return { again: true };
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
  };
}

function charsOfRequest({ system, messages }: Repairable<unknown>): number {
  return system.length + charsOf(messages);
}
