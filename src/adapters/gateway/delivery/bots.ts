// The connected bots, of which a platform may have several, and which of them is in a chat.

import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { Connection } from '#adapters/gateway/pace/connection.ts';
import type { Looks } from '#adapters/gateway/readers/looks.ts';
import type { LooksOfBots } from '#adapters/gateway/readers/reading-options.ts';
import type { Address, BotAddress, Platform } from '#adapters/gateway/terms/address.ts';
import { type Channel, channelName } from '#adapters/gateway/terms/channel.ts';
import type { InboundEvent } from '#adapters/gateway/terms/inbound.ts';

export interface Bots {
  add(connection: Connection, looks: Looks): void;
  connections(): readonly Connection[];
  /** Undefined for a chat of a bot that is switched off. */
  connectionOf(address: Address): Connection | undefined;
  /** The name of the bot that is in a chat; undefined for the one without a name. */
  nameOf(address: BotAddress): string | undefined;
  /** The same as one word, which `channelName` gives its channel. */
  botOf(address: BotAddress): string;
  /** Notes which bot this account is, before anything is stored that names the account; nothing is written where that is known. */
  learn(channel: Pick<Channel, 'platform' | 'accountName'>, event: InboundEvent): Promise<void>;
  /** The chats of a bot that have, or had, a session. */
  chats(channel: Pick<Channel, 'platform' | 'accountName'>): Address[];
  looks: LooksOfBots;
}

/** Over a ledger, which knows the account of each bot from the first event that came in with it. */
export function createBots(ledger: Pick<Ledger, 'botAccounts' | 'bindings' | 'commit'>): Bots {
  const all: { connection: Connection; looks: Looks }[] = [];
  const nameOf: Bots['nameOf'] = ({ platform, account }) => ledger.botAccounts.nameOf(platform, account);
  const isOf = (address: BotAddress, { platform, accountName }: Pick<Channel, 'platform' | 'accountName'>) =>
    platform === address.platform && accountName === nameOf(address);
  const of = (address: BotAddress) => all.find(({ connection }) => isOf(address, connection.channel));
  return {
    add: (connection, looks) => void all.push({ connection, looks }),
    connections: () => all.map(({ connection }) => connection),
    connectionOf: (address) => of(address)?.connection,
    nameOf,
    botOf: (address) => channelName({ platform: address.platform, accountName: nameOf(address) }),
    async learn(channel, event) {
      const address = event.type === 'moved' ? event.to : event.address;
      if (isOf(address, channel)) return;
      const { platform, account } = address;
      await ledger.commit(() => ledger.botAccounts.learn(platform, account, channel.accountName));
    },
    chats: (channel) => ledger.bindings.chats(channel.platform).filter((address) => isOf(address, channel)),
    looks: {
      of: (address) => of(address)?.looks,
      silent: () => {
        const silent = all.filter(({ looks }) => looks.closesSilently);
        return [...new Set(silent.map(({ connection }): Platform => connection.channel.platform))];
      },
    },
  };
}
