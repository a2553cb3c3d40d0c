// Registers Parley's chat commands with Discord, so that its clients offer them. What they do is the gateway's business.
import {
  ApplicationCommandType,
  ApplicationIntegrationType,
  InteractionContextType,
  type RESTPutAPIApplicationCommandsJSONBody,
  Routes,
} from 'discord.js';
import { z } from 'zod';
import { commandHelp } from '#adapters/gateway/turns/commands.ts';
import type { Rest } from './rest.ts';

const registered = z.array(
  z.looseObject({
    name: z.string(),
    description: z.string(),
    type: z.int(),
    options: z.array(z.unknown()).default([]),
    contexts: z.array(z.int()).nullish(),
    integration_types: z.array(z.int()).nullish(),
  }),
);

/** The commands as Discord is told of them: in servers, and in direct messages with the bot. */
export const appCommands = Object.entries(commandHelp).map(([name, description]) => ({
  name,
  description,
  type: ApplicationCommandType.ChatInput as const,
  contexts: [InteractionContextType.Guild, InteractionContextType.BotDM],
  integration_types: [ApplicationIntegrationType.GuildInstall],
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
    JSON.stringify([name, description, type, options, contexts?.toSorted(), types?.toSorted()]),
  );
  return JSON.stringify(forms.toSorted());
}
