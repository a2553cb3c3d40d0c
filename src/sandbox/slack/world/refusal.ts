// A call that Slack answers with `ok: false`: its error word and what goes with it. Not an HTTP error.

export class Refusal extends Error {
  readonly word: string;
  readonly messages: readonly string[];
  readonly scopes: { needed: string; provided: string } | undefined;

  constructor(options: {
    word: string;
    messages?: readonly string[] | undefined;
    scopes?: { needed: string; provided: string } | undefined;
  }) {
    super(options.word);
    this.name = 'Refusal';
    this.word = options.word;
    this.messages = options.messages ?? [];
    this.scopes = options.scopes;
  }
}

/** An `ok: false` answer with Slack's error word and, for malformed arguments, its messages. */
export function refuse(word: string, messages: readonly string[] = []): Refusal {
  return new Refusal({ word, messages });
}
