// The doctor on keys of the config whose form is right and whose value cannot be: ids that no platform gives, limits of a cost that
// nobody knows, MCP servers whose program is not there. Asks nobody.
import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import type { LoadedConfig } from '#app/config/load.ts';
import type { Config } from '#app/config/schema.ts';
import { wrongTokens } from '#app/screen/guide.ts';
import { answeringModels } from '#app/settings/assistants.ts';
import { chooseModel } from '#app/settings/model.ts';
import { type Diagnostic, warning } from './diagnostic.ts';

type Platform = 'discord' | 'telegram' | 'slack';
type Kind = 'person' | 'room' | 'space';

interface Form {
  pattern: RegExp;
  /** What such ids look like, and where one finds them. */
  like: string;
}

/** Discord's own: 64 bits with the time in the upper 42, so 17 digits since July 2015. */
const snowflake: Form = { pattern: /^\d{17,20}$/, like: 'has 17 to 20 digits (developer mode, "Copy ID")' };
const telegramChat: Form = {
  pattern: /^-\d{1,16}$/,
  like: 'is a negative number ("/status" shows it in the group)',
};
const slackForm = (letters: string, like: string): Form => ({
  pattern: new RegExp(`^[${letters}][A-Z0-9]{6,}$`),
  like,
});

/** The ids that the platforms give, narrower than what the schema takes. */
const forms: Readonly<Record<Platform, Readonly<Record<Kind, Form>>>> = {
  discord: { person: snowflake, room: snowflake, space: snowflake },
  telegram: {
    person: { pattern: /^[1-9]\d{0,15}$/, like: 'is a number above 0, and no @name ("/whoami" shows it)' },
    room: telegramChat,
    space: telegramChat,
  },
  slack: {
    person: {
      pattern: /^[TE][A-Z0-9]{6,}\/[UW][A-Z0-9]{6,}$/,
      like: 'is TEAM/USER, as in T012AB3C4/U012A3CDE (profile, "Copy member ID")',
    },
    room: slackForm('CGD', 'begins with C, G or D, as in C012AB3CD (details of the channel)'),
    space: slackForm('TE', 'begins with T, or E for an organisation, as in T012AB3C4'),
  },
};

/** A finding for each value that cannot be right; none of them keeps the program from starting. */
export function checkWhatCannotBe(loaded: LoadedConfig): Diagnostic[] {
  return [
    ...mistypedTokens(loaded),
    ...wrongIDs(loaded.config),
    ...unknownCosts(loaded),
    ...missingPrograms(loaded),
  ];
}

/** Tokens whose form no token of the platform has. Servers of one's own, as in tests, may give others. */
function mistypedTokens({ config, environment }: LoadedConfig): Diagnostic[] {
  return wrongTokens(environment)
    .filter(
      ({ platform }) => config.channels[platform].enabled && config.channels[platform].apiUrl === undefined,
    )
    .map(({ what }) => warning(what, 'Copy the token once more, whole.'));
}

function wrongIDs(config: Config): Diagnostic[] {
  const wrong = (key: string, id: string, form: Form, what: string): Diagnostic[] =>
    form.pattern.test(id)
      ? []
      : [
          warning(
            `${key} is ${JSON.stringify(id)}, which is ${what} on no platform.`,
            `Such an id ${form.like}.`,
          ),
        ];
  const check = (
    key: string,
    platform: Platform,
    ids: Partial<Record<Kind, readonly string[] | undefined>>,
  ) =>
    Object.entries(ids).flatMap(
      ([kind, all = []]) =>
        all.flatMap((id) => wrong(key, id, forms[platform][kind as Kind], kindNames[kind as Kind])), // its own keys
    );
  return [
    ...Object.entries(config.people).flatMap(([name, { accounts }]) =>
      accounts.flatMap((account) => {
        const [platform = '', id = ''] = [account.split(':')[0], account.replace(/^[^:]*:/, '')];
        return isPlatform(platform) ? check(`people.${name}: ${platform}`, platform, { person: [id] }) : [];
      }),
    ),
    ...Object.keys(forms)
      .filter(isPlatform)
      .flatMap((platform) => {
        const { allowlist, rooms, bots } = config.channels[platform];
        const of = (key: string) => `channels.${platform}.${key}`;
        return [
          ...check(of('allowlist'), platform, { person: allowlist }),
          ...check(of('bots.allowed'), platform, { person: bots.allowed }),
          ...check(of('rooms.spaces'), platform, { space: rooms.spaces }),
          ...check(of('rooms.include'), platform, { room: rooms.include }),
          ...check(of('rooms.overrides'), platform, { room: Object.keys(rooms.overrides) }),
        ];
      }),
    ...config.bindings.flatMap(({ assistant, platform = '', space, room }) =>
      isPlatform(platform)
        ? check(`The binding of ${assistant}`, platform, {
            ...(space === undefined ? {} : { space: [space] }),
            ...(room === undefined ? {} : { room: [room] }),
          })
        : [],
    ),
  ];
}

const kindNames: Readonly<Record<Kind, string>> = { person: 'an account', room: 'a room', space: 'a space' };

function isPlatform(name: string): name is Platform {
  return Object.hasOwn(forms, name);
}

/** Without a price an answer costs nothing, and a limit of cost never holds. */
function unknownCosts({ config, environment }: LoadedConfig): Diagnostic[] {
  const { assistants, ...others } = config.limits;
  const byName = Object.entries(assistants).map(([name, limit]) => [`assistants.${name}`, limit] as const);
  const limits = [...Object.entries(others), ...byName].filter(([, { costUSD }]) => costUSD !== undefined);
  const unpriced = answeringModels(config).filter(
    ({ model }) => model.prices === undefined && chooseModel(model, environment).provider !== 'offline',
  );
  if (limits.length === 0 || unpriced.length === 0) return [];
  const keys = limits.map(([whose]) => `limits.${whose}.costUSD`).join(' and ');
  const names = unpriced.map(
    ({ what, model }) => `${what.charAt(0).toLowerCase()}${what.slice(1)} (${model.name ?? 'its default'})`,
  );
  return [
    warning(
      `${keys} cannot hold for ${names.join(', ')}: without prices its answers cost nothing.`,
      'Set `model.prices`, or `prices` in the `model` of an assistant; for fallbacks, which have none, limit `tokens` too.',
    ),
  ];
}

function missingPrograms({ config }: LoadedConfig): Diagnostic[] {
  return Object.entries(config.mcp).flatMap(([name, server]) => {
    if (!('command' in server) || isProgram(server.command, server.env.PATH ?? process.env.PATH)) return [];
    return [
      warning(
        `mcp.${name}.command is ${JSON.stringify(server.command)}, and there is no such program.`,
        /[\\/]/.test(server.command)
          ? `Correct the path; Parley looks for ${resolve(server.command)}.`
          : 'Install it, or write its whole path: the folders of PATH have none of this name.',
      ),
    ];
  });
}

function isProgram(command: string, path = ''): boolean {
  const ends = process.platform === 'win32' ? ['', ...(process.env.PATHEXT ?? '.EXE;.CMD').split(';')] : [''];
  const folders = /[\\/]/.test(command) || isAbsolute(command) ? [''] : path.split(delimiter);
  return folders.some((folder) => ends.some((end) => canRun(join(folder, `${command}${end}`))));
}

function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
