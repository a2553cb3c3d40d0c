// The words and the hint for a connection that Discord will not have, however often it is tried. Not for REST refusals.
import { GatewayCloseCodes } from 'discord.js';
import { intentHint, tokenHint } from '#adapters/discord/calls/hints.ts';
import { codeOf, ParleyError } from '#base/errors.ts';
import type { Shard } from './sharding.ts';

/** The error for a close code after which trying again is useless. */
export function closeRefusal(closeCode: number, { id, of }: Shard): ParleyError {
  switch (closeCode) {
    case GatewayCloseCodes.AuthenticationFailed:
      return tokenRefusal();
    case GatewayCloseCodes.DisallowedIntents:
      return new ParleyError(
        'discord_intents',
        'Discord refused the connection (4014): the Message Content intent is off for this application.',
        { hint: intentHint },
      );
    case GatewayCloseCodes.ShardingRequired:
      return new ParleyError(
        'discord_sharding',
        `Discord refused the connection (4011): the bot is in more servers than ${of === 1 ? 'one shard' : `${of} shards`} may have, which is 2500 for each.`,
        {
          hint:
            'Set channels.discord.shards to "automatic", or a larger "of" in every process of this bot; ' +
            '"parley doctor" says how many shards Discord recommends.',
        },
      );
    case GatewayCloseCodes.InvalidShard:
      return new ParleyError(
        'discord_shard',
        `Discord refused the connection (4010): there is no shard ${id} of ${of}.`,
        { hint: 'Set channels.discord.shards to "automatic", or to shards that there are.' },
      );
    default:
      return new ParleyError(
        'discord_refused',
        `Discord refused the connection permanently (${closeCode}).`,
        {
          hint: 'Update Parley: Discord may have retired the version of its gateway that this one speaks.',
        },
      );
  }
}

/** The error of a failed login if trying again is useless, otherwise undefined. */
export function loginRefusal(error: unknown): ParleyError | undefined {
  return codeOf(error) === 'TokenInvalid' ? tokenRefusal() : undefined;
}

/** The error for a bot token that Discord does not accept. */
export function tokenRefusal(): ParleyError {
  return new ParleyError('discord_token', 'Discord does not take the bot token (401 or 4004).', {
    hint: tokenHint,
  });
}
