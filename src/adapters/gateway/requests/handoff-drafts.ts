// Drafts of handoffs that wait for the person who began them. They are in memory only: words of a chat are stored where they can be forgotten.

import type { ContentSelection } from '#adapters/gateway/ledger/inbox/content-rows.ts';
import { addressIn } from '#adapters/gateway/ledger/lane-name.ts';
import type { HandoffElements } from '#engine/wire/memory/handoff.ts';

export interface HandoffDraft {
  /** Also the key of the close: a draft is saved once. */
  id: string;
  lane: string;
  person: string;
  elements: HandoffElements;
  /** What was open when it was begun. */
  inherited: readonly { id: string; title: string }[];
}

export interface Handoffs {
  /** Puts a draft in the place of the one that the lane has. */
  put(draft: HandoffDraft): void;
  get(id: string): HandoffDraft | undefined;
  ofLane(lane: string): HandoffDraft | undefined;
  remove(id: string): void;
  /** Removes those of these persons, and of these chats: that of a room means its threads too. */
  forget(of: ContentSelection): void;
}

/** The id of the button that decides on a draft. */
export function handoffChoice(id: string, decided: 'save' | 'drop'): string {
  return `h:${id}:${decided}`;
}

/** Which draft a button decides on, and how; undefined for any other button. */
export function handoffChoiceIn(choice: string): { id: string; decided: string } | undefined {
  const [, id, decided] = /^h:([^:]+):(save|drop)$/.exec(choice) ?? [];
  return id === undefined || decided === undefined ? undefined : { id, decided };
}

/** A draft is forgotten after so long, in milliseconds. */
const longestMs = 24 * 60 * 60_000;
const maxDrafts = 1_000;

/** The drafts of `/handoff` that wait for a decision, one a lane, in memory only. An old one expires. */
export function createHandoffs({ now }: { now: () => number }): Handoffs {
  const drafts = new Map<string, HandoffDraft & { at: number }>();
  const get = (lane: string): HandoffDraft | undefined => {
    const draft = drafts.get(lane);
    if (draft === undefined || now() - draft.at < longestMs) return draft;
    drafts.delete(lane);
    return undefined;
  };
  const laneOf = (id: string): string | undefined =>
    [...drafts.values()].find((draft) => draft.id === id)?.lane;
  return {
    put(draft) {
      drafts.delete(draft.lane);
      drafts.set(draft.lane, { ...draft, at: now() });
      const [oldest] = drafts.keys();
      if (drafts.size > maxDrafts && oldest !== undefined) drafts.delete(oldest);
    },
    get(id) {
      const lane = laneOf(id);
      return lane === undefined ? undefined : get(lane);
    },
    ofLane: get,
    remove(id) {
      const lane = laneOf(id);
      if (lane !== undefined) drafts.delete(lane);
    },
    forget({ persons, chats }) {
      const isIn = (lane: string, chat: string): boolean =>
        addressIn(lane) === chat || (chat.endsWith(':-') && lane.startsWith(chat.slice(0, -1)));
      for (const { lane, person } of [...drafts.values()])
        if (persons.includes(person) || chats.some((chat) => isIn(lane, chat))) drafts.delete(lane);
    },
  };
}
