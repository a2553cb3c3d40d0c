// Loaded into Parley's own process by `node --import`, and by that into each of its threads: counts what the program asks of SQLite, the
// disk, its event loop and its threads, and answers with the counts over the IPC channel. Changes nothing.
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { getEnvironmentData, isMainThread, setEnvironmentData, Worker } from 'node:worker_threads';

const require = createRequire(process.argv[1] ?? import.meta.url);
const fs = require('node:fs');
const timers = require('node:timers');

const slots = ['fdatasync', 'files', 'folders', 'thread statements'];
const key = 'counts of the cost tests';
const shared = isMainThread ? new SharedArrayBuffer(slots.length * 4) : getEnvironmentData(key);
if (isMainThread) setEnvironmentData(key, shared);
const inAll = new Int32Array(shared);
const countInAll = (slot) => void Atomics.add(inAll, slots.indexOf(slot), 1);

/** Of the main thread: how often each statement was run, by the file of its database, and what else was asked. */
const statements = new Map();
const counts = {};
const count = (name) => {
  counts[name] = (counts[name] ?? 0) + 1;
};

function wrap(object, name, before) {
  const original = object[name];
  if (typeof original !== 'function') return;
  const wrapped = function (...values) {
    before(this, values);
    return original.apply(this, values);
  };
  // what is said of a function on it (such as `promisify.custom`) is said of the wrapped one
  for (const own of Reflect.ownKeys(original)) if (typeof own === 'symbol') wrapped[own] = original[own];
  object[name] = wrapped;
}

const waits = ['fsync', 'fdatasync'];
const looks = ['stat', 'lstat', 'access', 'exists', 'realpath'];
const lists = ['readdir', 'opendir'];
const others = [
  'open',
  'readFile',
  'writeFile',
  'appendFile',
  'mkdir',
  'rename',
  'unlink',
  'rm',
  'rmdir',
  'copyFile',
  'link',
];
others.push('symlink', 'truncate', 'ftruncate', 'chmod', 'fchmod', 'utimes');
const kinds = new Map([
  ...waits.map((name) => [name, 'fdatasync']),
  ...lists.map((name) => [name, 'folders']),
  ...[...looks, ...others].map((name) => [name, 'files']),
]);
for (const [name, kind] of kinds)
  for (const [object, spelled] of [
    [fs, name],
    [fs, `${name}Sync`],
    [fs.promises, name],
  ])
    wrap(object, spelled, () => {
      countInAll(kind);
      if (!isMainThread) return;
      if (kind !== 'fdatasync') count(`${kind} on the main thread`);
      if (looks.includes(name)) count('stat on the main thread');
    });

if (isMainThread) {
  for (const name of ['setImmediate', 'setTimeout', 'setInterval']) {
    wrap(timers, name, () => count(name === 'setImmediate' ? 'immediates' : 'timers'));
    globalThis[name] = timers[name];
  }
  wrap(Worker.prototype, 'postMessage', () => count('messages to threads'));
}
syncBuiltinESMExports();

const Database = require('better-sqlite3');
const memory = new Database(':memory:');
const prototype = Object.getPrototypeOf(memory.prepare('SELECT 1'));
memory.close();
for (const name of ['run', 'get', 'all', 'iterate'])
  wrap(prototype, name, (statement) => {
    if (!isMainThread) return countInAll('thread statements');
    const { database, source, readonly } = statement;
    const file = database.name.split('/').at(-1);
    const line = `${file} ${source.replace(/\s+/g, ' ').trim()}`;
    statements.set(line, (statements.get(line) ?? 0) + 1);
    if (source === 'COMMIT' || (!readonly && !database.inTransaction && !source.startsWith('BEGIN')))
      count(`commits of ${file}`);
  });
for (const name of ['exec', 'pragma'])
  wrap(Database.prototype, name, (database, [source]) => {
    const file = database.name.split('/').at(-1);
    const line = `${file} ${name} ${String(source).replace(/\s+/g, ' ').trim()}`;
    if (isMainThread) statements.set(line, (statements.get(line) ?? 0) + 1);
    else countInAll('thread statements');
  });

if (isMainThread && process.send !== undefined) {
  process.on('message', (asked) => {
    if (asked !== 'count') return;
    const threads = Object.fromEntries(slots.map((slot, index) => [slot, Atomics.load(inAll, index)]));
    process.send({
      statements: [...statements],
      counts: { ...counts, ...threads },
    });
  });
  process.once('disconnect', () => process.exit(1));
  process.channel?.unref();
}
