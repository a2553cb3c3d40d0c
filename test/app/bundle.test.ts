// What `npm start` runs: a bundle that a clone builds. Starts programs from a copy of this clone, whose sources may change.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  existsSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { createClient } from '#engine/client/client.ts';
import type { SandboxState } from '#sandbox/control-state.ts';
import { found } from '../support/found.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { call, overStdio } from './mcp-kit.ts';

const root = join(import.meta.dirname, '..', '..');
const clone = scratchFolder();
for (const name of ['bin', 'build', 'src', 'package.json', 'tsconfig.json'])
  cpSync(join(root, name), join(clone, name), { recursive: true });
symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'));
const program = join(clone, 'bin', 'parley.js');
const dist = join(clone, 'dist');
const helpModule = join(clone, 'src', 'app', 'commands', 'version.ts');

/** Writes at the end how many modules were loaded in the main thread, without Node's. */
const counting = `data:text/javascript,${encodeURIComponent(`
import { registerHooks } from 'node:module';
let modules = 0;
registerHooks({ load(url, context, next) { if (!url.startsWith('node:')) modules += 1; return next(url, context); } });
process.on('exit', () => process.stderr.write(modules + ' modules'));
`)}`;
/** How many modules each command may load: a tenth more than when this was written. */
const maxModules = { version: 16, check: 42, status: 88, start: 151 };

/** A folder with a config, in which the program is called. */
function place(t: TestContext) {
  const folder = tempFolder(t);
  writeFileSync(join(folder, 'parley.config.json'), JSON.stringify({ engine: { port: 0 } }));
  const options = { cwd: folder, env: { PATH: process.env.PATH ?? '', HOME: folder } };
  return {
    folder,
    home: join(folder, '.parley'),
    run(...words: string[]) {
      const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], {
        ...options,
        encoding: 'utf8',
      });
      return { code: status, out: stdout, err: stderr };
    },
    start: (): ChildProcess =>
      spawn(process.execPath, [program, 'start'], { ...options, stdio: ['ignore', 'pipe', 'pipe'] }),
  };
}

/** Starts the sandbox; resolves with the link of its page once all platforms are connected. */
async function started(t: TestContext, child: ChildProcess): Promise<string> {
  t.after(() => child.kill('SIGKILL'));
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    if (stream !== null) createInterface({ input: stream }).on('line', (line) => lines.push(line));
  await found('three connections', () => {
    if (child.exitCode !== null) throw new Error(lines.join('\n'));
    return lines.filter((line) => / connected$/.test(line)).length === 3 ? true : undefined;
  });
  assert.deepEqual(
    lines.filter((line) => /warning/i.test(line)),
    [],
  );
  return /http:\/\/\S+key=\S+/.exec(lines.join('\n'))?.[0] ?? '';
}

test('a clone builds its bundle at the first start, and pages, chats, threads and MCP run from it', async (t) => {
  const { folder, home, run, start } = place(t);
  rmSync(dist, { recursive: true, force: true });
  const link = await started(t, start());
  assert.ok(existsSync(join(dist, 'main.js')));
  const { origin } = new URL(link);

  const entered = await fetch(link, { redirect: 'manual' });
  const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? '';
  const page = async (path: string): Promise<string> => {
    const answer = await fetch(`${origin}${path}`, { headers: { cookie } });
    assert.equal(answer.status, 200, path);
    return answer.text();
  };
  assert.match(await page('/'), /<html/);
  assert.match(await page('/sandbox/page.js'), /fetch\('\/sandbox\/state'\)/);
  const [script = ''] = /\/console\/files\/console\.[\w-]+\.js/.exec(await page('/console')) ?? [];
  assert.ok((await page(script)).length > 100_000);

  const say = async (platform: string, text: string): Promise<void> => {
    const said = await fetch(`${origin}/sandbox/${platform}/say`, {
      method: 'POST',
      headers: { cookie, origin, 'content-type': 'application/json' },
      body: JSON.stringify({ chat: 'dm', user: 'you', text }),
    });
    assert.equal(said.status, 201, await said.text());
  };
  const answered = (platform: string, words: RegExp): Promise<true> =>
    found(`an answer like ${words} in ${platform}`, async () => {
      const { platforms } = JSON.parse(await page('/sandbox/state')) as SandboxState;
      const chats = platforms.find((one) => one.platform === platform)?.chats ?? [];
      const messages = chats.flatMap((chat) => chat.messages);
      return messages.some(({ author, text }) => author === 'bot' && words.test(text)) || undefined;
    });
  await say('slack', 'The blue pot is on the third shelf.');
  await answered('slack', /./);
  await say('telegram', 'Where is the blue pot?');
  await answered('telegram', /third shelf/);

  const status = run('status');
  assert.match(status.out, /^slack +ready +in \d+ s ago/m, status.err);
  const client = createClient({ baseUrl: origin, token: readFileSync(join(home, 'token'), 'utf8').trim() });
  await client.doctor.examine({ quick: true });
  const report = await found('the end of the doctor', async () => {
    const { state, error } = await client.doctor.report();
    return state === 'running' ? undefined : { state, error };
  });
  assert.deepEqual(report, { state: 'done', error: null });
  const { secret } = JSON.parse(run('token', 'create', '--agent', 'coder', '--json').out);
  const mcp = await overStdio({ folder, home }, secret, program);
  t.after(() => mcp.close());
  assert.deepEqual((await call(mcp, 'get_memory_bundle', { agent_id: 'coder' })).left_out, []);
});

