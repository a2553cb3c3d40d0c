// A command that is one action on the engine: its action found, its options checked, the engine opened and closed around it.
import type { ZodType } from 'zod';
import { loadConfig } from '#app/config/load.ts';
import { type EngineAccess, openEngineAccess } from '#app/running/engine-access.ts';
import { asError } from '#app/running/refused.ts';
import { ParleyError } from '#base/errors.ts';
import { counted } from '#base/text.ts';
import { refusalOf } from '#engine/client/client.ts';
import { checkedOptions, wholeNumber } from './checked-options.ts';
import { declaredAction } from './declared-action.ts';
import type { CommandInput } from './input.ts';

/** `--limit`: 1 to 1000. */
export const limitField = wholeNumber({ from: 1, to: 1000 }).default(20);

interface EngineCall<Values> extends EngineAccess {
  values: Values;
  json: boolean;
  print: (line: string) => void;
  /** What follows the action, in order. */
  operands: readonly string[];
}

export type EngineAction<Values> = (call: EngineCall<Values>) => Promise<number>;

interface Actions<Values> {
  schema: ZodType<Values>;
  actions: Readonly<Record<string, EngineAction<Values>>>;
  /** Actions that only read files: they work next to any engine, and check their own options. */
  withoutEngine?: Readonly<Record<string, (input: CommandInput) => Promise<number>>>;
}

/** Runs the action that was called for; resolves with its exit code. A wrong call is a ParleyError `invalid_usage`. */
export async function callEngine<Values>(input: CommandInput, known: Actions<Values>): Promise<number> {
  const { schema, actions, withoutEngine = {} } = known;
  const [name = '', ...operands] = input.rest;
  const single = Object.hasOwn(withoutEngine, name) ? withoutEngine[name] : undefined;
  if (single !== undefined) return single(input);
  const action = declaredAction(actions, name);
  const values = checkedOptions(schema, input.values);
  return withEngine(input, (access) =>
    action({ ...access, values, json: input.json, print: input.print, operands }),
  );
}

/** Opens the engine for `work` and closes it afterwards; a refusal of the engine becomes a ParleyError `engine_refused` with the engine's message. */
export async function withEngine<T>(
  input: CommandInput,
  work: (access: EngineAccess) => Promise<T>,
): Promise<T> {
  const access = await openEngineAccess(loadConfig(input));
  try {
    return await work(access);
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === undefined) throw error;
    throw asError(refusal, 'engine_refused');
  } finally {
    await access.close();
  }
}

/** The id that must follow the action; throws a ParleyError `invalid_usage` when it is missing, with the command that lists them. */
export function oneID({ operands }: { operands: readonly string[] }, what: string, listed: Listed): string {
  const [id = '', ...more] = operands;
  if (id.trim() !== '' && more.length === 0) return id;
  throw wordsExpected(what, listed, operands);
}

/** Commands that list what ids and names mean. */
type Listed = 'sessions' | 'runs' | 'schedules' | 'hook';

/** A ParleyError `invalid_usage` that says what was expected and what came, with the command that lists it. */
export function wordsExpected(what: string, listed: Listed, [only, ...more]: readonly string[]): ParleyError {
  const isEmpty = only !== undefined && only.trim() === '' && more.length === 0;
  const got = isEmpty ? JSON.stringify(only) : counted(only === undefined ? 0 : more.length + 1, 'word');
  return new ParleyError('invalid_usage', `Expected ${what}, got ${got}.`, {
    hint: `"parley ${listed} list" shows what there is.`,
  });
}

/** Collects up to `limit` entries from pages of at most 100. */
export async function upTo<T>(
  limit: number,
  page: (query: { page: number; page_size: number }) => Promise<T[]>,
): Promise<T[]> {
  const all: T[] = [];
  for (let at = 1; all.length < limit; at += 1) {
    const found = await page({ page: at, page_size: 100 });
    all.push(...found);
    if (found.length < 100) break;
  }
  return all.slice(0, limit);
}
