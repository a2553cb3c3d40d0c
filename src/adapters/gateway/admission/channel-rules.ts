// What the config of the moment says of each channel, found by the platform of an address.

import type { SessionsBy } from '#adapters/gateway/ledger/lane.ts';
import { type ChannelAccess, openAccess } from '#adapters/gateway/terms/access-types.ts';
import { type ActivityIndicators, allIndicators } from '#adapters/gateway/terms/activity-indicators.ts';
import type { Address, BotAddress, Platform } from '#adapters/gateway/terms/address.ts';
import type { Profile } from '#adapters/gateway/terms/profiles.ts';
import { rulesFor } from './admission-rules.ts';
import type { ReactionRules } from './reaction-rules.ts';
import type { EditReruns } from './rerun-choices.ts';

/** `off` shows nothing, `short` what is done, `full` also the words that are searched for, and whole addresses and paths. */
export const toolProgressDetails = ['off', 'short', 'full'] as const;
export type ToolProgressDetail = (typeof toolProgressDetails)[number];

/** How much of what was just said in a room goes along with a message. */
export interface RoomContextLimits {
  /** 0: nothing goes along. */
  messages: number;
  characters: number;
}

/** How a channel is talked in, and by which person. */
export interface ChannelRules {
  sessions: SessionsBy;
  access: ChannelAccess;
  /** All of them when absent. */
  indicators?: ActivityIndicators | undefined;
  /** What is shown of tools while they run; `short` when absent. */
  toolProgress?: ToolProgressDetail | undefined;
  /** What reactions to answers do; `usualReactions` when absent. */
  reactions?: ReactionRules | undefined;
  /** Whether a question that is edited after its answer is answered again; `ask` when absent. */
  editReruns?: EditReruns | undefined;
}

export interface ByPlatform {
  /** Undefined for a channel that is switched off. */
  rulesOf(address: BotAddress): ChannelRules | undefined;
  accessOf(address: BotAddress): ChannelAccess | undefined;
  profileOf(address: Address): Profile;
  /** Whether each chat of the platform remembers only itself, with one of its bots at least. */
  isChatOnly(platform: string): boolean;
  signsOf(address: Address): ActivityIndicators;
  toolProgressOf(address: Address): ToolProgressDetail;
  /** How much of what was just said in the room goes along with a message. */
  roomContextOf(address: Address): RoomContextLimits;
}

/** The rules of each of a gateway's channels; a channel that is switched off gets rules that narrow nothing. */
export function byPlatform(
  channels: readonly {
    channel: { platform: Platform; accountName?: string | undefined };
    talk: () => ChannelRules;
  }[],
  nameOf: (address: BotAddress) => string | undefined = () => undefined,
): ByPlatform {
  const of = (address: BotAddress) =>
    channels
      .find(({ channel }) => channel.platform === address.platform && channel.accountName === nameOf(address))
      ?.talk();
  return {
    rulesOf: of,
    accessOf: (address) => of(address)?.access,
    profileOf: (address) => (of(address)?.access ?? openAccess('guest')).profile,
    isChatOnly: (platform) =>
      channels.some(
        ({ channel, talk }) => channel.platform === platform && talk().access.profile.memory === 'chat-only',
      ),
    toolProgressOf: (address) => of(address)?.toolProgress ?? 'short',
    signsOf: (address) => of(address)?.indicators ?? allIndicators,
    roomContextOf(address) {
      const access = of(address)?.access ?? openAccess('guest');
      return { messages: rulesFor({ address }, access).context, characters: access.rooms.contextCharacters };
    },
  };
}
