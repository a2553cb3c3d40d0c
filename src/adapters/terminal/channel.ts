// The terminal of this machine as a channel of the gateway: what is typed there goes the way of every other message.
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { Channel, ChannelFailure } from '#adapters/gateway/terms/channel.ts';
import type { Sink } from '#adapters/gateway/terms/inbound.ts';
import type { Clock } from '#base/clock.ts';
import { errorMessage, ParleyError } from '#base/errors.ts';
import { createScreens, type Screens } from './screens.ts';

export interface Terminal {
  channel: Channel;
  screens: Screens;
  /** Hands in what someone typed; `refused` while the gateway takes nothing. */
  say(line: { user: string; id: string; text: string }): Promise<'accepted' | 'duplicate' | 'ignored'>;
}

const account = 'local';
/** Text is the same on a terminal however often it changes: only what is new is printed. */
const editGapMs = 60;

/** The channel of `parley chat`; it is ready as soon as the gateway runs it. */
export function createTerminal({ clock }: { clock: Clock }): Terminal {
  const screens = createScreens();
  let open: Sink | undefined;

  const explain = (error: unknown): ChannelFailure => ({
    kind: error instanceof ParleyError && error.code === 'unsupported' ? 'invalid' : 'transient',
    words: errorMessage(error),
    maybeDelivered: false,
  });
  const unsupported = async (): Promise<never> => {
    throw new ParleyError('unsupported', 'What was printed on a terminal cannot be changed.');
  };

  const channel: Channel = {
    platform: 'terminal',
    caps: {
      editGapMs: { dm: editGapMs, group: editGapMs, channel: editGapMs },
      typingMs: 60_000,
      // A terminal knows the keys of what it has shown.
      idempotentSend: true,
    },
    run: (sink, signal) =>
      new Promise((resolve) => {
        open = sink;
        sink.report('ready');
        const leave = (): void => {
          open = undefined;
          resolve();
        };
        if (signal.aborted) leave();
        else signal.addEventListener('abort', leave, { once: true });
      }),
    render: (markdown) => (markdown.trim() === '' ? [] : [{ text: markdown, body: { markdown } }]),
    async send({ chat }, { text }, { key, signal }) {
      await screens.deliver(chat, { type: 'message', key, text }, signal);
      return { nativeID: key };
    },
    edit: unsupported,
    remove: unsupported,
    presence: async () => {},
    react: async () => {},
    live: ({ address }) => ({
      renewAt: () => undefined,
      async update(text) {
        screens.live(address.chat, text);
        return 'shown';
      },
    }),
    explain,
    check: async () => [],
  };

  return {
    channel,
    screens,
    async say({ user, id, text }) {
      if (open === undefined)
        throw new ParleyError('not_ready', 'No message is accepted at this moment.', {
          hint: 'Say it again in a moment.',
        });
      const address: Address = { platform: 'terminal', account, chat: user, kind: 'dm' };
      return open.accept({
        type: 'message',
        address,
        nativeID: id,
        at: clock.now(),
        actor: { id: user, name: user, isBot: false },
        addressed: 'dm',
        text,
        files: [],
      });
    },
  };
}
