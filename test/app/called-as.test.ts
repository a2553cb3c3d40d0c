// Commands and files that are shown, called and opened as they are shown: the program called by its path, by npm, by npx, by the PATH.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { asCalled, asCalledInChat, programCalled } from '#base/called-as.ts';
import { tempFolder } from '../support/temp-folder.ts';

const root = join(import.meta.dirname, '../..');
const path = [dirname(process.execPath), process.env.PATH].join(delimiter);

/** The program as a package, without what it needs to run but for its own words: it is called from there as from anywhere. */
function packageIn(folder: string): string {
  const at = join(folder, 'parley-gateway');
  mkdirSync(at, { recursive: true });
  for (const name of ['bin', 'docs', 'package.json'])
    cpSync(join(root, name), join(at, name), { recursive: true });
  for (const name of ['src', 'node_modules']) symlinkSync(join(root, name), join(at, name));
  return join(at, 'bin', 'parley.js');
}

interface Shell {
  folder: string;
  path?: string;
}

/** What a shell prints for a command line, both streams. */
function typed(line: string, { folder, path: inPath = path }: Shell): string {
  const env = { PATH: inPath, HOME: folder, PARLEY_HOME: join(folder, 'home') };
  const { stdout, stderr } = spawnSync('sh', ['-c', line], { cwd: folder, env, encoding: 'utf8' });
  return `${stdout}${stderr}`;
}

/** Calls what was shown in quotes, in the same shell: it is a command of the program that answers. */
function follow(printed: string, shell: Shell): string {
  const [, shown = ''] = /See "(.+ --help)"/.exec(printed) ?? [];
  // a clone's `npm start` runs the sources where they are newer: here only the TypeScript is
  const called = shown
    .replace(' --help', ' --source --help')
    .replace(/^npx parley-gateway\b/, 'node_modules/.bin/parley');
  assert.match(typed(called, shell), /^Usage: .*hook list/, `${shown}\nin\n${printed}`);
  return shown;
}

const wrong = 'hook list --nope --source';

test('what is printed can be called where it was read, by whichever way the program was called', (t) => {
  const folder = tempFolder(t);
  const inClone = { folder: root };
  assert.equal(
    follow(typed(`node bin/parley.js ${wrong}`, inClone), inClone),
    'node bin/parley.js hook list --help',
  );
  const elsewhere = { folder };
  assert.equal(
    follow(typed(`node ${root}/bin/parley.js ${wrong}`, elsewhere), elsewhere),
    `node ${root}/bin/parley.js hook list --help`,
  );
  const spaced = packageIn(join(folder, 'with spaces'));
  assert.match(
    follow(typed(`node '${spaced}' ${wrong}`, elsewhere), elsewhere),
    /^node "with spaces\/.*" hook/,
  );
  const programs = join(folder, 'programs');
  mkdirSync(programs);
  symlinkSync(packageIn(join(folder, 'global')), join(programs, 'parley'));
  const onPath = { folder, path: [programs, path].join(delimiter) };
  assert.equal(follow(typed(`parley ${wrong}`, onPath), onPath), 'parley hook list --help');
});

test('a package of the folder is called by npx, and one that npx fetched by its name', (t) => {
  const folder = tempFolder(t);
  const installed = packageIn(join(folder, 'node_modules'));
  mkdirSync(join(folder, 'node_modules/.bin'));
  symlinkSync(installed, join(folder, 'node_modules/.bin/parley'));
  // as npx and `npm run` do it, with that folder in the PATH
  const npm = { folder, path: [join(folder, 'node_modules/.bin'), path].join(delimiter) };
  assert.equal(follow(typed(`parley ${wrong}`, npm), npm), 'npx parley-gateway hook list --help');
  const fetched = packageIn(join(folder, '.npm/_npx/0123abcd/node_modules'));
  assert.match(typed(`node '${fetched}' ${wrong}`, { folder }), /See "npx parley-gateway hook list --help"/);
});

test('a start by npm says how the program is called without npm', async (t) => {
  const said = await startedByNpm(t);
  assert.match(said, /^To set up a model and platforms, run: node bin\/parley\.js init$/m);
});

test('the help names a page of the documentation by a path that opens', (t) => {
  const printed = typed(`node ${root}/bin/parley.js mcp --help --source`, { folder: tempFolder(t) });
  const page = /See\s+(\/.*\/docs\/mcp\.md)\.$/m.exec(printed)?.[1] ?? '';
  assert.ok(existsSync(page), printed);
  assert.match(readFileSync(page, 'utf8'), /token create/);
});

test('a chat is shown no path of the machine, and a text without commands stays as it is', (t) => {
  const folder = tempFolder(t);
  const file = packageIn(folder);
  const caller = { file, folder, path: '/nowhere' };
  const words =
    'Run `parley people approve K7` or "parley start". My parley with them, and parley people, are text.';
  assert.equal(
    asCalled(words, caller),
    'Run `node parley-gateway/bin/parley.js people approve K7` or "node parley-gateway/bin/parley.js start". My parley with them, and parley people, are text.',
  );
  assert.equal(asCalledInChat(words, caller), words);
  const clone = { ...caller, file: join(root, 'bin/parley.js'), folder: root };
  assert.match(asCalledInChat(words, clone), /^Run `node bin\/parley\.js people approve K7` or/);
  // a test, or a thread
  assert.equal(programCalled({ file: join(folder, basename(import.meta.filename)), folder }), 'parley');
});

/** The lines that `npm start` of the clone prints until it runs, on a home folder of its own. */
async function startedByNpm(t: TestContext): Promise<string> {
  const folder = tempFolder(t);
  const config = join(folder, 'config.json');
  writeFileSync(
    config,
    JSON.stringify({ home: join(folder, 'home'), engine: { port: 0 }, log: { level: 'silent' } }),
  );
  const env = { PATH: path, HOME: folder };
  const child = spawn('npm', ['start', '--', '--source', '--config', config], {
    cwd: root,
    env,
    detached: true,
  });
  const ended = once(child, 'exit');
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    // npm tells its script of a signal; the group has both
    if (line.startsWith('Ctrl-C') && child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
  }
  await ended;
  return lines.join('\n');
}

test('in a clone --source runs the TypeScript, and with a value it is the option of a command', (t) => {
  const folder = tempFolder(t);
  mkdirSync(join(folder, 'home'));
  const config = join(folder, 'parley.config.json');
  writeFileSync(config, JSON.stringify({ channels: {} }));
  for (const [before, after] of [
    ['--source ', ''],
    ['', ' --source'],
    ['', ' --source --json'],
  ] as const) {
    const line = `node ${root}/bin/parley.js ${before}memory forget --source notes.md --config ${config}${after}`;
    assert.match(typed(line, { folder }), /fits --source notes\.md|"entries":0/, line);
  }
});
