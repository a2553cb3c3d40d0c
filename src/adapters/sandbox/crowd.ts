// Many people at once, each in a direct message of their own with the bot: for load. They are not on the page nor in the contract's chats.
import { ParleyError } from '#base/errors.ts';

/** Something that the bot put into a chat of the crowd. */
export interface CrowdAnswer {
  kind: 'posted' | 'edited';
  person: number;
  id: string;
  /** As the platform was given it: markup and all. */
  text: string;
}

export interface Crowd {
  readonly size: number;
  /** Says something as a person of the crowd (numbered from 0) and delivers it at once; the id of the message. */
  say(person: number, text: string): { id: string };
  /** Calls the listener as soon as the bot has posted or edited in one of these chats; returns the way to stop. */
  onAnswer(listener: (answer: CrowdAnswer) => void): () => void;
}

export interface CrowdListeners {
  tell(answer: CrowdAnswer): void;
  add(listener: (answer: CrowdAnswer) => void): () => void;
}

/** The listeners of one crowd. */
export function createCrowdListeners(): CrowdListeners {
  const listeners = new Set<(answer: CrowdAnswer) => void>();
  return {
    tell(answer) {
      for (const listener of [...listeners]) listener(answer);
    },
    add(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** What a crowd throws for a number that is nobody's. */
export function notInCrowd(person: number, size: number): ParleyError {
  return new ParleyError(
    'unknown_person',
    `Expected a person of the crowd, 0 to ${size - 1}, got ${person}.`,
    { cure: 'Give the sandbox a larger `crowd`.' },
  );
}
