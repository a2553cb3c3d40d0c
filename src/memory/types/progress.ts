// How far a long piece of work is. A shape only.

/** How far long work has come. */
export interface Progress {
  done: number;
  total: number;
}
