// What Discord answers when it refuses: status, code and words as its API sends them. Not transport failures.

export interface RefusalBody {
  message: string;
  code: number;
  errors?: ErrorTree;
  retry_after?: number;
  global?: boolean;
}

interface FieldError {
  code: string;
  message: string;
}

/** Errors by path: each leaf holds `_errors`. */
type ErrorTree = { [key: string]: ErrorTree } | { _errors: FieldError[] };

/** Thrown by a route; the server turns it into the answer. */
export class Refusal extends Error {
  readonly status: 400 | 401 | 403 | 404 | 405 | 413;
  readonly body: RefusalBody;

  constructor(status: Refusal['status'], body: RefusalBody) {
    super(body.message);
    this.name = 'Refusal';
    this.status = status;
    this.body = body;
  }
}

/** 401, as for a missing, wrong or revoked token. */
export function unauthorized(): Refusal {
  return new Refusal(401, { message: '401: Unauthorized', code: 0 });
}

/** 404 for a route that the API does not have. */
export function noSuchRoute(): Refusal {
  return new Refusal(404, { message: '404: Not Found', code: 0 });
}

/** 404 for a thing that is not there: 10003 channel, 10004 guild, 10007 member, 10008 message, 10013 user, 10014 emoji. */
export function unknownThing(code: number, what: string): Refusal {
  return new Refusal(404, { message: `Unknown ${what}`, code });
}

/** 403 in Discord's words. */
export function forbidden(code: number, message: string): Refusal {
  return new Refusal(403, { message, code });
}

/** 413 for files that are too large. */
export function tooLarge(): Refusal {
  return new Refusal(413, { message: 'Request entity too large', code: 40005 });
}

/** 400 in Discord's words. */
export function badRequest(code: number, message: string): Refusal {
  return new Refusal(400, { message, code });
}

/** 400 `Invalid Form Body` with one field's error at `path` (`content`, `message_reference`). */
export function invalidField(path: string, code: string, message: string): Refusal {
  return new Refusal(400, {
    message: 'Invalid Form Body',
    code: 50035,
    errors: { [path]: { _errors: [{ code, message }] } },
  });
}
