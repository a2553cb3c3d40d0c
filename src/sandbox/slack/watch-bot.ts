// Listening to what the bot posts and changes, anywhere in the workspace. Not to what people do.
import type { Publisher } from './world/method.ts';
import { bot } from './world/workspace.ts';
import type { Stored } from './world/world.ts';

/** The same publisher, whose messages of the bot's each listener is given. */
export function watchBot(publish: Publisher): {
  publish: Publisher;
  onBotMessage(listener: (message: Stored) => void): () => void;
} {
  const listeners = new Set<(message: Stored) => void>();
  const notify = (message: Stored | undefined): void => {
    if (message?.user === bot.user) for (const listener of [...listeners]) listener(message);
  };
  return {
    publish: {
      ...publish,
      posted(message) {
        publish.posted(message);
        notify(message);
      },
      changed(change) {
        publish.changed(change);
        notify(change.after);
      },
      seen(message) {
        publish.seen(message);
        notify(message);
      },
    },
    onBotMessage(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
