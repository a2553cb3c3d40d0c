// A call that the sandbox turns down, in Telegram's words. Not for the sandbox's own mistakes, which are thrown as they are.

interface RefusalParameters {
  /** Whole seconds, as Telegram counts. */
  retry_after?: number;
  migrate_to_chat_id?: number;
}

/** Becomes `{ok: false, error_code, description, parameters?}` on the wire. */
export class Refusal extends Error {
  readonly errorCode: number;
  readonly parameters: RefusalParameters | undefined;

  constructor(errorCode: number, description: string, parameters?: RefusalParameters) {
    super(description);
    this.name = 'Refusal';
    this.errorCode = errorCode;
    this.parameters = parameters;
  }
}

/** A 400 with Telegram's prefix; the words start in lower case unless they are a code in capitals. */
export function badRequest(words: string, parameters?: RefusalParameters): Refusal {
  return new Refusal(400, `Bad Request: ${words}`, parameters);
}

/** A 403 with Telegram's prefix. */
export function forbidden(words: string): Refusal {
  return new Refusal(403, `Forbidden: ${words}`);
}
