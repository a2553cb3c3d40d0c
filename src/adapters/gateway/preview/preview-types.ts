// What a live preview is given, and what it offers. Shapes only.
import type PQueue from 'p-queue';
import type { Typing } from '#adapters/gateway/delivery/typing.ts';
import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { Limiter } from '#adapters/gateway/pace/limiter.ts';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { Button, Channel } from '#adapters/gateway/terms/channel.ts';
import type { MessagePart } from '#adapters/text/part.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log/log.ts';

export interface Preview {
  /** The whole text so far; shown when the platform's pace allows. */
  show(text: string): void;
  /**
   * What is done before there is an answer, shown below its text so far and with buttons; undefined when that is over. It goes with the
   * answer, so that the platform's own surface, on which nothing is taken back, is left for a message that is edited.
   */
  showProgress(progress: PreviewProgress | undefined): void;
  /** Whether buttons are, or were, below its messages: the answer takes them away. */
  hadButtons(): boolean;
  /** While a person's answer is waited for, no notice says that the run is in progress. */
  rest(waits: boolean): void;
  /** Shows nothing more; resolves when no call is in progress, and none that was lost can change what is shown. */
  stop(): Promise<void>;
  /** Once it is stopped: whether its message of this ordinal is known to show exactly this part, so that nothing is to be sent or edited. */
  exists(ordinal: number, part: MessagePart): boolean;
}

export interface PreviewProgress {
  markdown: string;
  choices: readonly Button[];
}

export interface PreviewOptions {
  turnID: string;
  address: Address;
  replyTo: string | undefined;
  /** Every message of the answer is a reply, not only the first. */
  inReplies: boolean;
  /** Who is answered: the `Actor.id` of the message. */
  actor: string;
  channel: Channel;
  ledger: Pick<Ledger, 'turns' | 'commit'>;
  limiter: Limiter;
  /** Of all previews: many chats that are due at one moment are rendered one in each turn of the event loop. At once when absent. */
  rendering?: PQueue | undefined;
  typing: Pick<Typing, 'grew' | 'posted'>;
  /** Whether a notice says, after a minute without output, that the run is in progress. */
  notices: boolean;
  /** The sentence for that. */
  stillWorking: string;
  /** The person has pressed the platform's stop button. */
  stoppedByUser(): void;
  clock: Clock;
  log: Log;
}
