// `parley service ...`: Parley as a service of the person who calls this: written down, started, looked at, removed.
import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { z } from 'zod';
import type { Environment } from '#app/config/environment.ts';
import { type LoadedConfig, loadConfig } from '#app/config/load.ts';
import { type ServiceUnit, serviceUnit } from '#app/init/service-units.ts';
import { runningAt } from '#app/running/engine-access.ts';
import { advice, paragraph, plain } from '#app/screen/screen.ts';
import { ParleyError } from '#base/errors.ts';
import { ensureFolder, writeWhole } from '#base/files/files.ts';
import { checkedOptions } from './parts/checked-options.ts';
import { declaredAction } from './parts/declared-action.ts';
import type { CommandInput } from './parts/input.ts';

const values = z.object({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,39}$/, 'expected small letters, digits and "-", at most 40')
    .default('parley'),
});

/** The system that the service is for, and the program that it runs; those of this process where nothing else is given. */
interface Where {
  platform?: NodeJS.Platform;
  program?: string | undefined;
}

interface Call {
  input: CommandInput;
  loaded: LoadedConfig;
  unit: ServiceUnit;
}

/** Runs one action; resolves with its exit code. A ParleyError `service` where the manager of services refuses. */
export async function parleyService(
  input: CommandInput,
  { platform = process.platform, program = process.argv[1] }: Where = {},
): Promise<number> {
  const { name } = checkedOptions(values, input.values);
  const [action = ''] = input.rest;
  const loaded = loadConfig(input);
  const { HOME, XDG_CONFIG_HOME, PARLEY_HOME } = input.variables;
  const unit = serviceUnit(
    platform,
    {
      ...{ name, node: process.execPath },
      program: action === 'install' ? lastingProgram(program) : (program ?? ''),
      config: input.configFile === undefined ? undefined : loaded.file,
      ...{ folder: loaded.folder, home: loaded.home },
      variables: PARLEY_HOME === undefined ? {} : { PARLEY_HOME: loaded.home },
      shutdownSeconds: loaded.config.gateway.shutdownSeconds,
    },
    { home: HOME ?? homedir(), configHome: XDG_CONFIG_HOME, userID: process.getuid?.() ?? 0 },
  );
  if (unit === undefined)
    throw new ParleyError('service', `Parley knows no manager of services on ${platform}.`, {
      hint: 'Have yours run "parley start" in this folder; exit code 2 means that the config cannot be used.',
    });
  return declaredAction({ install, status, remove }, action)({ input, loaded, unit });
}

/** The file of the program; refused where it would be gone one day. */
function lastingProgram(file: string | undefined): string {
  const program = file !== undefined && existsSync(file) ? realpathSync(file) : undefined;
  if (program === undefined || /[\\/]_npx[\\/]/.test(program))
    throw new ParleyError(
      'service',
      'A service needs a program that stays, and npx deletes its own one day.',
      {
        hint: 'Install it first: npm install --global parley-gateway, or use a clone.',
      },
    );
  return program;
}

async function install({ input, loaded, unit }: Call): Promise<number> {
  const { json, print, dryRun } = input;
  const missing = onlyHere(loaded, input.variables);
  if (!dryRun) {
    if ((await runningAt('engine', loaded)) !== undefined)
      throw new ParleyError('home_in_use', `A Parley runs with the home folder ${loaded.home} already.`, {
        hint: 'Stop it, then call this again: the service starts its own.',
      });
    ensureFolder(unit.path.replace(/[\\/][^\\/]*$/, ''));
    ensureFolder(loaded.home);
    const mark = unit.encoding === 'utf16le' ? '\ufeff' : '';
    await writeWhole(unit.path, Buffer.from(mark + unit.text, unit.encoding));
    const written = `${unit.path} is written; call this again when what it says is mended.`;
    for (const words of unit.install) call(words, { input, hint: written });
  }
  if (json) {
    const { path, text, install: calls } = unit;
    print(JSON.stringify({ path, text, calls, missing, installed: !dryRun }));
    return 0;
  }
  if (dryRun) {
    print(`${unit.path} would hold:\n`);
    print(unit.text);
    print('Then this would be called:');
    for (const words of unit.install) print(`  ${words.join(' ')}`);
  } else print(`The service is installed and started: ${unit.path}`);
  const set = `These are set here and not in ${loaded.folder}/.env, so the service will not have them: ${missing.join(', ')}.`;
  for (const words of [
    ...(missing.length === 0 ? [] : [set]),
    ...(dryRun || unit.hint === undefined ? [] : [unit.hint]),
    ...(dryRun ? [] : ['"parley service status" shows how it is.']),
  ])
    for (const line of advice(words)) print(line);
  return 0;
}

/** Names of tokens, keys and addresses that only the variables of this call have. */
function onlyHere({ environment, folder }: LoadedConfig, variables: NodeJS.ProcessEnv): string[] {
  const inFile = loadConfig({ folder, variables: {} }).environment;
  const names = Object.keys(environment) as (keyof Environment)[]; // its own keys
  return names.filter(
    (name) =>
      name !== 'PARLEY_HOME' && variables[name]?.trim() === environment[name] && inFile[name] === undefined,
  );
}

async function status({ input, unit }: Call): Promise<number> {
  const installed = existsSync(unit.path);
  const { code, said } = installed ? called(unit.status, input) : { code: 1, said: '' };
  const running = code === 0;
  if (input.json) input.print(JSON.stringify({ installed, running, path: unit.path, said }));
  else if (!installed)
    for (const line of advice('There is no service of this name. "parley service install" makes one.'))
      input.print(line);
  else {
    input.print(`The service ${running ? 'runs' : 'does not run'}: ${unit.path}`);
    for (const line of paragraph(plain(said))) input.print(line);
  }
  return running ? 0 : 1;
}

async function remove({ input, unit }: Call): Promise<number> {
  const { json, print, dryRun } = input;
  if (!existsSync(unit.path))
    throw new ParleyError('not_found', `There is no service of this name: ${unit.path} is missing.`);
  if (!dryRun) {
    const kept = `${unit.path} is still there: call this again when what it says is mended, or delete that file yourself where no service runs.`;
    for (const words of unit.remove) call(words, { input, hint: kept });
    await rm(unit.path);
  }
  if (json) print(JSON.stringify({ path: unit.path, calls: unit.remove, removed: !dryRun }));
  else if (!dryRun) print('The service is stopped and removed. What it stored is still there.');
  else
    for (const line of [
      'This would be called:',
      ...unit.remove.map((words) => `  ${words.join(' ')}`),
      `Then ${unit.path} would be deleted.`,
    ])
      print(line);
  return 0;
}

function called([command = '', ...words]: readonly string[], { variables }: CommandInput) {
  const done = spawnSync(command, words, { env: variables, encoding: 'utf8' });
  if (done.error !== undefined)
    throw new ParleyError('service', `${command} cannot be called: ${done.error.message}.`, {
      hint: 'It manages the services of this system; without it, have yours run "parley start" in this folder.',
    });
  return { code: done.status ?? 1, said: `${done.stdout}${done.stderr}`.trim() };
}

/** Calls the manager; a refusal is a ParleyError with its words, and with what became of the file as the hint. */
function call(words: readonly string[], { input, hint }: { input: CommandInput; hint: string }): void {
  const { code, said } = called(words, input);
  if (code === 0) return;
  throw new ParleyError('service', `"${words.join(' ')}" failed: ${said || `exit code ${code}`}.`, {
    hint,
  });
}
