// Storage code that says which statements it needs and leaves to its caller how they run: at once, or awaited one by one. Does no I/O itself.

/** A statement that has to run before the work can go on. */
export interface SqlRequest {
  /** Names the text: the same text always has the same name. */
  name: string;
  text: string;
  values: readonly unknown[];
}

/** What a statement gave. */
export interface SqlAnswer {
  rows: readonly Record<string, unknown>[];
  /** Rows that it wrote or removed. */
  changes: number;
}

/**
 * A piece of storage code, written as a generator: it hands out each statement that has to be waited for and is resumed with the answer. On
 * an engine in this process nothing is waited for, and the work has its result in one step.
 */
// biome-ignore lint/suspicious/noExplicitAny: `yield*` demands that the type of what is passed in is the same everywhere; the drivers alone pass anything
export type Work<T> = Iterable<SqlRequest, T, any>;

/** A result that is there already: work that asks for nothing. */
export class Answered<T> implements IterableIterator<SqlRequest, T> {
  readonly done = true;
  readonly value: T;

  constructor(value: T) {
    this.value = value;
  }

  [Symbol.iterator](): this {
    return this;
  }

  next(): this {
    return this;
  }
}

/** The result of work on an engine in this process. Throws as the work does, and where it would have to wait. */
export function finish<T>(work: Work<T>): T {
  const step = work[Symbol.iterator]().next();
  if (step.done === true) return step.value;
  throw new Error(`Expected a database in this process, but one has to be waited for: ${step.value.text}`);
}

/** Runs the work: each of its statements is asked for with `ask`, one after the other. Rejects as the work does. */
export async function runWork<T>(
  work: Work<T>,
  ask: (request: SqlRequest) => Promise<SqlAnswer>,
): Promise<T> {
  const steps = work[Symbol.iterator]();
  let step = steps.next();
  while (step.done !== true) {
    let answer: SqlAnswer;
    try {
      answer = await ask(step.value);
    } catch (error) {
      if (steps.throw === undefined) throw error;
      step = steps.throw(error);
      continue;
    }
    step = steps.next(answer);
  }
  return step.value;
}

/** The same parts with functions that give their result at once. */
export type Synchronous<Parts> = {
  [Key in keyof Parts]: Parts[Key] extends (...values: infer Values) => Work<infer Result>
    ? (...values: Values) => Result
    : Parts[Key] extends (...values: never[]) => unknown
      ? Parts[Key]
      : Parts[Key] extends object
        ? Synchronous<Parts[Key]>
        : Parts[Key];
};

/** The parts of an engine in this process, for callers that are not written as work. Every function of `parts` has to give work. */
export function synchronous<Parts extends object>(parts: Parts): Synchronous<Parts> {
  return mapped(
    parts,
    (work) =>
      (...values: unknown[]) =>
        finish(work(...values) as Work<unknown>),
  ) as Synchronous<Parts>; // the shape is kept, function by function
}

/** The same parts with functions that give work: what only one engine has, used by code that runs on both. */
export type Working<Parts> = {
  [Key in keyof Parts]: Parts[Key] extends (...values: infer Values) => infer Result
    ? (...values: Values) => Work<Result>
    : Parts[Key];
};

/** Makes work of functions that give their result at once. */
export function working<Parts extends object>(parts: Parts): Working<Parts> {
  return mapped(
    parts,
    (run) =>
      (...values: unknown[]) =>
        new Answered(run(...values)),
  ) as Working<Parts>; // as above
}

type AnyFunction = (...values: unknown[]) => unknown;

function mapped(parts: object, change: (run: AnyFunction) => AnyFunction): object {
  return Object.fromEntries(
    Object.entries(parts).map(([name, part]) => {
      if (typeof part === 'function') return [name, change(part as AnyFunction)];
      return [name, typeof part === 'object' && part !== null ? mapped(part, change) : part];
    }),
  );
}
