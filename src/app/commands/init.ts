// `parley init`: asks for platforms and a model, checks each live, and writes config and `.env`. With --yes it asks nobody.

import { resolve } from 'node:path';
import { z } from 'zod';
import type { Finding } from '#adapters/gateway/terms/channel.ts';
import {
  type Environment,
  type EnvironmentName,
  envFileOf,
  readEnvironment,
} from '#app/config/environment.ts';
import { configFileName } from '#app/config/load.ts';
import { networkSchema, proxyOf } from '#app/config/network-schema.ts';
import {
  checkModel,
  checkPlatform,
  memoryOf,
  type Setup,
  type StandingConfig,
  standingConfig,
  writeSetup,
} from '#app/init/setup.ts';
import { askSetup } from '#app/init/wizard.ts';
import { guides, platforms, providers, wrongTokens } from '#app/screen/guide.ts';
import { paragraph, wrapped } from '#app/screen/screen.ts';
import { programCalled } from '#base/called-as.ts';
import { codeOf, errorMessage, ParleyError } from '#base/errors.ts';
import { useProxy } from '#base/network/proxy.ts';
import { checkedOptions } from './parts/checked-options.ts';
import type { CommandInput } from './parts/input.ts';

const values = z.object({
  provider: z.enum(Object.keys(providers) as [keyof typeof providers]).optional(), // the keys of a constant
  model: z.string().min(1).optional(),
  yes: z.boolean().default(false),
  unchecked: z.boolean().default(false),
});

/** Resolves with 0 when all is written, with 1 when a check failed or the person gave up: then nothing is. */
export async function init(input: CommandInput): Promise<number> {
  const checked = checkedOptions(values, input.values);
  const path = resolve(input.folder, input.configFile ?? configFileName);
  const standing = standingConfig(path);
  const environment = readEnvironment(input.variables, envFileOf(path));
  useProxy(proxyOf(networkSchema.parse(standing.config.network ?? {}), environment));
  const { provider, model: name, yes, unchecked } = checked;
  if (yes) {
    const setup: Setup = { variables: setUpOnes(environment), model: { provider, name } };
    const mistyped = wrongTokens(setup.variables).map(({ platform, what }) => ({
      about: platform,
      level: 'error' as const,
      what,
      hint: 'Copy the token once more, whole. With --unchecked it is written as it is.',
    }));
    // a platform that is asked with something else says only that it is wrong
    const findings = unchecked ? [] : mistyped.length > 0 ? mistyped : await checkAll(setup, standing);
    return finish(input, { path, setup, findings });
  }
  if (process.stdin.isTTY !== true || input.json)
    throw new ParleyError(
      'invalid_usage',
      '"parley init" asks its questions in a terminal, and this is none.',
      {
        hint: 'Put the tokens into the environment (see "parley help") and call "parley init --yes".',
      },
    );
  const { intro, outro, cancel } = await import('@clack/prompts');
  const { createTerminalAsker } = await import('#app/init/terminal-asker.ts');
  intro('Parley');
  const setup = await askSetup(createTerminalAsker(), {
    environment,
    hasEmbedding: memoryOf(standing.config).embedding !== undefined,
    check: {
      platform: (platform, variables) => checkPlatform(platform, { variables }, standing),
      model: (made) => checkModel(made, standing),
    },
  });
  if (setup === undefined) {
    cancel('Nothing was written.');
    return 1;
  }
  const written = await writeSetup(setup, path);
  const named = written.length === 0 ? 'Nothing had to be written.' : `Written: ${written.join(', ')}`;
  outro(`${named}\n${startText(setup)}`);
  if (setup.embedding !== undefined) await fetchOffered(input);
  return hasPlatform(setup) ? offerService(input) : 0;
}

/** Asks whether it is to run as a service; resolves with 0, or with 1 where that was wanted and failed. */
async function offerService(input: CommandInput): Promise<number> {
  const { confirm } = await import('@clack/prompts');
  const message = 'Run it as a service of this machine from now on?';
  if ((await confirm({ message, initialValue: false })) !== true) return 0;
  const { parleyService } = await import('./service.ts');
  return parleyService({ ...input, rest: ['install'], values: {} });
}

/** The model that was chosen; one that does not come now is fetched by the next start. */
async function fetchOffered(input: CommandInput): Promise<void> {
  const { download } = await import('./memory/download.ts');
  try {
    await download(input);
  } catch (error) {
    if (codeOf(error) !== 'model_download') throw error;
    for (const line of wrapped(`${errorMessage(error)} The next start tries it again.`)) input.print(line);
  }
}

/** What of the environment belongs into `.env`: tokens and keys, and where a model is. */
function setUpOnes(environment: Environment): Environment {
  const names: EnvironmentName[] = [
    ...platforms.flatMap((platform) => guides[platform].tokens.map(({ name }) => name)),
    'OPENAI_API_KEY',
    'OPENAI_BASE_URL',
    'ANTHROPIC_API_KEY',
    'GOOGLE_GENERATIVE_AI_API_KEY',
  ];
  return Object.fromEntries(
    names.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]])),
  );
}

type LabelledFinding = Finding & { about: string };

async function checkAll(setup: Setup, standing: StandingConfig): Promise<LabelledFinding[]> {
  const wanted = platforms.filter((platform) =>
    guides[platform].tokens.some(({ name }) => setup.variables[name] !== undefined),
  );
  const found = await Promise.all([
    ...wanted.map(async (about) => ({ about, findings: await checkPlatform(about, setup, standing) })),
    checkModel(setup, standing).then((findings) => ({ about: 'model', findings })),
  ]);
  return found.flatMap(({ about, findings }) => findings.map((finding) => ({ about, ...finding })));
}

async function finish(
  { json, print }: CommandInput,
  { path, setup, findings }: { path: string; setup: Setup; findings: readonly LabelledFinding[] },
): Promise<number> {
  const failed = findings.some(({ level }) => level === 'error');
  const written = failed ? [] : await writeSetup(setup, path);
  if (json) {
    print(JSON.stringify({ ok: !failed, written, findings }));
    return failed ? 1 : 0;
  }
  for (const { about, level, what, hint } of findings) {
    if (level === 'ok') continue;
    for (const line of paragraph(`${level} (${about}): ${what}`)) print(line.trimStart());
    for (const line of paragraph(`-> ${hint ?? ''}`)) print(line);
  }
  if (failed) print('Nothing was written. With --unchecked it is, whatever the checks say.');
  else print(written.length === 0 ? 'Nothing had to be written.' : `Written: ${written.join(', ')}`);
  if (!failed) print(startText(setup));
  return failed ? 1 : 0;
}

function hasPlatform({ variables }: Setup): boolean {
  return platforms.some((platform) =>
    guides[platform].tokens.some(({ name }) => variables[name] !== undefined),
  );
}

function startText(setup: Setup): string {
  return hasPlatform(setup)
    ? [
        `"${programCalled()} start" connects it. Then write to the bot in private, which gives you a code:`,
        `"${programCalled()} people approve CODE --name NAME --role owner" makes you its owner.`,
        `"${programCalled()} service install" lets it run as a service of this machine.`,
      ]
        .flatMap((line) => wrapped(line))
        .join('\n')
    : `No platform is set up: "${programCalled()} start" plays in the sandbox.`;
}
