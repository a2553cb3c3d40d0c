// What the config of the moment says of each channel, found by the platform of an address.

import { type ChannelAccess, openAccess } from '#adapters/gateway/access/access-types.ts';
import type { Profile } from '#adapters/gateway/access/profiles.ts';
import { type ActivityIndicators, allIndicators } from '#adapters/gateway/activity-indicators.ts';
import type { Address, Platform } from '#adapters/gateway/address.ts';
import type { SessionsBy } from '#adapters/gateway/lanes/lane.ts';
import type { RoomContextLimits } from '#adapters/gateway/turn-prompt/room-context.ts';
import type { ToolProgressDetail } from '#adapters/gateway/turns/tool-progress.ts';
import { rulesFor } from './admission-rules.ts';

/** How a channel is talked in, and by which person. */
export interface ChannelRules {
  sessions: SessionsBy;
  access: ChannelAccess;
  /** All of them when absent. */
  indicators?: ActivityIndicators | undefined;
  /** What is shown of tools while they run; `short` when absent. */
  toolProgress?: ToolProgressDetail | undefined;
}

export interface ByPlatform {
  /** Undefined for a channel that is switched off. */
  accessOf(platform: Platform): ChannelAccess | undefined;
  profileOf(address: Address): Profile;
  /** Whether each chat of the platform remembers only itself. */
  isChatOnly(platform: string): boolean;
  signsOf(address: Address): ActivityIndicators;
  toolProgressOf(address: Address): ToolProgressDetail;
  /** How much of what was just said in the room goes along with a message. */
  roomContextOf(address: Address): RoomContextLimits;
}

/** The rules of each of a gateway's channels; a channel that is switched off gets rules that narrow nothing. */
export function byPlatform(
  channels: readonly { channel: { platform: Platform }; talk: () => ChannelRules }[],
): ByPlatform {
  const of = (platform: Platform) => channels.find(({ channel }) => channel.platform === platform)?.talk();
  return {
    accessOf: (platform) => of(platform)?.access,
    profileOf: ({ platform }) => (of(platform)?.access ?? openAccess('guest')).profile,
    isChatOnly: (platform) =>
      channels.find(({ channel }) => channel.platform === platform)?.talk().access.profile.memory ===
      'chat-only',
    toolProgressOf: ({ platform }) => of(platform)?.toolProgress ?? 'short',
    signsOf: ({ platform }) => of(platform)?.indicators ?? allIndicators,
    roomContextOf(address) {
      const access = of(address.platform)?.access ?? openAccess('guest');
      return { messages: rulesFor({ address }, access).context, characters: access.rooms.contextCharacters };
    },
  };
}
