// Makes the simulated workspace, with what its shelf kept.
import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import { rememberBlocks } from '#sandbox/shown.ts';
import type { Shelf } from '#sandbox/store.ts';
import { createFiles, createSavedMessages } from './saved-world.ts';
import { createWorkspace } from './workspace.ts';
import type { Stored, World } from './world.ts';

/** The workspace with what its shelf kept; timestamps follow `clock`, and links to files are below `origin`. */
export function createWorld(options: {
  clock: Clock;
  shelf: Shelf;
  origin: string;
  /** Where the app is installed: in the one workspace unless set otherwise. */
  install?: 'workspace' | 'organisation' | undefined;
  locale?: string | undefined;
}): World {
  const { clock, shelf } = options;
  const workspace = createWorkspace(options.install);
  const files = createFiles(options);
  const savedMessages = createSavedMessages({ shelf, workspace, files });
  const messages = new Map<string, Stored>();
  const byRoom = new Map<string, Set<Stored>>();
  const byThread = new Map<string, Set<Stored>>();
  /** Those that may be dropped, oldest first. */
  const passing = new Set<Stored>();
  let last = 0;
  const world: World = {
    install: options.install ?? 'workspace',
    locale: options.locale ?? 'en-US',
    workspace,
    status: new Map(),
    files,
    blocksOf: rememberBlocks(),
    nextTs() {
      last = Math.max(last + 1, clock.now() * 1000);
      return `${Math.floor(last / 1e6)}.${String(last % 1e6).padStart(6, '0')}`;
    },
    messages: () => messages.values(),
    messagesIn: (roomID) => [...(byRoom.get(roomID) ?? [])],
    repliesTo: (roomID, ts) => [...(byThread.get(`${roomID}:${ts}`) ?? [])],
    add(message) {
      const stored: Stored = { ...message, ts: world.nextTs(), reactions: [] };
      savedMessages.put(stored);
      index(stored);
      const [oldest] = passing;
      if (oldest !== undefined && passing.size > maxMessages) world.remove(oldest);
      return stored;
    },
    changed: savedMessages.put,
    remove(message) {
      savedMessages.remove(message);
      messages.delete(message.ts);
      passing.delete(message);
      outOf(byRoom, message.room.id, message);
      if (message.thread !== undefined) outOf(byThread, `${message.room.id}:${message.thread}`, message);
    },
    find(roomID, ts) {
      const message = messages.get(ts);
      return message?.room.id === roomID ? message : undefined;
    },
    byID(id) {
      const found = messages.get(id);
      if (found === undefined)
        throw new ParleyError(
          'unknown_message',
          `Expected the id of a message in the Slack sandbox, got ${id}.`,
        );
      return found;
    },
  };
  function index(stored: Stored): void {
    messages.set(stored.ts, stored);
    into(byRoom, stored.room.id, stored);
    if (stored.thread !== undefined) into(byThread, `${stored.room.id}:${stored.thread}`, stored);
    if (!stored.room.lasting) passing.add(stored);
  }
  for (const stored of savedMessages.all()) {
    index(stored);
    last = Math.max(last, Math.round(Number(stored.ts) * 1e6));
  }
  return world;
}

const maxMessages = 20_000;

function into(index: Map<string, Set<Stored>>, key: string, message: Stored): void {
  const present = index.get(key);
  if (present === undefined) index.set(key, new Set([message]));
  else present.add(message);
}

function outOf(index: Map<string, Set<Stored>>, key: string, message: Stored): void {
  const present = index.get(key);
  present?.delete(message);
  if (present?.size === 0) index.delete(key);
}