test('a command loads some dozens of modules, and a start no more than 151', async (t) => {
  const { folder, run } = place(t);
  run('version');
  const env = { PATH: process.env.PATH ?? '', HOME: folder, NODE_OPTIONS: `--import=${counting}` };
  const counted: Record<string, number> = {};
  for (const command of Object.keys(maxModules)) {
    const child = spawn(process.execPath, [program, command], { cwd: folder, env });
    let said = '';
    child.stderr.on('data', (piece) => {
      said += piece;
    });
    const closed = once(child, 'close');
    if (command === 'start') {
      await started(t, child);
      child.kill('SIGTERM');
    }
    await closed;
    counted[command] = Number(/(\d+) modules$/.exec(said)?.[1] ?? Number.NaN);
  }
  for (const [command, max] of Object.entries(maxModules)) {
    const count = counted[command] ?? Number.NaN;
    assert.ok(count > 5 && count <= max, `${command} loads ${count} modules, at most ${max} are expected`);
  }
  t.diagnostic(JSON.stringify(counted));
});

test('a changed source is built again, and an error in it names its line', (t) => {
  const { run } = place(t);
  run('version');
  const before = readFileSync(join(dist, 'main.js'), 'utf8');
  const text = readFileSync(helpModule, 'utf8');
  t.after(() => writeFileSync(helpModule, text));
  writeFileSync(
    helpModule,
    text.replace(/(export async function printVersion.*\n)/, "$1  throw new Error('the teapot is empty');\n"),
  );
  const line =
    readFileSync(helpModule, 'utf8')
      .split('\n')
      .findIndex((each) => each.includes('teapot')) + 1;
  const { code, err } = run('version');
  assert.equal(code, 1);
  assert.match(
    err,
    new RegExp(`the teapot is empty\\n +at printVersion \\(.*/src/app/commands/version\\.ts:${line}\\)`),
  );
  assert.notEqual(readFileSync(join(dist, 'main.js'), 'utf8'), before);
});

test('nothing is built while no source has changed, and what a running program may still load is left there', (t) => {
  const { run } = place(t);
  run('version');
  const stamp = readFileSync(join(dist, 'built.json'), 'utf8');
  const { made } = JSON.parse(stamp) as { made: string[] };
  assert.equal(run('version').code, 0);
  assert.equal(readFileSync(join(dist, 'built.json'), 'utf8'), stamp);
  const text = readFileSync(helpModule, 'utf8');
  t.after(() => writeFileSync(helpModule, text));
  appendFileSync(helpModule, "\nprocess.env.PARLEY_SEEN = 'yes';\n");
  run('version');
  const rebuilt = JSON.parse(readFileSync(join(dist, 'built.json'), 'utf8')) as { made: string[] };
  assert.notDeepEqual(rebuilt.made, made);
  assert.deepEqual(
    made.filter((file) => !existsSync(join(dist, file))),
    [],
  );
});

test('--source runs the TypeScript and builds nothing', (t) => {
  const { run } = place(t);
  rmSync(dist, { recursive: true, force: true });
  for (const words of [
    ['--source', 'version'],
    ['version', '--source'],
  ]) {
    const { code, out, err } = run(...words);
    assert.deepEqual([code, err], [0, '']);
    assert.match(out, /^\d+\.\d+\.\d+\n$/);
  }
  assert.ok(!existsSync(dist));
});

test('where nothing can be built the TypeScript is run, and a warning says why', (t) => {
  const { run } = place(t);
  rmSync(dist, { recursive: true, force: true });
  writeFileSync(dist, 'a file where the folder should be');
  t.after(() => rmSync(dist));
  const { code, out, err } = run('version');
  assert.equal(code, 0);
  assert.match(out, /^\d+\.\d+\.\d+\n$/);
  assert.match(
    err,
    /^WARNING: "npm run build" failed, so that Parley runs from its TypeScript[\s\S]*(ENOTDIR|EEXIST)/,
  );
});
