// Answers of models that are kept for a while, so that the same question in the same circumstances is not paid for twice. Shapes only.
import type { Audience, Scope } from './scope.ts';

/** An answer with all that decides who may be given it. */
export interface CachedResponse {
  /** Hash of all that decided the answer; made by the engine. */
  key: string;
  /** Where it was asked: it is given nowhere else. */
  audience: Audience;
  sessionID: string;
  model: string;
  text: string;
  /** The oldest go when there are more of all audiences. */
  most: number;
}

export interface ResponseQuery {
  key: string;
  scope: Scope;
  /** Given to every session but this one: who asks again in the same place wants another answer. */
  sessionID: string;
  /** Stored since this time, in milliseconds since the epoch. */
  since: number;
}

/** Which cached answers go: those of a session, or stored before a time; all of them without either. */
export interface ResponseSelection {
  sessionID?: string | undefined;
  before?: number | undefined;
}
