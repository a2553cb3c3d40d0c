// What a Web API method is here: arguments in, an answer out, a Refusal for `ok: false`. Not HTTP.
import type { Clock } from '#base/clock.ts';
import { refuse } from './refusal.ts';
import { bot, type Room } from './workspace.ts';
import type { Stored, Wire, World } from './world.ts';

/** Tells connected clients and watchers what changed. */
export interface Publisher {
  posted(message: Stored): void;
  changed(change: { before: Wire; after: Stored; kind: 'edit' | 'unfurl' }): void;
  deleted(message: Stored): void;
  /** Something that is seen but that no event reports: reactions, the thinking line; a message that one person sees or that grows. */
  seen(message?: Stored): void;
}

export interface MethodContext {
  world: World;
  clock: Clock;
  publish: Publisher;
  /** The WebSocket address for a new connection, valid for one use. */
  ticket(): string;
  /** Base of this server, without a slash at the end. */
  origin(): string;
  /** Workspaces of the organisation that the app has lost its access to. */
  lockedOut: ReadonlySet<string>;
  /** Scopes of the bot token. */
  scopes: readonly string[];
}

/** Arguments as the body had them: text in a form, any JSON value in a JSON body. */
export type Args = Record<string, unknown>;
export type Method = (args: Args, context: MethodContext) => Wire;

/** An argument as text; undefined when it is absent or empty. */
export function textArg(args: Args, name: string): string | undefined {
  const value = args[name];
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function requiredArg(args: Args, name: string): string {
  const value = textArg(args, name);
  if (value === undefined) throw refuse('invalid_arguments', [`[ERROR] missing required field: ${name}`]);
  return value;
}

export function flagArg(args: Args, name: string): boolean {
  const value = textArg(args, name);
  return value === 'true' || value === '1';
}

/** An argument that is JSON, whether it came as a value or as text; `invalid_arguments` when it is neither. */
export function jsonArg(args: Args, name: string): unknown {
  const value = args[name];
  if (typeof value !== 'string' || value === '') return value === '' ? undefined : value;
  try {
    return JSON.parse(value);
  } catch {
    throw refuse('invalid_arguments', [`[ERROR] ${name} is not JSON`]);
  }
}

/**
 * The conversation of the call that the bot may look at: any public channel, and what it is in; else `channel_not_found`
 * (docs.slack.dev, conversations.info: "Value passed for channel was invalid").
 */
export function visibleRoomArg(args: Args, { world }: MethodContext, name = 'channel'): Room {
  const room = world.workspace.room(requiredArg(args, name));
  if (room === undefined || (room.kind !== 'channel' && !room.members.has(bot.user)))
    throw refuse('channel_not_found');
  return room;
}

/** The conversation of the call that the bot is in; a public channel that it is not in is `not_in_channel`. */
export function roomArg(args: Args, context: MethodContext, name = 'channel'): Room {
  const room = visibleRoomArg(args, context, name);
  if (!room.members.has(bot.user)) throw refuse('not_in_channel');
  return room;
}

/** The conversation of the call that the bot may post in; an archived one is `is_archived` (docs.slack.dev, chat.postMessage). */
export function writableRoomArg(args: Args, context: MethodContext): Room {
  const room = roomArg(args, context);
  if (room.archived === true) throw refuse('is_archived');
  return room;
}

/** A whole number between 1 and `most`; `otherwise` when the argument is absent; `invalid_limit` else. */
export function limitArg(args: Args, most: number, otherwise: number): number {
  const text = textArg(args, 'limit');
  if (text === undefined) return otherwise;
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1) throw refuse('invalid_limit');
  return Math.min(limit, most);
}
