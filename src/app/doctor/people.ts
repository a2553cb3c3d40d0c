// The doctor on people: who may talk to each channel that would be connected, and whether anyone is an owner. Asks no platform.
import { join } from 'node:path';
import { hasBotToken } from '#app/config/environment.ts';
import type { LoadedConfig } from '#app/config/load.ts';
import { accessMessage } from '#app/screen/access-words.ts';
import { accessOf, botsOf, enabledPlatforms, keysOf } from '#app/settings/channels.ts';
import { ownersOf } from '#app/settings/owners.ts';
import { errorMessage } from '#base/errors.ts';
import { type Diagnostic, ok, warning } from './diagnostic.ts';

/** Who may talk to each channel that would be connected; without a token, to those of the sandbox. */
export function accessByChannel(loaded: LoadedConfig): { name: string; words: string[] }[] {
  const { channels } = loaded.config;
  const sandbox = (['discord', 'telegram', 'slack'] as const)
    .filter((name) => channels[name].enabled)
    .map((platform) => ({ platform, account: undefined, name: platform }));
  return (isSandbox(loaded) ? sandbox : botsOf(channels, loaded.environment)).map((bot) => {
    const { directMessages = isSandbox(loaded) ? 'open' : undefined, ...rest } = keysOf(channels, bot);
    return { name: bot.name, words: accessMessage(bot.platform, accessOf({ ...rest, directMessages })) };
  });
}

/** Whether a start with this environment would play in the sandbox. */
function isSandbox({ environment }: LoadedConfig): boolean {
  return !hasBotToken(environment);
}

/** The owners by name; a warning when no owner can be reached. */
export async function checkOwners(loaded: LoadedConfig): Promise<Diagnostic> {
  if (isSandbox(loaded)) return ok('In the sandbox everyone who has the link of its page is the owner.');
  let owners: Awaited<ReturnType<typeof ownersOf>>;
  try {
    owners = await ownersOf(loaded);
  } catch (error) {
    return warning(
      `Whether anyone is an owner cannot be read: ${errorMessage(error)}.`,
      `Look at ${join(loaded.home, 'gateway.sqlite')}: "parley doctor" says what is wrong with it.`,
    );
  }
  const names = owners.map(({ name }) => name).join(', ');
  const connected: readonly string[] = enabledPlatforms(loaded);
  if (owners.some(({ platforms }) => platforms.some((each) => connected.includes(each))))
    return ok(`${owners.length === 1 ? 'The owner is' : 'The owners are'} ${names}.`);
  // people other than owners approve where the config names them
  const leave = loaded.config.approvals.approvers === undefined ? ', approves tools' : '';
  return warning(
    owners.length === 0
      ? `Nobody is an owner: in chat nobody admits others${leave} or chooses a model.`
      : `No owner (${names}) has an account on ${connected.join(' or ') || 'a channel that is connected'}: nobody there admits others${leave} or chooses a model.`,
    hintFor(loaded),
  );
}

/** What an operator does who has no owner: with a code where strangers are given one, else in the config. */
function hintFor(loaded: LoadedConfig): string {
  const paired = enabledPlatforms(loaded).filter(
    (name) => accessOf(loaded.config.channels[name]).directMessages === 'pairing',
  );
  const first = enabledPlatforms(loaded)[0] ?? 'discord';
  const account = first === 'slack' ? 'slack:TEAM/USER' : `${first}:ID`;
  const config = `name yourself under "people" in the config: { "me": { "role": "owner", "accounts": ["${account}"] } }`;
  if (paired.length === 0) return `${config.charAt(0).toUpperCase()}${config.slice(1)}.`;
  return `Write to the bot in private on ${paired.join(' or ')} and call "parley people approve CODE --name NAME --role owner" with the code that it answers; or ${config}.`;
}

/** Findings on who may talk to each channel, and on the owners. */
export async function checkPeople(loaded: LoadedConfig): Promise<Diagnostic[]> {
  const access = accessByChannel(loaded).flatMap(({ name, words }) =>
    words.map((each) => ok(`${name}: ${each.charAt(0).toLowerCase()}${each.slice(1)}`)),
  );
  return [...access, await checkOwners(loaded)];
}
