// What a Web API method is here: arguments in, an answer out, a Refusal for `ok: false`. Not HTTP.
import type { Clock } from '#base/clock.ts';
import { refuse } from './refusal.ts';
import { type Room, roomByID, type Stored, type Wire, type World } from './world.ts';

/** Tells connected clients and watchers what changed. */
export interface Publisher {
  posted(message: Stored): void;
  changed(change: { before: Wire; after: Stored; kind: 'edit' | 'unfurl' }): void;
  deleted(message: Stored): void;
  /** Something that is seen but that no event tells of: reactions, the thinking line. */
  seen(): void;
}

export interface MethodContext {
  world: World;
  clock: Clock;
  publish: Publisher;
  /** The WebSocket address for a new connection, good for one use. */
  ticket(): string;
  /** Base of this server, without a slash at the end. */
  origin(): string;
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

/** The conversation of the call, or `channel_not_found`. */
export function roomArg(args: Args, name = 'channel'): Room {
  const room = roomByID(requiredArg(args, name));
  if (room === undefined) throw refuse('channel_not_found');
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
