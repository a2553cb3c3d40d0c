// Registers Parley's chat commands with Discord, next to those that the application already has. The gateway runs them.
import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
  InteractionContextType,
  type RESTPutAPIApplicationCommandsJSONBody,
  Routes,
  SnowflakeUtil,
} from 'discord.js';
import { z } from 'zod';
import { explain } from '#adapters/discord/calls/explain.ts';
import type { Rest } from '#adapters/discord/calls/rest.ts';
import { isListed, type MenuEntry, menuFor } from '#adapters/gateway/commands/menu.ts';
import { phrasesFor } from '#adapters/gateway/phrases/phrases.ts';
import type { Log } from '#base/log/log.ts';

const command = z.looseObject({
  name: z.string(),
  description: z.string(),
  type: z.int().default(ApplicationCommandType.ChatInput),
  options: z.array(z.looseObject({ type: z.int(), name: z.string(), description: z.string() })).default([]),
  /** Renewed with each change; it holds the time, as every id of Discord does. Absent in what is to be registered. */
  version: z.string().regex(/^\d+$/).optional(),
  contexts: z.array(z.int()).nullish(),
  integration_types: z.array(z.int()).nullish(),
});
type Command = z.infer<typeof command>;
const registered = z.array(command);

/** What the application's list holds, compared with what Parley would have there; by name. */
export interface Listing {
  missing: string[];
  /** There in another form: of an older version, or someone else's of the same name, whose place Parley takes. */
  different: string[];
  /** Those that stand as they should, and when each was changed last, in milliseconds since the epoch. */
  right: { name: string; changedAtMs: number | undefined }[];
  /** Not Parley's: of another program with the same token, or the entry point of an Activity. They are left alone. */
  others: string[];
}

/** What may follow a command, as one text: what is in it is the gateway's to read. */
function optionsOf({
  takes,
}: MenuEntry): { type: ApplicationCommandOptionType.String; name: string; description: string }[] {
  if (takes === undefined) return [];
  return [{ type: ApplicationCommandOptionType.String, name: 'text', description: takes }];
}

/** The commands in Discord's form: those for direct messages with the bot, and those for rooms in servers. */
export const appCommands = menuFor('direct', phrasesFor('en')).map((entry) => ({
  name: entry.name,
  description: entry.description,
  type: ApplicationCommandType.ChatInput as const,
  contexts: isListed(entry.name, 'room administrator')
    ? [InteractionContextType.Guild, InteractionContextType.BotDM]
    : [InteractionContextType.BotDM],
  integration_types: [ApplicationIntegrationType.GuildInstall],
  options: optionsOf(entry),
})) satisfies RESTPutAPIApplicationCommandsJSONBody;

/** How the list of the application stands. Changes nothing; throws what discord.js throws. */
export async function lookAtCommands(
  rest: Rest,
  applicationID: string,
  signal?: AbortSignal,
): Promise<Listing> {
  const route = Routes.applicationCommands(applicationID);
  const standing = registered.parse(await rest().get(route, signal === undefined ? {} : { signal }));
  const ofName = new Map(
    standing.filter(({ type }) => type === ApplicationCommandType.ChatInput).map((one) => [one.name, one]),
  );
  const wanted = registered.parse(appCommands);
  const isOurs = ({ name, type }: Command): boolean =>
    type === ApplicationCommandType.ChatInput && wanted.some((one) => one.name === name);
  const isRight = (one: Command): boolean => {
    const there = ofName.get(one.name);
    return there !== undefined && formOf(there) === formOf(one);
  };
  return {
    right: wanted.filter(isRight).map(({ name }) => {
      const version = ofName.get(name)?.version;
      return { name, changedAtMs: version === undefined ? undefined : SnowflakeUtil.timestampFrom(version) };
    }),
    missing: wanted.filter(({ name }) => !ofName.has(name)).map(({ name }) => name),
    different: wanted.filter((one) => ofName.has(one.name) && !isRight(one)).map(({ name }) => name),
    others: standing.filter((one) => !isOurs(one)).map(({ name }) => name),
  };
}

/**
 * Adds Parley's commands and updates those that differ; the others stay, since Discord allows few changes a day. A list that contains
 * only Parley's commands is replaced by one call. Next to other commands, each one is set by a separate call: replacing the list would
 * delete them, and Discord refuses to delete an Activity's entry point so (error 50240). Returns the list that it found; throws what
 * discord.js throws.
 */
async function registerCommands(rest: Rest, applicationID: string, signal: AbortSignal): Promise<Listing> {
  const route = Routes.applicationCommands(applicationID);
  const listing = await lookAtCommands(rest, applicationID, signal);
  const wrong = new Set([...listing.missing, ...listing.different]);
  if (wrong.size === 0) return listing;
  if (listing.others.length === 0) await rest().put(route, { body: appCommands, signal });
  else
    for (const body of appCommands) {
      // Discord overwrites the one of the same name ("Create Global Application Command")
      if (wrong.has(body.name)) await rest().post(route, { body, signal });
    }
  return listing;
}

/** Registers them; throws only what may pass. A refusal that will not leaves the commands to be typed. */
export async function offerCommands(
  { rest, log }: { rest: Rest; log: Log },
  applicationID: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    const {
      missing: added,
      different: replaced,
      others,
    } = await registerCommands(rest, applicationID, signal);
    if (added.length + replaced.length > 0)
      log.info({ added, replaced, others }, 'slash commands registered');
  } catch (error) {
    const { kind, words } = explain(error);
    if (kind === 'transient' || kind === 'rate_limit') throw error;
    log.warn({ kind, words }, 'slash commands not registered');
  }
}

/** What must be equal for two commands to be the same. */
function formOf({ description, options, contexts, integration_types: types }: Command): string {
  return JSON.stringify([
    ...[description, contexts?.toSorted(), types?.toSorted()],
    options.map((option) => [option.type, option.name, option.description]),
  ]);
}
