// One platform message's worth of an answer, ready to send. Stored in the outbox as JSON.
import type { Json } from '#base/json.ts';

export interface MessagePart {
  /** What a person reads, without markup: for logs, tests and notifications. */
  text: string;
  /** The native payload (Discord content, Telegram text with entities, Slack blocks with fallback); only its adapter reads it. */
  body: Json;
}
