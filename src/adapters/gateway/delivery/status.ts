// What an operator sees of each channel: asked live at every call, as text with the hint.

import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { Connection, ConnectionStatus } from '#adapters/gateway/pace/connection.ts';
import type { Platform } from '#adapters/gateway/terms/address.ts';
import { channelName } from '#adapters/gateway/terms/channel.ts';
import type { ActiveProblems } from '#base/active-problems.ts';
import type { Bots } from './bots.ts';

/** How a channel is connected; nothing of the ledger is read for it. */
export interface ChannelConnection extends ConnectionStatus {
  platform: Platform;
  /** The bot: its platform, with its name for one that has a name. */
  name: string;
}

export interface ChannelStatus extends ChannelConnection {
  /** When an event of the platform was last handed in. */
  lastInboundMs: number | undefined;
  /** When the platform last confirmed a message of the bot. */
  lastOutboundMs: number | undefined;
  /** Accepted and not answered. */
  inboxBacklog: number;
  /** Answered and not confirmed by the platform, or not handed over to memory. */
  outboxBacklog: number;
  /** What rooms refused within the last day, once for each, with the hint, and events that could not be taken in; the newest first. */
  refused: string[];
  /** The last problem, which may be over: `problem` is what stands in the way now. */
  lastError: { words: string; atMs: number } | undefined;
}

const dayMs = 86_400_000;
/** Events of each bot that were passed by and are listed. */
const mostListed = 10;

interface StatusOptions {
  ledger: Ledger;
  bots: Pick<Bots, 'connections' | 'botOf'>;
  /** What stands in the way of all channels. */
  problems: ActiveProblems;
  now: () => number;
}

interface StatusBoard {
  connected(): ChannelConnection[];
  list(): ChannelStatus[];
  /** Notes that an event of this bot was passed by, in a few words. */
  passedBy(connection: Connection, why: string): void;
  /** Remembers the problem of the moment, so that it is not forgotten when it passes. */
  look(): void;
}

/** What the ledger says of a platform, by the accounts of its bots. */
interface OfAccounts {
  inbox: ReadonlyMap<string, number>;
  outbox: ReadonlyMap<string, number>;
  refused: ReturnType<Ledger['outbox']['refused']>;
}

/** Collects the status of all channels, with the last error of each. */
export function createStatus({ ledger, bots, problems, now }: StatusOptions): StatusBoard {
  const lastErrors = new Map<Connection, { words: string; atMs: number }>();
  const known = new Map<Platform, OfAccounts>();
  const passed = new Map<Connection, { words: string; at: number }[]>();

  const problemOf = (connection: Connection): string | undefined => {
    const shared = problems
      .list()
      .map(({ message: words, hint }) => (hint === undefined ? words : `${words} ${hint}`));
    const words = [...shared, connection.status().problem ?? ''].filter((each) => each !== '').join(' ');
    return words === '' ? undefined : words;
  };

  /** As it last was known while the ledger cannot be read. */
  const ofAccounts = (platform: Platform): OfAccounts => {
    try {
      const { inbox, outbox } = ledger;
      const refused = outbox.refused(platform, now() - dayMs);
      known.set(platform, { inbox: inbox.backlog(platform), outbox: outbox.backlog(platform), refused });
    } catch (error) {
      if (ledger.explain(error) === undefined) throw error;
    }
    return known.get(platform) ?? { inbox: new Map(), outbox: new Map(), refused: [] };
  };

  const look = (): void => {
    for (const connection of bots.connections()) {
      const words = problemOf(connection);
      if (words !== undefined && words !== lastErrors.get(connection)?.words)
        lastErrors.set(connection, { words, atMs: now() });
    }
  };

  /** Whether a bot has this account; the first one of a platform also has those of bots that are not connected any more. */
  const ownsAccount = (connection: Connection): ((account: string) => boolean) => {
    const { platform } = connection.channel;
    const all = bots.connections().filter(({ channel }) => channel.platform === platform);
    const names = all.map(({ channel }) => channelName(channel));
    return (account) => {
      const name = bots.botOf({ platform, account });
      return name === channelName(connection.channel) || (connection === all[0] && !names.includes(name));
    };
  };

  const connectionOf = (connection: Connection): ChannelConnection => ({
    ...connection.status(),
    platform: connection.channel.platform,
    name: channelName(connection.channel),
    problem: problemOf(connection),
  });

  return {
    look,
    passedBy(connection, why) {
      const words = `Something that happened there could not be taken in, and was passed by: ${why}`;
      const before = (passed.get(connection) ?? []).filter((each) => each.words !== words);
      passed.set(connection, [{ words, at: now() }, ...before].slice(0, mostListed));
    },
    connected: () => bots.connections().map(connectionOf),
    list() {
      look();
      const platforms = new Set(bots.connections().map(({ channel }) => channel.platform));
      const counts = new Map([...platforms].map((platform) => [platform, ofAccounts(platform)]));
      return bots.connections().map((connection) => {
        const { platform } = connection.channel;
        const owns = ownsAccount(connection);
        const ownOf = (numbers: ReadonlyMap<string, number> | undefined): number[] =>
          [...(numbers ?? [])].filter(([account]) => owns(account)).map(([, value]) => value);
        const of = counts.get(platform);
        const refused = [
          ...(passed.get(connection) ?? []).filter(({ at }) => at > now() - dayMs),
          ...(of?.refused ?? []).filter(({ account }) => owns(account)),
        ].toSorted((a, b) => b.at - a.at);
        const [newest] = refused;
        const last = lastErrors.get(connection);
        return {
          ...connectionOf(connection),
          inboxBacklog: sum(ownOf(of?.inbox)),
          outboxBacklog: sum(ownOf(of?.outbox)),
          lastInboundMs: latest(ownOf(ledger.traffic.lastInbound(platform))),
          lastOutboundMs: latest(ownOf(ledger.traffic.lastOutbound(platform))),
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

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
const latest = (times: readonly number[]): number | undefined =>
  times.length === 0 ? undefined : Math.max(...times);
