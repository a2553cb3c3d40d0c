// `npm run test:package`: packs Parley, installs it into an empty folder as a user would, and uses it: the command, the page, the client.
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { parseJson } from '#base/json.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { clientInBrowser } from './client-in-browser.ts';

const root = join(import.meta.dirname, '..', '..');
const scratch = scratchFolder();
const folder = join(scratch, 'empty');
mkdirSync(folder);
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** No step takes so long, in milliseconds, except for one that waits for ever. */
const timeoutMs = 240_000;
/** Largest package, unpacked, in bytes: nine tenths are the code of the packages that the program uses, and which lines it is made of. */
const maxBytes = 14_000_000;
const packed = z.array(
  z.looseObject({
    filename: z.string(),
    size: z.number(),
    unpackedSize: z.number(),
    files: z.array(z.object({ path: z.string() })),
  }),
);

/** The variables of a user: nothing of the run that called this, and nothing that configures Parley. */
const variables = (path: string): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(npm_|INIT_CWD|PARLEY_|NODE_OPTIONS|.*_(TOKEN|API_KEY)$)/.test(name),
    ),
  ),
  PATH: path,
});
const path24 = [dirname(process.execPath), process.env.PATH].join(delimiter);

function pack(): string {
  const out = execFileSync('npm', ['pack', '--json', '--pack-destination', scratch], {
    cwd: root,
    encoding: 'utf8',
  });
  // npm prints what `prepack` prints before it
  const [made] = parseJson(out.slice(out.search(/^\[/m)), packed, 'what npm pack says');
  assert.ok(made !== undefined);
  const strays = made.files
    .map(({ path }) => path)
    .filter(
      (path) => /^(src|test|bench|build)\//.test(path) || (/\.ts$/.test(path) && !/\.d\.ts$/.test(path)),
    );
  assert.deepEqual(strays, [], 'the package holds sources or tests');
  for (const needed of [
    'LICENSE',
    'README.md',
    'CHANGELOG.md',
    'bin/parley.js',
    'dist/licences.txt',
    'parley.config.schema.json',
  ])
    assert.ok(
      made.files.some(({ path }) => path === needed),
      `the package lacks ${needed}`,
    );
  const links = [...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)];
  assert.deepEqual(
    links.flatMap(([, link]) => (made.files.some(({ path }) => path === link) ? [] : [link])),
    [],
    'the README links to files that the package lacks',
  );
  assert.ok(made.unpackedSize < maxBytes, `the package has ${made.unpackedSize} bytes`);
  say(`packed: ${made.files.length} files, ${made.size} bytes, ${made.unpackedSize} unpacked`);
  return join(scratch, made.filename);
}

/** A program under this folder's packages; resolves with what it wrote. */
function run(
  command: string,
  args: readonly string[],
  path = path24,
): { code: number | null; out: string; err: string } {
  const how = { cwd: folder, env: variables(path), encoding: 'utf8', timeout: timeoutMs } as const;
  const { status, stdout, stderr } = spawnSync(command, [...args], how);
  return { code: status, out: stdout, err: stderr };
}

/** Another Node of this machine that is too old for the program, in which the client still runs. */
function olderNode(): string | undefined {
  for (const each of (process.env.PATH ?? '').split(delimiter)) {
    const file = join(each, 'node');
    if (!existsSync(file)) continue;
    const major = Number(
      /^v(\d+)/.exec(spawnSync(file, ['--version'], { encoding: 'utf8' }).stdout)?.[1] ?? 99,
    );
    if (major >= 20 && major < 24) return file;
  }
  return undefined;
}

