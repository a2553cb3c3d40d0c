// Sentences for people are in the catalogue: none is left in the code of the gateway that speaks to them.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const gateway = join(import.meta.dirname, '..', '..', '..', '..', 'src', 'adapters', 'gateway');
const folders = readdirSync(gateway, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !['ledger', 'phrases'].includes(entry.name))
  .map(({ name }) => name);

/** Errors for the operator, over HTTP or on the command line, and what only a model or a log reads. */
const forOthers = new Set([
  'admission/access-admin.ts',
  'terms/access-types.ts',
  'terms/command-reply.ts',
  'admission/pairing-codes.ts',
  'admission/links.ts',
  'admission/tokens.ts',
  'delivery/delivery-admin.ts',
  'leading/led-channel.ts',
]);

/** Three words or more that end as a sentence does. */
const sentence = /['"`][^'"`]*\p{L}+ [^'"`]*\p{L}+ [^'"`]*\p{L}[.!?]['"`]/u;

test('no sentence for people is written outside of the catalogue', () => {
  const found = folders.flatMap((folder) =>
    readdirSync(join(gateway, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => `${folder}/${file}`)
      .filter((file) => file.endsWith('.ts') && !forOthers.has(file))
      .flatMap((file) =>
        readFileSync(join(gateway, file), 'utf8')
          .split('\n')
          .filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line))
          .map((line) => line.replace(/\s\/\/ .*$/, ''))
          .filter((line) => sentence.test(line) && !/Error\(|SELECT|UPDATE|DELETE|log\./.test(line))
          .map((line) => `${file}: ${line.trim()}`),
      ),
  );
  assert.deepEqual(found, []);
});
