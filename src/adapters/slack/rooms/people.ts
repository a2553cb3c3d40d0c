// What Slack says of people, asked in as few calls as its rates allow. Not their names.
import { z } from 'zod';
import type { ReadCall } from '#adapters/slack/calls/calls.ts';
import { errorWord } from '#adapters/slack/calls/error-word.ts';
import {
  type SlackPerson,
  type SlackUser,
  slackPersonOf,
  userSchema,
} from '#adapters/slack/codecs/members.ts';
import { requestedTogether } from '#adapters/slack/codecs/together.ts';

type Persons = ReadonlyMap<string, SlackPerson>;

export interface SlackPeople {
  /** Each of these people of the workspace (named where the token is an organisation's) as Slack has them now; people whom Slack does not know are not in the answer. */
  now(ids: readonly string[], of: { workspace?: string | undefined; signal: AbortSignal }): Promise<Persons>;
  /** Takes in a person of an event; returns how they were before, undefined when that is not known. */
  changed(user: SlackUser): SlackPerson | undefined;
  /** A connection began or ended, and events may have been missed: nothing that was known counts any more. */
  forget(): void;
}

/** People who are fetched one by one (tier 4, 100 a minute); for more of them the list is read (tier 2, 20 a minute). */
const fewPeople = 4;
/** Slack's own limit of a page of users.list. */
const pageSize = 1000;
/** Pages that are read for one answer, half of what a minute allows: people on later ones count as not known. */
const maxPages = 10;
const maxEntries = 20_000;

const infoSchema = z.object({ user: userSchema });
const listSchema = z.object({
  members: z.array(userSchema).default([]),
  response_metadata: z.object({ next_cursor: z.string().optional() }).nullish(),
});

interface Saved {
  person: SlackPerson;
  /** Counts events: an answer that was asked for before one of this person's came does not replace it. */
  at: number;
}

/**
 * Nobody is known yet; `call` must not wait. What was learned counts only while Slack reports changes: `user_change` came on this connection. Slack sends
 * one for every change of a status, so a workspace that is large enough to need it soon has one; without one, each person is fetched.
 */
export function createSlackPeople(call: ReadCall): SlackPeople {
  const saved = new Map<string, Saved>();
  let events = 0;
  let connection = 0;
  let isNotified = false;

  function save(user: SlackUser, at: number): void {
    const before = saved.get(user.id);
    if (before !== undefined && before.at > at) return;
    saved.delete(user.id);
    saved.set(user.id, { person: slackPersonOf(user), at });
    const [oldest = ''] = saved.keys();
    if (saved.size > maxEntries) saved.delete(oldest);
  }

  /** Asks, and caches the answer unless events say something newer. */
  async function asked(ask: () => Promise<SlackUser[]>): Promise<Persons> {
    const at = events;
    const asking = connection;
    const users = await ask();
    if (asking === connection) for (const user of users) save(user, at);
    return new Map(users.map((user) => [user.id, slackPersonOf(user)]));
  }

  async function one(id: string, signal: AbortSignal): Promise<SlackUser[]> {
    try {
      return [(await call({ method: 'users.info', args: { user: id }, schema: infoSchema }, signal)).user];
    } catch (error) {
      const word = errorWord(error);
      if (word === 'user_not_found' || word === 'user_not_visible') return [];
      throw error;
    }
  }

  /** Not ended by one look's signal: others may wait for the same answer. */
  const everybodyOf = (workspace: string | undefined) =>
    requestedTogether(() =>
      asked(async () => {
        const { signal } = new AbortController();
        const users: SlackUser[] = [];
        let cursor: string | undefined;
        for (let pages = 1; pages <= maxPages; pages += 1) {
          const args = { limit: pageSize, cursor, team_id: workspace };
          const page = await call({ method: 'users.list', args, schema: listSchema }, signal);
          users.push(...page.members);
          cursor = page.response_metadata?.next_cursor || undefined;
          if (cursor === undefined) break;
        }
        return users;
      }),
    );

  const lists = new Map<string | undefined, () => Promise<Persons>>();
  const everyone = (workspace: string | undefined): Promise<Persons> => {
    const ask = lists.get(workspace) ?? everybodyOf(workspace);
    lists.set(workspace, ask);
    return ask();
  };

  return {
    async now(ids, { workspace, signal }) {
      const known = (id: string) => (isNotified ? saved.get(id)?.person : undefined);
      const missing = ids.filter((id) => known(id) === undefined);
      const few = async () => (await Promise.all(missing.map((id) => one(id, signal)))).flat();
      const fresh = missing.length > fewPeople ? await everyone(workspace) : await asked(few);
      return new Map(
        ids.flatMap((id) => {
          const person = known(id) ?? fresh.get(id);
          return person === undefined ? [] : [[id, person] as const];
        }),
      );
    },
    changed(user) {
      events += 1;
      isNotified = true;
      const before = saved.get(user.id)?.person;
      save(user, events);
      return before;
    },
    forget() {
      connection += 1;
      saved.clear();
      isNotified = false;
    },
  };
}
