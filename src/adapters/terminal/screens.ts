// Who looks at a terminal now, and what they are shown. A message is delivered once a terminal has confirmed it; live output may be missed.
import { ParleyError } from '#base/errors.ts';
import type { Shown } from './wire.ts';

type Message = Extract<Shown, { type: 'message' }>;

export interface Screens {
  /** Shows live output to everyone who sits there. */
  live(user: string, text: string): void;
  /** Shows a message until a terminal has seen it, also to those who come later; rejects when the signal aborts. */
  deliver(user: string, message: Message, signal?: AbortSignal): Promise<void>;
  /** A terminal has the message with this key. */
  seen(user: string, key: string): void;
  /** Looks until the returned function is called; begins with what nobody has seen yet. */
  look(user: string, screen: (what: Shown) => void): () => void;
}

interface UnconfirmedMessage {
  user: string;
  message: Message;
  seen(): void;
}

/** Terminals that may be open at once, for all users. */
const maxScreens = 32;

/** The open terminals of all users, none at first; a message is delivered when one of its user's terminals confirms it. */
export function createScreens(): Screens {
  const screens = new Set<{ user: string; show: (what: Shown) => void }>();
  const waiting = new Set<UnconfirmedMessage>();
  const show = (user: string, what: Shown): void => {
    for (const screen of screens) if (screen.user === user) screen.show(what);
  };
  return {
    live: (user, text) => show(user, { type: 'live', text }),
    deliver: (user, message, signal) =>
      new Promise((resolve, reject) => {
        const done = (): void => {
          waiting.delete(entry);
          signal?.removeEventListener('abort', give);
        };
        const give = (): void => {
          done();
          reject(signal?.reason);
        };
        const entry: UnconfirmedMessage = {
          user,
          message,
          seen() {
            done();
            resolve();
          },
        };
        if (signal?.aborted === true) return give();
        signal?.addEventListener('abort', give, { once: true });
        waiting.add(entry);
        show(user, message);
      }),
    seen(user, key) {
      for (const entry of [...waiting]) if (entry.user === user && entry.message.key === key) entry.seen();
    },
    look(user, screen) {
      if (screens.size >= maxScreens)
        throw new ParleyError('too_many_terminals', `At most ${maxScreens} terminals may be open.`, {
          hint: 'Close one of them.',
        });
      const entry = { user, show: screen };
      screens.add(entry);
      for (const each of waiting) if (each.user === user) screen(each.message);
      return () => void screens.delete(entry);
    },
  };
}
