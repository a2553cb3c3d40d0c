// Tokens and keys, set from the console: written to the `.env` next to the config, and never given back.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import PQueue from 'p-queue';
import { withVariables } from '#app/config/env-file.ts';
import {
  environmentHelp,
  environmentOf,
  serviceKeys,
  tokenName,
  variablesIn,
} from '#app/config/environment.ts';
import { guides, platforms } from '#app/screen/guide.ts';
import { namedVariables } from '#app/settings/engine-settings.ts';
import { errorMessage, ParleyError } from '#base/errors.ts';
import { writeWhole } from '#base/files/files.ts';
import type { SecretState } from '#engine/wire/operator/operator.ts';
import type { OperatorService } from '#engine/wire/operator/operator-operations.ts';
import type { ProcessContext } from './process-context.ts';

/** A secret that can be set, and what such a one looks like where that is known. */
interface Settable {
  name: string;
  about: string;
  looks?: { form: RegExp; like: string } | undefined;
}

/** The secrets of a part that runs; `audit` notes a change before it is made. */
export function createSecretSettings(
  { loaded, log }: Pick<ProcessContext, 'loaded' | 'log'>,
  audit: (by: string, how: string) => Promise<unknown>,
): Pick<OperatorService, 'secrets' | 'setSecret'> {
  const file = join(loaded.folder, '.env');
  const fixed = new Set(loaded.fixed);
  const text = (): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  const changes = new PQueue({ concurrency: 1 }); // each begins from what the file holds

  const states = (): SecretState[] => {
    const written = variablesIn(text());
    return settableOf(loaded.config).map(({ name, about }) => {
      const inForce = loaded.variables[name]?.trim() || undefined;
      const next = fixed.has(name) ? inForce : written[name]?.trim() || undefined;
      return {
        ...{ name, about },
        source: fixed.has(name) ? 'environment' : next === undefined ? 'none' : 'file',
        pending: next !== inForce,
      };
    });
  };

  const set: OperatorService['setSecret'] = async ({ name, value }, { by }) => {
    const settable = settableOf(loaded.config).find((each) => each.name === name);
    if (settable === undefined)
      throw refused(
        `${JSON.stringify(name)} is no secret that is read here.`,
        'GET /config/secrets lists them.',
      );
    if (fixed.has(name))
      throw refused(
        `${name} is set in the environment of the program, which goes before ${file}.`,
        'Change it where the program is started.',
      );
    const given = value?.trim() ?? null;
    if (given === '') throw refused(`Expected a value for ${name}, got a blank one.`);
    const { looks } = settable;
    if (given !== null && looks?.form.test(given) === false)
      throw refused(`That does not look like ${name}: one looks like ${looks.like}`);
    const next = withVariables(text(), { [name]: given });
    const process = Object.fromEntries([...fixed].map((each) => [each, loaded.variables[each]]));
    environmentOf(process, variablesIn(next)); // throws for two bots with one token
    await audit(by, `${given === null ? 'removed' : 'set'} the secret ${name}`);
    await writeWhole(file, next).catch((cause: unknown) => {
      throw refused(`${file} cannot be written: ${errorMessage(cause)}.`);
    });
    log.info(
      { name, by, removed: given === null },
      'a secret was changed: it takes effect at the next start',
    );
    return states();
  };

  return {
    secrets: async () => states(),
    setSecret: (change, how) => changes.add(() => set(change, how)),
  };
}

function settableOf(config: ProcessContext['loaded']['config']): Settable[] {
  const tokens = platforms.flatMap((platform) =>
    [undefined, ...Object.keys(config.channels[platform].accounts ?? {})].flatMap((account) =>
      guides[platform].tokens.map(({ name, looks: form, like }) => ({
        name: tokenName(name as Parameters<typeof tokenName>[0], account), // each of them is a bot's
        about: `${environmentHelp[name]}${account === undefined ? '' : `, of the bot "${account}"`}`,
        looks: { form, like },
      })),
    ),
  );
  const keys = [...serviceKeys, 'PARLEY_FEEDBACK_SECRET' as const].map((name) => ({
    ...{ name, about: environmentHelp[name] },
  }));
  const known = new Set<string>([...tokens, ...keys].map(({ name }) => name));
  const others = namedVariables(config).filter((name) => !known.has(name));
  return [...tokens, ...keys, ...others.map((name) => ({ name, about: 'named in the configuration' }))];
}

const refused = (words: string, hint?: string): ParleyError =>
  new ParleyError('config_invalid', words, hint === undefined ? {} : { hint });
