// The questions of `parley init`, in order, over whatever can ask them: the platforms with their tokens, then the model.
import type { Finding } from '#adapters/gateway/terms/channel.ts';
import { formatBytes } from '#adapters/uploads/format-bytes.ts';
import type { Environment } from '#app/config/environment.ts';
import { downloadBytes, knownModels, offeredModel } from '#app/config/memory/known-models.ts';
import {
  type GuidedPlatform,
  guides,
  type ProviderChoice,
  platforms,
  providers,
  wrongToken,
} from '#app/screen/guide.ts';
import type { Setup } from './setup.ts';

export interface WizardChoice<T> {
  value: T;
  label: string;
}

/** Who asks. Each answer is undefined when the person gives the whole thing up. */
export interface Prompter {
  note(title: string, text: string): void;
  /** A link, unbroken, to be opened or copied. */
  link(url: string): void;
  /** Shows findings with their hints. */
  findings(findings: readonly Finding[]): void;
  /** Shows that something is being waited for. */
  waiting<T>(what: string, work: () => Promise<T>): Promise<T>;
  several<T extends string>(
    ask: string,
    choices: readonly WizardChoice<T>[],
    chosen: readonly T[],
  ): Promise<T[] | undefined>;
  one<T extends string>(ask: string, choices: readonly WizardChoice<T>[], first: T): Promise<T | undefined>;
  /** A secret, not shown. `wrong` says why an answer cannot be right. */
  secret(ask: string, wrong: (text: string) => string | undefined): Promise<string | undefined>;
  /** `otherwise` is shown, and is the answer when nothing is typed. */
  text(ask: string, otherwise: string): Promise<string | undefined>;
}

interface KnownSetup {
  /** What the environment and `.env` have already. */
  environment: Environment;
  /** Whether an embedding model is configured already: then none is offered. */
  hasEmbedding: boolean;
  check: {
    platform(platform: GuidedPlatform, variables: Environment): Promise<Finding[]>;
    model(setup: Setup): Promise<Finding[]>;
  };
}

type Again = 'again' | 'other' | 'unchanged' | 'skip';

/** Asks for the whole setup. Undefined when the person gives up: then write nothing. */
export async function askSetup(asker: Prompter, known: KnownSetup): Promise<Setup | undefined> {
  const has = (platform: GuidedPlatform): boolean =>
    guides[platform].tokens.some(({ name, optional }) => optional !== true && known.environment[name]);
  const chosen = await asker.several(
    'Where will people talk to it? (none: the sandbox, on this machine)',
    platforms.map((value) => ({ value, label: guides[value].title })),
    platforms.filter(has),
  );
  if (chosen === undefined) return undefined;
  const variables: Record<string, string> = {};
  for (const platform of chosen) {
    const tokens = await askPlatform(asker, platform, known);
    if (tokens === undefined) return undefined;
    Object.assign(variables, tokens);
  }
  const setup = await askModel(asker, variables, known);
  return setup === undefined || known.hasEmbedding ? setup : askEmbedding(asker, setup);
}

/** Offers a model that finds memories by what they mean, with what it takes. */
async function askEmbedding(asker: Prompter, setup: Setup): Promise<Setup | undefined> {
  const known = knownModels[offeredModel];
  const size = known === undefined ? 'its files' : formatBytes(downloadBytes(known));
  const answer = await asker.one<'words' | 'meaning'>(
    'How is memory searched?',
    [
      { value: 'words', label: 'By its words' },
      { value: 'meaning', label: `Also in other words, by a model on this machine: downloads ${size} once` },
    ],
    'words',
  );
  if (answer === undefined) return undefined;
  return answer === 'words' ? setup : { ...setup, embedding: offeredModel };
}

