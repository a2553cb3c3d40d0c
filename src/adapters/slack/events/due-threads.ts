// Which threads one round asks for: those that grew according to the newest page, and a few of the others in turn.

import { isLater, type SlackMessage } from '#adapters/slack/calls/wire.ts';
import { createLruCache } from '#base/caches/lru-cache.ts';
import type { Log } from '#base/log/log.ts';
import type { Mark } from './read-positions.ts';

type ThreadMark = Mark & { thread: string };

interface DueThreads {
  /**
   * Those threads of the marks that are worth a call, given the newest pages of their channels. None is passed over for good: a thread
   * that the pages do not show to be unchanged gets its turn.
   */
  due(round: { marks: readonly Mark[]; recent: readonly SlackMessage[] }): ThreadMark[];
  /** Notes that the thread was read, with as many replies as the page said then. */
  read(mark: ThreadMark): void;
}

/** What a page says of a thread. */
type News = 'grown' | 'nothing new' | 'not known';

const maxRemembered = 1000;

/** Chooses the threads that a round reads: those that have grown, and `oldThreads` of those of which that is not known. */
export function createDueThreads({ oldThreads, log }: { oldThreads: number; log: Log }): DueThreads {
  /** Replies that a page counted when the thread was read last; only of the newest threads. */
  const counted = createLruCache<string, number>(maxRemembered);
  const onPage = new Map<string, number>();
  let turn = 0;

  function newsOf({ name, thread, since = thread }: ThreadMark, first: SlackMessage | undefined): News {
    if (first === undefined) return 'not known';
    const { latest_reply: latest, reply_count: count } = first;
    if (latest != null) return isLater(latest, since) ? 'grown' : 'nothing new';
    if (count == null) return 'not known';
    onPage.set(name, count);
    if (count === 0) return 'nothing new';
    // as many as before may be others: one was deleted, another came
    return count === counted.get(name) ? 'not known' : 'grown';
  }

  return {
    due({ marks, recent }) {
      const pages = new Map(recent.map((message) => [message.ts, message]));
      const threads = marks.flatMap((mark) =>
        mark.thread === undefined ? [] : [{ ...mark, thread: mark.thread }],
      );
      onPage.clear();
      const news = threads.map((mark) => ({ mark, news: newsOf(mark, pages.get(mark.thread)) }));
      const having = (wanted: News): ThreadMark[] =>
        news.filter((each) => each.news === wanted).map(({ mark }) => mark);
      const others = having('not known');
      const start = others.length <= oldThreads ? 0 : turn % others.length;
      const some = [...others.slice(start), ...others.slice(0, start)].slice(0, oldThreads);
      turn += some.length;
      const left = others.length - some.length;
      if (left > 0)
        log.debug({ threads: left }, 'threads of which nothing is known were not asked this time');
      return [...having('grown'), ...some];
    },
    read({ name }) {
      const count = onPage.get(name);
      if (count !== undefined) counted.set(name, count);
    },
  };
}
