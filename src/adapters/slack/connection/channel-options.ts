// What a Slack account is connected with. A shape only.
import type { DocumentedRate } from '#adapters/gateway/terms/channel.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log/log.ts';

export interface SlackChannelOptions {
  /** Bot User OAuth Token (`xoxb-…`). */
  botToken: string;
  /** App-Level Token (`xapp-…`) with connections:write; without it chats are polled. */
  appToken?: string | undefined;
  /** Base of the Web API, with a slash at the end; Slack's own unless set otherwise. */
  apiUrl?: string | undefined;
  /** Whether a mention at the top of a channel is answered in a separate thread; it is unless set otherwise. */
  replyInThread?: boolean | undefined;
  clock: Clock;
  log: Log;
  /** How fast it writes; Slack's documented rates when absent, and an empty list for a server without limits. */
  pace?: readonly DocumentedRate[] | undefined;
  /** Milliseconds between two rounds of polling, 3000 unless set otherwise; more with many chats. */
  pollMs?: number | undefined;
  /** Milliseconds without a ping from Slack after which a socket is rebuilt, 60,000 unless set otherwise. */
  silenceMs?: number | undefined;
}