/** The tokens of one platform, once they work or are wanted all the same; none when it is left out. */
async function askPlatform(
  asker: Prompter,
  platform: GuidedPlatform,
  { environment, check }: KnownSetup,
): Promise<Record<string, string> | undefined> {
  const { title, steps, tokens, link } = guides[platform];
  asker.note(title, steps);
  if (link !== undefined) asker.link(link);
  let given: Record<string, string> = Object.fromEntries(
    tokens.flatMap(({ name }) => (environment[name] === undefined ? [] : [[name, environment[name]]])),
  );
  let ask = tokens.some(({ name, optional }) => optional !== true && given[name] === undefined);
  for (;;) {
    if (ask) {
      const asked = await askTokens(asker, platform);
      if (asked === undefined) return undefined;
      given = asked;
    }
    const findings = await asker.waiting(`Asking ${title}`, () => check.platform(platform, given));
    asker.findings(findings);
    if (!findings.some(({ level }) => level === 'error')) return given;
    const next = await asker.one<Again>(
      `${title} does not work yet.`,
      [
        { value: 'again', label: 'I have done that: ask again' },
        { value: 'other', label: 'Give another token' },
        { value: 'unchanged', label: 'Keep it as it is; "parley doctor" looks at it later' },
        { value: 'skip', label: `Leave ${title} out` },
      ],
      'again',
    );
    if (next === undefined) return undefined;
    if (next === 'skip') return {};
    if (next === 'unchanged') return given;
    ask = next === 'other';
  }
}

async function askTokens(
  asker: Prompter,
  platform: GuidedPlatform,
): Promise<Record<string, string> | undefined> {
  const given: Record<string, string> = {};
  for (const token of guides[platform].tokens) {
    const { name, ask, like } = token;
    const answer = await asker.secret(`${ask} (looks like ${like})`, (text) => wrongToken(token, text));
    if (answer === undefined) return undefined;
    if (answer.trim() !== '') given[name] = answer.trim();
  }
  return given;
}

async function askModel(
  asker: Prompter,
  tokens: Record<string, string>,
  { environment, check }: KnownSetup,
): Promise<Setup | undefined> {
  for (;;) {
    const names = Object.keys(providers) as ProviderChoice[]; // the keys of a constant
    const first = names.find((name) => environment[providers[name].key ?? 'PARLEY_HOME'] !== undefined);
    const provider = await asker.one(
      'Which model answers?',
      names.map((value) => ({ value, label: providers[value].title })),
      first ?? 'openai',
    );
    if (provider === undefined) return undefined;
    const variables = { ...tokens };
    let name: string | undefined;
    if (provider === 'openai-compatible') {
      const url = await asker.text('Its address', environment.OPENAI_BASE_URL ?? 'http://127.0.0.1:11434/v1');
      name = url === undefined ? undefined : await asker.text('The name of the model', 'llama3.3');
      if (url === undefined || name === undefined) return undefined;
      variables.OPENAI_BASE_URL = url;
    }
    const { key } = providers[provider];
    if (key !== undefined) {
      const standing = environment[key];
      const needed = provider !== 'openai-compatible';
      const words = standing === undefined ? 'Its key' : 'Its key (empty: the one that is set)';
      const answer = await asker.secret(words, (text) =>
        text.trim() === '' && needed && standing === undefined ? 'It is needed.' : undefined,
      );
      if (answer === undefined) return undefined;
      const value = answer.trim() === '' ? standing : answer.trim();
      if (value !== undefined) variables[key] = value;
    }
    const setup: Setup = { variables, model: { provider, name } };
    if (provider === 'offline') return setup;
    const findings = await asker.waiting('Asking for its models', () => check.model(setup));
    asker.findings(findings);
    if (!findings.some(({ level }) => level === 'error')) return setup;
    const next = await asker.one<Again>(
      'The model does not work yet.',
      [
        { value: 'again', label: 'Choose again' },
        { value: 'unchanged', label: 'Keep it as it is; "parley doctor" looks at it later' },
      ],
      'again',
    );
    if (next === undefined) return undefined;
    if (next === 'unchanged') return setup;
  }
}
