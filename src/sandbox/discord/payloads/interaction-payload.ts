// Commands and interactions as Discord's API and gateway write them. Pure.
import type { AppCommand } from '#sandbox/discord/world/app-command.ts';
import { memberOf, newMember } from '#sandbox/discord/world/guilds.ts';
import { guildOf, type Interaction, type Press, type World } from '#sandbox/discord/world/world.ts';
import { channelPayload } from './channel-payload.ts';
import { messagePayload } from './message-payload.ts';
import { memberPayload, userPayload } from './people-payload.ts';

/** The application's own id. */
export function applicationID(world: World): string {
  return world.bot.id;
}

export function commandPayload(world: World, command: AppCommand) {
  return {
    ...command,
    application_id: applicationID(world),
    default_member_permissions: null,
    nsfw: false,
  };
}

/** The data of INTERACTION_CREATE for a slash command. */
export function interactionPayload(world: World, interaction: Interaction) {
  const { command, text } = interaction;
  const { installed, person } = interaction;
  return {
    ...common(world, interaction),
    ...(installed === 'person' ? { authorizing_integration_owners: { 1: person.id } } : {}),
    type: 2,
    data: {
      id: command.id,
      name: command.name,
      type: 1,
      ...(text === undefined ? {} : { options: [{ name: 'text', type: 3, value: text }] }),
    },
  };
}

/** The same for a pressed button. */
export function pressPayload(world: World, press: Press) {
  return {
    ...common(world, press),
    type: 3,
    data: { custom_id: press.customID, component_type: 2, id: 1 },
    message: messagePayload(world, press.message),
  };
}

function common(
  world: World,
  { id, token, person, channel }: Pick<Press, 'id' | 'token' | 'person' | 'channel'>,
) {
  const guild = guildOf(world, channel.id);
  const permissions = '2251799813685247';
  const member = memberOf(guild, person.id) ?? newMember(person.id, world.clock.now());
  const who =
    guild === undefined
      ? { user: userPayload(person) }
      : {
          member: { ...memberPayload(world, member), permissions },
          guild_id: guild.id,
          guild_locale: 'en-US',
        };
  return {
    id,
    application_id: applicationID(world),
    version: 1,
    token,
    channel_id: channel.id,
    channel: { ...channelPayload(world, channel), permissions },
    ...who,
    app_permissions: permissions,
    locale: world.locale,
    entitlements: [],
    authorizing_integration_owners: { 0: guild?.id ?? '0' },
    context: guild === undefined ? 1 : 0,
    attachment_size_limit: 10 * 1024 * 1024,
  };
}
