// `parley check` and `parley schema`: the config looked at without starting anything.

import { loadConfig } from '#app/config/load.ts';
import { configJsonSchema } from '#app/config/schema.ts';
import { chooseModel } from '#app/model.ts';
import type { CommandInput } from './input.ts';

/** Says what a start would use; wrong values are thrown as `config_invalid`. */
export async function checkConfig({ folder, configFile, variables, print }: CommandInput): Promise<number> {
  const { config, environment, home } = loadConfig({ folder, configFile, variables });
  const model = chooseModel(config.model, environment);
  const state = (on: boolean, token: string | undefined): string =>
    on ? (token === undefined ? 'no token' : 'token set') : 'switched off';
  print(`home       ${home}`);
  print(
    `model      ${model.provider === 'offline' ? 'offline (no model key is set)' : `${model.provider} ${model.model ?? '(its default)'}`}`,
  );
  print(`discord    ${state(config.channels.discord.enabled, environment.DISCORD_BOT_TOKEN)}`);
  print(`telegram   ${state(config.channels.telegram.enabled, environment.TELEGRAM_BOT_TOKEN)}`);
  print(`slack      ${state(config.channels.slack.enabled, environment.SLACK_BOT_TOKEN)}`);
  return 0;
}

/** Prints the JSON Schema of the config file. */
export async function printSchema({ print }: CommandInput): Promise<number> {
  print(JSON.stringify(configJsonSchema(), null, 2));
  return 0;
}
