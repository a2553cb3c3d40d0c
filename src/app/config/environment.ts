// The environment, read once: secrets and a few paths, from the process and from a `.env` file next to the config.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { ParleyError } from '#base/errors.ts';
import { nearestName } from '#base/nearest.ts';
import { decodedPart } from '#base/text.ts';

/** Every variable that is read, with what it is for. */
export const environmentHelp = {
  DISCORD_BOT_TOKEN: 'bot token of the Discord application',
  TELEGRAM_BOT_TOKEN: 'token that BotFather gave for the Telegram bot',
  SLACK_BOT_TOKEN: 'bot token of the Slack app (xoxb-...)',
  SLACK_APP_TOKEN:
    'app-level token of the Slack app (xapp-...), for Socket Mode; without it history is polled',
  OPENAI_API_KEY: 'key for OpenAI, or for the server at OPENAI_BASE_URL',
  OPENAI_BASE_URL: 'another OpenAI-compatible API root',
  ANTHROPIC_API_KEY: 'key for Anthropic',
  GOOGLE_GENERATIVE_AI_API_KEY: 'key for Google',
  BRAVE_API_KEY: 'key for Brave Search, where `tools.search` names it',
  TAVILY_API_KEY: 'key for Tavily, where `tools.search` names it',
  HTTPS_PROXY: 'proxy for addresses that begin with https:// and wss://; `https_proxy` is read too',
  HTTP_PROXY: 'proxy for addresses that begin with http:// and ws://; `http_proxy` is read too',
  NO_PROXY: 'hosts that are reached without the proxy, with commas between them; `no_proxy` is read too',
  DATABASE_URL: 'address of the PostgreSQL that several instances share, where `storage.url` is not set',
  PGPASSWORD: 'its password, where neither `storage.passwordFile` nor the address has one',
  PARLEY_FEEDBACK_SECRET: 'secret that calls of `feedback.webhook` are signed with',
  PARLEY_HOME: 'folder of the databases (default: .parley)',
  PARLEY_MCP_TOKEN: 'token of a person or an agent, for "parley mcp"',
  PARLEY_TOKEN: 'bearer token of the engine (default: made at first start, kept in the home folder)',
} as const;

export type EnvironmentName = keyof typeof environmentHelp;

type Variables = Readonly<Record<string, string | undefined>>;

/** The tokens of bots. That of a further bot ends with its name: `TELEGRAM_BOT_TOKEN_NAME`. */
const botTokens = ['DISCORD_BOT_TOKEN', 'TELEGRAM_BOT_TOKEN', 'SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN'] as const;
type BotToken = (typeof botTokens)[number];
export type Environment = Readonly<Partial<Record<EnvironmentName | `${BotToken}_${string}`, string>>>;

/** The variable of a token: of the bot with that name, or of the one without a name. */
export function tokenName(token: BotToken, account?: string): BotToken | `${BotToken}_${string}` {
  return account === undefined ? token : `${token}_${account.toUpperCase()}`;
}

function isBotToken(name: string): name is BotToken | `${BotToken}_${string}` {
  return botTokens.some((token) => name === token || name.startsWith(`${token}_`));
}

/** The names of the bots that have a token, as their variables write them (`COUNSEL`). */
export function namesWithToken(environment: Environment): { variable: string; account: string }[] {
  return Object.keys(environment).flatMap((variable) => {
    const token = botTokens.find((each) => variable.startsWith(`${each}_`));
    return token === undefined ? [] : [{ variable, account: variable.slice(token.length + 1).toLowerCase() }];
  });
}

/** Whether any bot has a token: without one, a start plays in the sandbox. */
export function hasBotToken(environment: Environment): boolean {
  return Object.keys(environment).some(isBotToken);
}

/** The environment of a program that connects no bot. */
export function withoutBotTokens(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !isBotToken(name)));
}

/** Keys of models and of searches. */
export const serviceKeys = [
  'OPENAI_API_KEY',
  'ANTHROPIC_API_KEY',
  'GOOGLE_GENERATIVE_AI_API_KEY',
  'BRAVE_API_KEY',
  'TAVILY_API_KEY',
] as const satisfies readonly EnvironmentName[];
const secretNames: readonly EnvironmentName[] = [
  ...serviceKeys,
  'PGPASSWORD',
  'PARLEY_TOKEN',
  'PARLEY_FEEDBACK_SECRET',
  'PARLEY_MCP_TOKEN',
];

/** The `.env` of a config, where secrets belong: next to it. */
export const envFileOf = (configPath: string): string => join(dirname(configPath), '.env');

/** The known variables. Blank ones count as absent; the process's own win over the file's. */
export function readEnvironment(variables: NodeJS.ProcessEnv, envFile: string): Environment {
  return environmentOf(variables, readEnvFile(envFile));
}

/** The same of variables that were read. */
export function environmentOf(variables: Variables, fromFile: Variables): Environment {
  const found: { -readonly [Name in keyof Environment]: Environment[Name] } = {};
  const further = [variables, fromFile].flatMap((source) => Object.keys(source).filter(isBotToken));
  const known = Object.keys(environmentHelp) as EnvironmentName[]; // its own keys
  for (const name of new Set([...known, ...further])) {
    const names = name.endsWith('_PROXY') ? [name, name.toLowerCase()] : [name];
    const texts = [variables, fromFile].flatMap((source) => names.map((each) => source[each]?.trim()));
    const value = texts.find((text) => text !== undefined && text !== '') ?? '';
    if (value !== '') found[name] = value;
  }
  refuseMixedUp(found);
  refuseShared(found);
  return found;
}

