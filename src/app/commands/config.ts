// `parley check` and `parley schema`: the config looked at without starting anything.

import { hasBotToken } from '#app/config/environment.ts';
import { loadConfig } from '#app/config/load.ts';
import { configJsonSchema } from '#app/config/schema.ts';
import { checkWhatCannotBe } from '#app/doctor/cannot-be.ts';
import { checkModelNames } from '#app/doctor/model.ts';
import { accessByChannel, checkOwners } from '#app/doctor/people.ts';
import { paragraph } from '#app/screen/screen.ts';
import { botsOf, unusedAccounts } from '#app/settings/channels.ts';
import { chooseModel } from '#app/settings/model.ts';
import { tracingSettings } from '#app/telemetry/tracing-settings.ts';
import { asCalled } from '#base/called-as.ts';
import { systemClock } from '#base/clock.ts';
import type { CommandInput } from './parts/input.ts';

/** Columns of the name before each value. */
const indent = 11;

/**
 * `parley config`: prints the settings that a start would use, and who may talk to it. Throws a ParleyError `config_invalid` for wrong
 * values.
 */
export async function checkConfig(input: CommandInput): Promise<number> {
  const loaded = loadConfig(input);
  const { config, environment, home } = loaded;
  const model = chooseModel(config.model, environment);
  const facts: { about: string; text: readonly string[] }[] = [];
  const say = (about: string, ...text: readonly string[]): void => void facts.push({ about, text });
  say('home', home);
  say(
    'model',
    model.provider === 'offline'
      ? 'offline (no model key is set)'
      : `${model.provider} ${model.model ?? '(its default)'}`,
  );
  for (const { level, what, hint } of await checkModelNames(loaded, systemClock))
    if (level === 'ok') say('', what);
    else say('WARNING', what, ...(hint === undefined ? [] : [`-> ${hint}`]));
  for (const words of loaded.warnings) say('WARNING', words);
  for (const { what, hint } of checkWhatCannotBe(loaded)) say('WARNING', what, `-> ${hint}`);
  const access = accessByChannel(loaded);
  const bots = botsOf(config.channels, environment);
  for (const platform of ['discord', 'telegram', 'slack'] as const) {
    const own = bots.filter((bot) => bot.platform === platform).map(({ name }) => name);
    const without = hasBotToken(environment) ? 'no token' : 'no token: in the sandbox';
    const off = config.channels[platform].enabled ? without : 'switched off';
    for (const name of own.length === 0 ? [platform] : own) {
      const words = access.find((each) => each.name === name)?.words ?? [];
      say(name, own.length === 0 ? off : 'token set', ...words);
    }
  }
  for (const words of unusedAccounts(config.channels, environment)) say('WARNING', words);
  for (const { assistant, ...place } of config.bindings)
    say(
      'assistant',
      `${assistant}: ${Object.entries(place)
        .map(([key, value]) => `${key} ${value}`)
        .join(', ')}`,
    );
  const traces = tracingSettings(loaded.variables);
  if (traces !== undefined && 'problem' in traces) say('WARNING', `No traces are sent: ${traces.problem}`);
  else if (traces !== undefined) say('traces', `by OpenTelemetry, ${traces.protocol}`);
  const { level, what, hint } = await checkOwners(loaded);
  if (level === 'ok') say('owners', what);
  else say('WARNING', what, ...(hint === undefined ? [] : [`-> ${hint}`]));
  if (input.json) input.print(JSON.stringify({ facts }));
  else for (const line of facts.flatMap(linesOf)) input.print(line);
  return 0;
}

function linesOf({ about, text }: { about: string; text: readonly string[] }): string[] {
  const lines = text.flatMap((each) => paragraph(asCalled(each), 80 - indent + 2).map((line) => line.trim()));
  return lines.map((line, at) => `${(at === 0 ? about : '').padEnd(indent)}${line}`);
}

/** Prints the JSON Schema of the config file. */
export async function printSchema({ print }: CommandInput): Promise<number> {
  print(JSON.stringify(configJsonSchema(), null, 2));
  return 0;
}
