// Many people at once, each in a separate direct message with the bot: for load. They are not on the page nor in the contract's chats.
import { ParleyError } from '#base/errors.ts';

/** Something that the bot put into a chat of the load users. */
export interface LoadUserAnswer {
  kind: 'posted' | 'edited';
  person: number;
  id: string;
  /** As the platform was given it: markup and all. */
  text: string;
}

export interface LoadUsers {
  readonly size: number;
  /** Says something as a person of the load users (numbered from 0) and delivers it at once; the id of the message. */
  say(person: number, text: string): { id: string };
  /** Calls the listener as soon as the bot has posted or edited in one of these chats; returns the way to stop. */
  onAnswer(listener: (answer: LoadUserAnswer) => void): () => void;
}

interface LoadUserListeners {
  notify(answer: LoadUserAnswer): void;
  add(listener: (answer: LoadUserAnswer) => void): () => void;
}

/** The listeners of one load users. */
export function createLoadUserListeners(): LoadUserListeners {
  const listeners = new Set<(answer: LoadUserAnswer) => void>();
  return {
    notify(answer) {
      for (const listener of [...listeners]) listener(answer);
    },
    add(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** What a load users throws for a number that is nobody's. */
export function notALoadUser(person: number, size: number): ParleyError {
  return new ParleyError(
    'unknown_person',
    `Expected a person of the load users, 0 to ${size - 1}, got ${person}.`,
    { hint: 'Give the sandbox a larger `load users`.' },
  );
}