/** The variables of the `.env` file; empty when there is no file. */
export function readEnvFile(envFile: string): Variables {
  return existsSync(envFile) ? variablesIn(readFileSync(envFile, 'utf8')) : {};
}

/** The variables in the text of such a file. */
export const variablesIn = (text: string): Variables => parseEnv(text.replace(/^\ufeff/, ''));

/** What others call these variables, where the names are not near each other. */
const otherNames: Readonly<Record<string, EnvironmentName>> = {
  GOOGLE_API_KEY: 'GOOGLE_GENERATIVE_AI_API_KEY',
  GEMINI_API_KEY: 'GOOGLE_GENERATIVE_AI_API_KEY',
  CLAUDE_API_KEY: 'ANTHROPIC_API_KEY',
  BRAVE_SEARCH_API_KEY: 'BRAVE_API_KEY',
};

/**
 * What of the `.env` file nobody reads, as text: lines without "=", by their numbers since they may hold a secret, and variables, each
 * with the one that it was meant to be and that is not set.
 */
export function unreadVariables(envFile: string, environment: Environment): string[] {
  return [...linesWithoutValue(envFile), ...misnamed(envFile, environment)];
}

function linesWithoutValue(envFile: string): string[] {
  if (!existsSync(envFile)) return [];
  // a value in quotes may go on over lines
  const text = readFileSync(envFile, 'utf8').replace(/=[ \t]*(["'`])[\s\S]*?\1/g, (value) =>
    value.replace(/[^\n]+/g, '='),
  );
  return text.split('\n').flatMap((line, index) => {
    const words = line.replace(/^\ufeff/, '').trim();
    if (words === '' || words.startsWith('#') || words.includes('=')) return [];
    return [`Line ${index + 1} of ${envFile} is not read: it has no "=", as in NAME=VALUE.`];
  });
}

function misnamed(envFile: string, environment: Environment): string[] {
  const known = [...Object.keys(environmentHelp), 'https_proxy', 'http_proxy', 'no_proxy'];
  return Object.entries(readEnvFile(envFile)).flatMap(([name, value]) => {
    if (known.includes(name) || isBotToken(name) || value?.trim() === '') return [];
    const meant = otherNames[name] ?? nearestName(name.toUpperCase(), known);
    if (meant === undefined || meant in environment) return [];
    return [`${name} in ${envFile} is not read: the name is ${meant}.`];
  });
}

/** The values that must never be shown: tokens and keys, and the password in an address. */
export function secretsOf(environment: Environment): string[] {
  const named = [...secretNames, ...Object.keys(environment).filter(isBotToken)].flatMap((name) => {
    const value = environment[name];
    // a local server takes any key, and people write `ollama`: a word that answers may contain
    return value === undefined || (name.endsWith('_API_KEY') && isPlain(value)) ? [] : value;
  });
  return [
    ...named,
    ...passwordsIn([
      environment.OPENAI_BASE_URL,
      ...[environment.HTTPS_PROXY, environment.HTTP_PROXY].map(withScheme),
    ]),
  ];
}

/** The address of a proxy, which may be written without its scheme. */
export function withScheme(address: string | undefined): string | undefined {
  return address === undefined || address.includes('://') ? address : `http://${address}`;
}

/** The passwords in these URLs, as written and decoded. */
export function passwordsIn(addresses: readonly (string | undefined)[]): string[] {
  return addresses.flatMap((address) => {
    const password = address !== undefined && URL.canParse(address) ? new URL(address).password : '';
    // where it cannot be decoded, whoever connects there says so
    return password === '' ? [] : [password, decodedPart(password) ?? password];
  });
}

/** Whether a value is surely no secret: a path, an address without a password, a number, a few words. */
export function isPlain(value: string): boolean {
  return (
    /^(?:\d{1,12}|(?:[a-z]:)?[~.]{0,2}[\\/].*|https?:\/\/[^@]*)$/i.test(value) ||
    (value.length < 20 && /^[a-z]+(?:[-_ ][a-z]+)*$/i.test(value))
  );
}

/** Two bots with one token would take each other's messages away. */
function refuseShared(found: Environment): void {
  const seen = new Map<string, string>();
  for (const [name, value] of Object.entries(found)) {
    if (!isBotToken(name) || value === undefined) continue;
    const other = seen.get(value);
    if (other !== undefined)
      throw new ParleyError('config_invalid', `${other} and ${name} have the same token.`, {
        hint: 'Each bot needs its own: make another bot on the platform, or delete one of the two variables.',
      });
    seen.set(value, name);
  }
}

/** Tokens that were put under each other's name would fail late and in odd words. */
function refuseMixedUp(found: Environment): void {
  const { SLACK_BOT_TOKEN: bot, SLACK_APP_TOKEN: app } = found;
  if (bot?.startsWith('xapp-') === true || app?.startsWith('xoxb-') === true) {
    throw new ParleyError(
      'config_invalid',
      'SLACK_BOT_TOKEN expects a token that starts with xoxb-, SLACK_APP_TOKEN one that starts with xapp-; they are the wrong way round.',
      { hint: 'Exchange the two values.' },
    );
  }
  if (app !== undefined && bot === undefined) {
    throw new ParleyError('config_invalid', 'SLACK_APP_TOKEN is set, but SLACK_BOT_TOKEN is not.', {
      hint: 'Set SLACK_BOT_TOKEN too: Slack app, "OAuth & Permissions", "Bot User OAuth Token".',
    });
  }
}
