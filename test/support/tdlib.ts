// Telegram's own library (TDLib), offline, as the judge of entities. Only its static, synchronous functions: no client is made.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { z } from 'zod';

const judge = join(import.meta.dirname, '..', 'judge');
const library = join(judge, 'node_modules', '@prebuilt-tdlib', 'linux-x64-glibc', 'libtdjson.so');

/** Why the library cannot be asked, for a test's `skip`; false when it can. */
export const noTdlib: string | false = existsSync(library)
  ? false
  : 'TDLib is not installed here: run `npm run judge:install` (Linux on x64, glibc)';

const verdict = z.union([
  z.object({
    _: z.literal('formattedText'),
    text: z.string(),
    entities: z.array(
      z.looseObject({
        _: z.string(),
        offset: z.int(),
        length: z.int(),
        type: z.object({ _: z.string(), url: z.string().optional(), language: z.string().optional() }),
      }),
    ),
  }),
  z.object({ _: z.literal('error'), message: z.string() }),
]);

export type Verdict = z.infer<typeof verdict>;
export type NativeEntity = Extract<Verdict, { _: 'formattedText' }>['entities'][number];

type Tdl = {
  configure(options: { tdjson: string; verbosityLevel: number }): void;
  execute(request: object): unknown;
};

/** The library can be set up once in a process, and tests of several files may share one. */
let opened: Tdl | undefined;

/** Loads the library; the function asks it. Call it only where `noTdlib` is false. */
export function openTdlib(): (request: object) => Verdict {
  const tdl = opened ?? load();
  opened = tdl;
  return (request) => verdict.parse(tdl.execute(request));
}

function load(): Tdl {
  const require = createRequire(join(judge, 'package.json'));
  const tdl = require('tdl') as Tdl; // the package's own types are outside this project
  tdl.configure({ tdjson: library, verbosityLevel: 0 });
  return tdl;
}
