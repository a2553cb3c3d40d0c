// What a receiver is made of, and what it is given. Shapes only.
import type { Sink } from '#adapters/gateway/terms/inbound.ts';
import type { SlackMessage } from '#adapters/slack/calls/wire.ts';
import type { Identity } from '#adapters/slack/codecs/change.ts';
import type { Directory } from '#adapters/slack/rooms/directory.ts';
import type { Moment } from '#adapters/slack/rooms/known-rooms.ts';
import type { SlackPeople } from '#adapters/slack/rooms/people.ts';
import type { SlackRooms } from '#adapters/slack/rooms/rooms.ts';
import type { Clock } from '#base/clock.ts';

export interface Found {
  channel: string;
  message: SlackMessage;
  since: Moment;
}

export interface ReceiverOptions {
  bot: Identity;
  clock: Clock;
  /** Says something that only this person sees; its failures concern nobody. */
  whisper(to: { channel: string; user: string; thread: string | undefined }, words: string): void;
  directory: Directory;
  rooms: SlackRooms;
  people: Pick<SlackPeople, 'changed'>;
  sink: Sink;
  replyInThread?: boolean | undefined;
  /** True while a cursor must stay where it is, since what came before is still being fetched. */
  held(name: string): boolean;
}
