// Finished messages with their parts, kept from one run of their conversation to the next.
import { createLruCache } from '#base/caches/lru-cache.ts';
import type { Part } from './part-rows.ts';
import type { StoredMessage } from './wire-shapes.ts';

/** Characters of what is kept, and what a message takes besides, in the same unit: some 3 MB at most. */
const maxChars = 1_500_000;
const ofMessage = 500;

interface MessageCache {
  (ids: readonly string[]): StoredMessage[];
  /** These have changed: they are read again. */
  drop(ids: readonly string[]): void;
}

/**
 * Gives finished messages by their ids, in that order, and takes those from `read` that it does not have; an id that names nothing
 * is left out. Code that changes a finished message calls `drop`, so that what is kept stays true; a message that was set aside since
 * must be left out of the ids. What is given is shared between callers, and must not be changed by them.
 */
export function createMessageCache(read: (ids: readonly string[]) => readonly StoredMessage[]): MessageCache {
  const saved = createLruCache<string, StoredMessage>(maxChars, sizeOf);
  const of = (ids: readonly string[]): StoredMessage[] => {
    const found = new Map(ids.map((id) => [id, saved.get(id)]));
    const missing = ids.filter((id) => found.get(id) === undefined);
    for (const message of missing.length === 0 ? [] : read(missing)) {
      found.set(message.id, message);
      saved.set(message.id, message);
    }
    return [...found.values()].filter((message) => message !== undefined);
  };
  return Object.assign(of, {
    drop(ids: readonly string[]): void {
      for (const id of ids) saved.delete(id);
    },
  });
}

function sizeOf({ parts }: StoredMessage): number {
  return parts.reduce((sum, part) => sum + charsOf(part), ofMessage);
}

function charsOf(part: Part): number {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text.length;
    case 'file':
      return part.url.length; // which may be the file itself
    case 'tool':
      return JSON.stringify(part).length;
  }
}
