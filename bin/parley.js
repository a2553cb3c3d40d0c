#!/usr/bin/env -S node --max-semi-space-size=16
// The way in: refuses a Node that is too old in words, before any native module could crash it, then hands over.
// Room for 16 MB of new objects, here and in `npm start`: what Node takes by itself costs 100 MB of memory under load.
const [major = 0] = process.versions.node.split('.').map(Number);

if (major < 24) {
  process.stderr.write(
    `Parley needs Node 24 or newer, this is ${process.versions.node}.\n` +
      'Start it with `npm start`: npm runs the Node 24 that the project pins.\n',
  );
  process.exit(1);
}

// What was compiled (and stripped of types) once is not compiled again: the next start takes three quarters of the time.
const { enableCompileCache } = await import('node:module');
enableCompileCache();

// Whoever reads our output may stop before its end (`| head`): then a command has nothing left to do, and a gateway goes on.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error;
  if (![undefined, 'start', 'engine', 'channels'].includes(process.argv[2])) process.exit(0);
});

const { main } = await import('../src/app/main.ts');
process.exitCode = await main(process.argv.slice(2), process.env);
// All is closed and committed: a socket to a platform that does not answer must not keep the process.
setTimeout(() => process.exit(), 500).unref();