/** Starts the sandbox with `npx`, hands its link and address to `use`, and stops it. */
async function whileItRuns(use: (at: { link: string; url: string }) => Promise<void>): Promise<void> {
  writeFileSync(join(folder, 'parley.config.json'), JSON.stringify({ engine: { port: 0 } }));
  const child = spawn('npx', ['--no', 'parley-gateway'], {
    cwd: folder,
    env: variables(path24),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const ended = once(child, 'exit');
  const said: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => said.push(String(chunk)));
  try {
    let link = '';
    const connected = new Set<string>();
    for await (const line of createInterface({ input: child.stdout })) {
      said.push(line);
      link ||= /http:\/\/127\.0\.0\.1:\d+\/\?key=\S+/.exec(line)?.[0] ?? '';
      const [, platform] = /^ {2}(\w+) +connected$/.exec(line) ?? [];
      if (platform !== undefined) connected.add(platform);
      if (connected.size === 3 && link !== '') break;
    }
    assert.equal(connected.size, 3, `it did not start:\n${said.join('\n')}`);
    assert.ok(
      said.some((line) => line.includes('run: npx parley-gateway init')),
      said.join('\n'),
    );
    const shown = run('npx', ['--no', 'parley-gateway', 'init', '--help']);
    assert.match(shown.out, /^Usage: npx parley-gateway init /, 'it is called as it says');
    await use({ link, url: new URL(link).origin });
  } finally {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    await ended;
  }
}

/** What \`parley mcp\` answers to a client that introduces itself. */
function speakMcp(): string {
  const made = run('npx', ['--no', 'parley-gateway', 'token', 'create', '--agent', 'coder', '--json']);
  assert.equal(made.code, 0, made.err);
  const { secret } = parseJson(made.out, z.looseObject({ secret: z.string() }), 'a token');
  const hello = {
    ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  };
  const env = { ...variables(path24), PARLEY_MCP_TOKEN: secret };
  const input = `${JSON.stringify(hello)}\n`;
  const how = { cwd: folder, env, encoding: 'utf8', timeout: timeoutMs, input } as const;
  const { stdout, stderr } = spawnSync('npx', ['--no', 'parley-gateway', 'mcp'], how);
  return `${stdout}${stderr}`;
}

const clientScript = `
import { createClient, ParleyClientError } from 'parley-gateway/client';
const client = createClient({ baseUrl: process.argv[2], token: process.argv[3] });
const { id } = await client.sessions.create();
const { runID } = await client.sessions.promptAsync(id, 'The key is under the blue pot.');
let text = '';
for await (const event of client.events({ runID })) {
  if (event.type === 'message.part.updated') text += event.properties.delta ?? '';
  if (event.type === 'session.run.finished') break;
}
await client.doctor.examine({ quick: true });
for (let report; (report = await client.doctor.report()).state !== "done"; await new Promise((resolve) => setTimeout(resolve, 20)))
  if (report.state === "failed") throw new Error(report.error);
await client.runs.get('run_none').catch((error) => { if (!(error instanceof ParleyClientError)) throw error; });
console.log(JSON.stringify({ id, text }));
process.exit(0);
`;

const tarball = pack();
const installed = run('npm', [
  'install',
  tarball,
  '--no-audit',
  '--no-fund',
  '--prefer-offline',
  '--loglevel=error',
]);
assert.equal(installed.code, 0, installed.err);
say('installed into an empty folder');

const version = run('npx', ['--no', 'parley-gateway', 'version']);
assert.match(version.out, /^\d+\.\d+\.\d+/);
const init = run('npx', ['--no', 'parley-gateway', 'init', '--yes', '--provider', 'offline']);
assert.equal(init.code, 0, init.err);
assert.ok(existsSync(join(folder, 'parley.config.json')));

writeFileSync(
  join(folder, 'faulty.mjs'),
  `import { main } from './node_modules/parley-gateway/dist/main.js';
await main(['version'], {}, { out() { throw new Error('the teapot is empty'); }, err() {} });`,
);
assert.match(
  run(process.execPath, ['faulty.mjs']).err,
  /the teapot is empty\n.*\n +at printVersion \(.*\/src\/app\/commands\/version\.ts:\d+\)/,
);
say('an error names the line of the sources');

const old = olderNode();
await whileItRuns(async ({ link, url }) => {
  // the link leaves a cookie, and leads to the page
  const { headers } = await fetch(link, { redirect: 'manual' });
  const page = await fetch(url, { headers: { cookie: headers.get('set-cookie')?.split(';')[0] ?? '' } });
  assert.equal(page.status, 200);
  assert.match(await page.text(), /<html/);
  const token = readFileSync(join(folder, '.parley', 'token'), 'utf8').trim();
  writeFileSync(join(folder, 'client.mjs'), clientScript);
  for (const node of [process.execPath, ...(old === undefined ? [] : [old])]) {
    const { code, out, err } = run(node, ['client.mjs', url, token]);
    assert.equal(code, 0, err);
    assert.match(parseJson(out, z.object({ text: z.string() }), 'what the client prints').text, /\w/);
    say(`the client talks to it under ${run(node, ['--version']).out.trim()}`);
  }
  const mcp = speakMcp();
  assert.match(mcp, /"serverInfo":\{"name":"parley/, mcp);
  say('the doctor answers from its thread, and parley mcp over standard input and output');
});
say('the sandbox starts, shows its page and stops');

if (old === undefined) say('SKIPPED: there is no Node between 20 and 24 on this machine to be refused');
else {
  const refused = run(old, [join(folder, 'node_modules', 'parley-gateway', 'bin', 'parley.js')]);
  assert.equal(refused.code, 1);
  assert.match(
    refused.err,
    /^Parley needs Node 24 or newer, this is \d+\.\d+\.\d+\.\nGet it from https:\/\/nodejs\.org/,
  );
  assert.doesNotMatch(refused.err, /^\s+at /m);
  say('an older Node is told which one is needed');
}

writeFileSync(
  join(folder, 'typed.ts'),
  `import { createClient, type ParleyClient } from 'parley-gateway/client';
const client: ParleyClient = createClient({ baseUrl: 'http://127.0.0.1:1', token: '' });
export const made: Promise<{ id: string }> = client.sessions.create();
// @ts-expect-error: a session has no such call
client.sessions.dance();
`,
);
const compiler = join(root, 'node_modules', '.bin', 'tsc');
const flags = [
  '--noEmit',
  '--strict',
  '--module',
  'nodenext',
  '--lib',
  'esnext,dom',
  '--types',
  '',
  'typed.ts',
];
const typed = run(compiler, [...flags, '--ignoreConfig']);
assert.equal(typed.code, 0, typed.out);
say('the client has its types');

say(await clientInBrowser(folder));
say('ok');
