// Which events of guilds' members Discord grants the bot beyond those that it needs. The connection works without them.
import { ApplicationFlags, GatewayIntentBits, Routes } from 'discord.js';
import { explain } from '#adapters/discord/calls/explain.ts';
import type { Rest } from '#adapters/discord/calls/rest.ts';
import { application } from '#adapters/discord/payloads/payload.ts';

/**
 * Which privileged intents are switched on that the bot can do without; none where Discord refuses to say. Throws what `explain`
 * understands when it cannot be asked at the moment. Server Members brings every leave, kick and change of roles at once; without it
 * members are fetched when it matters.
 */
export async function grantedIntents(rest: Rest): Promise<readonly GatewayIntentBits[]> {
  try {
    const { flags } = application.parse(await rest().get(Routes.currentApplication()));
    return hasServerMembers(flags) ? [GatewayIntentBits.GuildMembers] : [];
  } catch (error) {
    const { kind } = explain(error);
    if (kind === 'transient' || kind === 'rate_limit') throw error;
    return [];
  }
}

/** Whether the switch "Server Members Intent" is on, by the application's flags. */
export function hasServerMembers(flags: number): boolean {
  return (flags & (ApplicationFlags.GatewayGuildMembers | ApplicationFlags.GatewayGuildMembersLimited)) !== 0;
}
