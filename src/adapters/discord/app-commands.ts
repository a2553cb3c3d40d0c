// Registers Parley's chat commands with Discord, so that its clients offer them. What they do is the gateway's business.
import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
  InteractionContextType,
  type RESTPutAPIApplicationCommandsJSONBody,
  Routes,
} from 'discord.js';
import { z } from 'zod';
import { type CommandName, commandNames, entryOf } from '#adapters/gateway/commands/table.ts';
import type { Rest } from './rest.ts';

const registered = z.array(
  z.looseObject({
    name: z.string(),
    description: z.string(),
    type: z.int(),
    options: z.array(z.looseObject({ type: z.int(), name: z.string(), description: z.string() })).default([]),
    contexts: z.array(z.int()).nullish(),
    integration_types: z.array(z.int()).nullish(),
  }),
);

/** What may follow a command, as one text: what is in it is the gateway's to read. */
function optionsOf(
  name: CommandName,
): { type: ApplicationCommandOptionType.String; name: string; description: string }[] {
  const { takes } = entryOf(name);
  if (takes === undefined) return [];
  return [{ type: ApplicationCommandOptionType.String, name: 'text', description: takes }];
}

/** The commands as Discord is told of them: in servers, and in direct messages with the bot. */
export const appCommands = commandNames.map((name) => ({
  name,
  description: entryOf(name).help,
  type: ApplicationCommandType.ChatInput as const,
  contexts: [InteractionContextType.Guild, InteractionContextType.BotDM],
  integration_types: [ApplicationIntegrationType.GuildInstall],
  options: optionsOf(name),
})) satisfies RESTPutAPIApplicationCommandsJSONBody;

/**
 * Replaces the application's global commands by Parley's, unless they are the same already: Discord grants few changes a day.
 * Throws what discord.js throws.
 */
export async function registerCommands(
  rest: Rest,
  applicationID: string,
  signal: AbortSignal,
): Promise<void> {
  const route = Routes.applicationCommands(applicationID);
  const standing = registered.parse(await rest().get(route, { signal }));
  const wanted = registered.parse(appCommands);
  if (formOf(standing) !== formOf(wanted)) await rest().put(route, { body: appCommands, signal });
}

/** What must be equal for commands to be the same, whatever their order. */
function formOf(commands: z.infer<typeof registered>): string {
  const forms = commands.map(({ name, description, type, options, contexts, integration_types: types }) =>
    JSON.stringify([
      ...[name, description, type, contexts?.toSorted(), types?.toSorted()],
      options.map((option) => [option.type, option.name, option.description]),
    ]),
  );
  return JSON.stringify(forms.toSorted());
}
