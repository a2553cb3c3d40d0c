#!/usr/bin/env -S node --max-semi-space-size=16
// The way in: under a Node that is too old it goes on with the one that a clone of the project brings, or says so in words, before any
// native module could crash it.
// Room for 16 MB of new objects, here and in `npm start`: what Node takes by itself costs 100 MB of memory under load.
const [major = 0] = process.versions.node.split('.').map(Number);

if (major < 24) process.exit(await underPinnedNode());

// What was compiled (and stripped of types) once is not compiled again: the next start takes three quarters of the time.
const [{ enableCompileCache }, { existsSync }] = await Promise.all([
  import('node:module'),
  import('node:fs'),
]);
enableCompileCache();

const isClone = existsSync(new URL('../src/app/main.ts', import.meta.url));
const words = process.argv.slice(2);
// A clone runs its TypeScript as it is on request; a package has none, as Node strips no types of what is installed. With a value after it, it
// is the option of a command (`memory forget --source FILE`).
const isRequest = (word, at) =>
  word === '--source' && (at === 0 || at === words.length - 1 || words[at + 1].startsWith('-'));
const source = isClone ? words.findIndex(isRequest) : -1;
if (source !== -1) words.splice(source, 1);

// Whoever reads our output may stop before its end (`| head`): then a command has nothing left to do, and a gateway goes on.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error;
  if (![undefined, 'start', 'engine', 'channels'].includes(words[0])) process.exit(0);
});

const { main } = await import(await program());
process.exitCode = await main(words, process.env);
// All is closed and committed: a socket to a platform that does not answer must not keep the process.
setTimeout(() => process.exit(), 500).unref();

/** The module to load. */
async function program() {
  if (!isClone) return '../dist/main.js';
  if (source !== -1) return '../src/app/main.ts';
  return (await import('../build/program-of-clone.js')).programOfClone();
}

/** Runs the same command under the Node of `npm ci`, which takes its signals from here; its exit code. */
async function underPinnedNode() {
  const [{ spawn }, { existsSync }, { fileURLToPath }, { constants }] = await Promise.all([
    import('node:child_process'),
    import('node:fs'),
    import('node:url'),
    import('node:os'),
  ]);
  const file = process.platform === 'win32' ? 'node.exe' : 'node';
  const pinned = fileURLToPath(new URL(`../node_modules/node/bin/${file}`, import.meta.url));
  if (!existsSync(pinned)) {
    const isClone = existsSync(new URL('../src', import.meta.url));
    const cure = isClone
      ? 'Run `npm ci` in its folder first: that brings the Node 24 that the project pins.'
      : 'Get it from https://nodejs.org, or try it with `npx -p node@24 -p parley-gateway parley`.';
    process.stderr.write(`Parley needs Node 24 or newer, this is ${process.versions.node}.\n${cure}\n`);
    return 1;
  }
  const program = fileURLToPath(import.meta.url);
  const own = ['--max-semi-space-size=16', program, ...process.argv.slice(2)];
  const child = spawn(pinned, own, { stdio: 'inherit' });
  // a terminal tells both of Ctrl-C; here it is waited for how the other one ends
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => {
    child.on('error', (error) => {
      process.stderr.write(`${pinned} cannot be run: ${error.message}\n`);
      resolve(1);
    });
    child.on('close', (code, signal) => resolve(code ?? 128 + (constants.signals[signal ?? 'SIGTERM'] ?? 0)));
  });
}
