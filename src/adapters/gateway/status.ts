// What an operator sees of each channel: asked live at every call, as text with the hint.
import type { ActiveProblems } from '#base/active-problems.ts';
import type { Platform } from './address.ts';
import { channelName } from './channel.ts';
import type { Connection, ConnectionStatus } from './delivery/connection.ts';
import type { Ledger } from './ledger/ledger.ts';

export interface ChannelStatus extends ConnectionStatus {
  platform: Platform;
  /** The bot: its platform, with its name for one that has a name. */
  name: string;
  /** When an event of the platform was last handed in. */
  lastInboundMs: number | undefined;
  /** When the platform last confirmed a message of the bot. */
  lastOutboundMs: number | undefined;
  /** Accepted and not answered. */
  inboxBacklog: number;
  /** Answered and not confirmed by the platform, or not handed over to memory. */
  outboxBacklog: number;
  /** What rooms refused within the last day, once for each, with the hint; the newest first. */
  refused: string[];
  /** The last problem, which may be over: `problem` is what stands in the way now. */
  lastError: { words: string; atMs: number } | undefined;
}

const dayMs = 86_400_000;

interface StatusOptions {
  ledger: Ledger;
  connections: () => readonly Connection[];
  /** What stands in the way of all channels. */
  problems: ActiveProblems;
  now: () => number;
}

interface StatusBoard {
  list(): ChannelStatus[];
  /** Remembers the problem of the moment, so that it is not forgotten when it passes. */
  look(): void;
}

/** Collects the status of all channels, with the last error of each. */
export function createStatus({ ledger, connections, problems, now }: StatusOptions): StatusBoard {
  const lastErrors = new Map<Connection, { words: string; atMs: number }>();
  const backlogs = new Map<Platform, { inboxBacklog: number; outboxBacklog: number }>();

  const problemOf = (connection: Connection): string | undefined => {
    const shared = problems
      .list()
      .map(({ message: words, hint }) => (hint === undefined ? words : `${words} ${hint}`));
    const words = [...shared, connection.status().problem ?? ''].filter((each) => each !== '').join(' ');
    return words === '' ? undefined : words;
  };

  /** What waits; as it last was known while the ledger cannot be read. */
  const backlogOf = (platform: Platform): { inboxBacklog: number; outboxBacklog: number } => {
    try {
      const inboxBacklog = ledger.inbox.backlog(platform);
      const backlog = { inboxBacklog, outboxBacklog: ledger.outbox.backlog(platform) };
      backlogs.set(platform, backlog);
      return backlog;
    } catch (error) {
      if (ledger.explain(error) === undefined) throw error;
      return backlogs.get(platform) ?? { inboxBacklog: 0, outboxBacklog: 0 };
    }
  };

  const refusedBy = (platform: Platform): { words: string; at: number }[] => {
    try {
      return ledger.outbox.refused(platform, now() - dayMs);
    } catch (error) {
      if (ledger.explain(error) === undefined) throw error;
      return [];
    }
  };

  const look = (): void => {
    for (const connection of connections()) {
      const words = problemOf(connection);
      if (words !== undefined && words !== lastErrors.get(connection)?.words)
        lastErrors.set(connection, { words, atMs: now() });
    }
  };

  return {
    look,
    list() {
      const all = connections();
      // what waits on a platform is counted once, for the first of its bots
      const isFirst = ({ channel: { platform } }: Connection, at: number): boolean =>
        all.findIndex(({ channel }) => channel.platform === platform) === at;
      const counted = all.map((connection, at) => ({
        connection,
        backlog: isFirst(connection, at)
          ? backlogOf(connection.channel.platform)
          : { inboxBacklog: 0, outboxBacklog: 0 },
      }));
      look();
      return counted.map(({ connection, backlog }, at) => {
        const { platform } = connection.channel;
        const refused = isFirst(connection, at) ? refusedBy(platform) : [];
        const [newest] = refused;
        const last = lastErrors.get(connection);
        return {
          ...connection.status(),
          ...backlog,
          platform,
          name: channelName(connection.channel),
          problem: problemOf(connection),
          lastInboundMs: ledger.traffic.lastInbound(platform),
          lastOutboundMs: ledger.traffic.lastOutbound(platform),
          refused: refused.map(({ words }) => words),
          lastError:
            newest === undefined || (last?.atMs ?? 0) > newest.at
              ? last
              : { words: newest.words, atMs: newest.at },
        };
      });
    },
  };
}
