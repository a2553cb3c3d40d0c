// A statement that SQLite compiles when it is first used.
import type Database from 'better-sqlite3';

type Statement = Database.Statement<unknown[], unknown>;

/**
 * Stands for the statement that `compile` makes, and behaves like it in every respect, except that its first use makes it. A program has
 * some hundreds of them, and most starts use few: the command line a dozen. An error in
 * a statement is thrown where it is used. How rows are given (`pluck`, `raw`, `expand`, `safeIntegers`) may be set before.
 */
export function lazyStatement(source: string, compile: () => Statement): Statement {
  return new LazyStatement(source, compile);
}

class LazyStatement implements Statement {
  readonly source: string;
  #compile: () => Statement;
  #compiled: Statement | undefined;

  constructor(source: string, compile: () => Statement) {
    this.source = source;
    this.#compile = compile;
  }

  #statement(): Statement {
    // What throws is tried again the next time, as a file that is locked now may be free by then.
    this.#compiled ??= this.#compile();
    return this.#compiled;
  }

  run(...values: unknown[]): Database.RunResult {
    return this.#statement().run(...values);
  }
  get(...values: unknown[]): unknown {
    return this.#statement().get(...values);
  }
  all(...values: unknown[]): unknown[] {
    return this.#statement().all(...values);
  }
  iterate(...values: unknown[]): IterableIterator<unknown> {
    return this.#statement().iterate(...values);
  }
  columns(): Database.ColumnDefinition[] {
    return this.#statement().columns();
  }
  get database(): Database.Database {
    return this.#statement().database;
  }
  get reader(): boolean {
    return this.#statement().reader;
  }
  get readonly(): boolean {
    return this.#statement().readonly;
  }
  get busy(): boolean {
    return this.#compiled?.busy ?? false;
  }

  pluck(on = true): this {
    return this.#told((statement) => statement.pluck(on));
  }
  raw(on = true): this {
    return this.#told((statement) => statement.raw(on));
  }
  expand(on = true): this {
    return this.#told((statement) => statement.expand(on));
  }
  safeIntegers(on = true): this {
    return this.#told((statement) => statement.safeIntegers(on));
  }
  bind(...values: unknown[]): this {
    return this.#told((statement) => statement.bind(...values));
  }

  #told(notify: (statement: Statement) => void): this {
    if (this.#compiled !== undefined) notify(this.#compiled);
    else {
      const compile = this.#compile;
      this.#compile = () => {
        const statement = compile();
        notify(statement);
        return statement;
      };
    }
    return this;
  }
}
