// What is installed is what was chosen: each package by version and content, and none that runs something of its own then.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { z } from 'zod';
import { parseJson } from '#base/json.ts';

const root = join(import.meta.dirname, '..');
const read = <T>(name: string, shape: z.ZodType<T>): T =>
  parseJson(readFileSync(join(root, name), 'utf8'), shape, name);

const lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      integrity: z.string().optional(),
      resolved: z.string().optional(),
      link: z.boolean().optional(),
      hasInstallScript: z.boolean().optional(),
    }),
  ),
});

test('every package is pinned by its version and its content, and comes from the registry', () => {
  const { packages } = read('package-lock.json', lock);
  const all = Object.entries(packages).filter(([path]) => path !== '');
  assert.ok(all.length > 100);
  const loose = all.filter(
    ([, { version, integrity, resolved, link }]) =>
      link === true ||
      !/^\d+\.\d+\.\d+/.test(version ?? '') ||
      !/^sha512-/.test(integrity ?? '') ||
      !(resolved ?? 'https://registry.npmjs.org/').startsWith('https://registry.npmjs.org/'),
  );
  assert.deepEqual(
    loose.map(([path]) => path),
    [],
  );
});

test('no package runs anything when it is installed, but the one that brings Node', () => {
  const { packages } = read('package-lock.json', lock);
  const running = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript === true);
  assert.deepEqual(
    running.map(([path]) => path),
    ['node_modules/node'],
  );
});

test('npm says nothing of the Node that it runs under: the packages run under the one that the project brings', () => {
  const engines = z.object({ packages: z.record(z.string(), z.object({ engines: z.unknown().optional() })) });
  const { packages } = read('package-lock.json', engines);
  assert.ok(Object.values(packages).some(({ engines }) => JSON.stringify(engines)?.includes('>=22')));
  assert.match(readFileSync(join(root, '.npmrc'), 'utf8'), /^loglevel=error$/m);
});

test('direct dependencies are exact versions, so that no update comes unasked', () => {
  const versions = z.object({
    dependencies: z.record(z.string(), z.string()),
    devDependencies: z.record(z.string(), z.string()),
  });
  const { dependencies, devDependencies } = read('package.json', versions);
  const ranges = Object.entries({ ...dependencies, ...devDependencies }).filter(
    ([, version]) => !/^\d+\.\d+\.\d+$/.test(version),
  );
  assert.deepEqual(ranges, []);
});
