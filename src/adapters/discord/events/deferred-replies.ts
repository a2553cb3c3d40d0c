// The reply of a slash command: the sign that an answer follows, in time, and the answer in its place.
import {
  DiscordAPIError,
  InteractionResponseType,
  MessageFlags,
  RESTJSONErrorCodes,
  type RouteLike,
  Routes,
} from 'discord.js';
import { explain } from '#adapters/discord/calls/explain.ts';
import type { Rest } from '#adapters/discord/calls/rest.ts';
import { posted } from '#adapters/discord/payloads/payload.ts';
import { type Clock, msSince } from '#base/clock.ts';
import type { Log } from '#base/log/log.ts';
import { isAbort } from '#base/waiting/async.ts';

/** What Discord gives along with a slash command, to answer it. The token is a secret for fifteen minutes. */
interface Answerable {
  id: string;
  application_id: string;
  token: string;
}

/** Who sees a reply. Discord takes it from the sign, and leaves it so for the message that takes its place. */
type Readers = 'everyone' | 'asker';

export interface DeferredReplies {
  /**
   * Puts up the sign that an answer follows: as soon as `saved` resolves, and half a second from now if it has not by then.
   * Returns at once; nothing is put up when the signal aborts before. A failure is logged: the answer then goes to the channel.
   */
  defer(interaction: Deferred, saved: Promise<unknown>, signal: AbortSignal): void;
  /**
   * Puts a text in the sign's place, after the sign; where other people are to read it than the sign, the sign goes and a message of
   * its own follows: `repeat` in place of `body` where an earlier attempt may have posted it. Throws what `explain` understands (`gone` once the token is no good).
   */
  edit(placeholder: Deferred, bodies: { body: object; repeat: object }, readers: Readers): Promise<void>;
  /** Takes the sign down without an answer; throws as `edit` does. */
  remove(placeholder: Deferred): Promise<void>;
  /** Posts one more message that only the asker sees, and gives its id; throws as `edit` does. */
  follow(ephemeral: Pick<Answerable, 'id' | 'application_id' | 'token'>, body: object): Promise<string>;
  /** Resolves when no sign is on its way any more. */
  idle(): Promise<void>;
}

/** A deferred reply, as `placeholderOf` named it. */
export interface Deferred extends Answerable {
  readers: Readers;
}

/** Discord drops an interaction after 3 s; a person should see the sign within one, however slow the disk is. */
const storedWithinMs = 500;
/** A sign that did not get through is tried again until the interaction is dropped. */
const signWithinMs = 2_500;
const againMs = 250;

/** The id under which the core edits a deferred reply like any message; what it holds is this adapter's own. */
export function placeholderOf({ id, application_id: application, token, readers }: Deferred): string {
  return `interaction ${application} ${id} ${token}${readers === 'asker' ? ' asker' : ''}`;
}

/** The deferred reply that an id names, or undefined for the id of a message. */
export function placeholderIn(nativeID: string): Deferred | undefined {
  const [, application, id, token, asker] = /^interaction (\d+) (\d+) (\S+)( asker)?$/.exec(nativeID) ?? [];
  if (application === undefined || id === undefined || token === undefined) return undefined;
  return { application_id: application, id, token, readers: asker === undefined ? 'everyone' : 'asker' };
}

/** Deferred replies over the REST client; calls go without the bot's token: their own takes its place. */
export function createDeferredReplies({
  rest,
  clock,
  log,
}: {
  rest: Rest;
  clock: Clock;
  log: Log;
}): DeferredReplies {
  /** Signs on their way, by interaction: an answer that overtook its sign would find nothing to replace. */
  const onTheirWay = new Map<string, Promise<void>>();

  const callback = async ({ id, token, readers }: Deferred, signal: AbortSignal): Promise<void> => {
    try {
      const type = InteractionResponseType.DeferredChannelMessageWithSource;
      const body = readers === 'asker' ? { type, data: { flags: MessageFlags.Ephemeral } } : { type };
      await rest().post(Routes.interactionCallback(id, token), { body, auth: false, signal });
    } catch (error) {
      // An earlier attempt, whose answer was lost or which ended before this event came again, had put it up.
      const code = error instanceof DiscordAPIError ? error.code : undefined;
      if (code !== RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged) throw error;
    }
  };

  const putUp = async (
    interaction: Deferred,
    saved: Promise<unknown>,
    signal: AbortSignal,
  ): Promise<void> => {
    const since = clock.monotonic();
    const waited = new AbortController();
    const timeout = clock.sleep(storedWithinMs, AbortSignal.any([signal, waited.signal]));
    await Promise.race([saved, timeout]).finally(() => waited.abort());
    for (;;) {
      signal.throwIfAborted();
      try {
        return await callback(interaction, signal);
      } catch (error) {
        if (isAbort(error, signal) && signal.aborted) throw error;
        const { kind, words } = explain(error);
        const left = msSince(clock, since) + againMs < signWithinMs;
        if (kind !== 'transient' || !left) {
          log.warn({ interaction: interaction.id, kind, words }, 'slash command not deferred');
          return;
        }
        await clock.sleep(againMs, signal);
      }
    }
  };

  /** The message that stands in the sign's place. */
  const original = ({ application_id: application, token }: Answerable): RouteLike =>
    Routes.webhookMessage(application, token, '@original');

  /** A message after the sign, which by now is gone or has become the first message: before that, Discord takes this one for its text. */
  const post = async (
    { application_id: application, token }: Answerable,
    body: object,
    readers: Readers,
  ): Promise<string> => {
    const flags = readers === 'asker' ? { flags: MessageFlags.Ephemeral } : {};
    const answer = await rest().post(Routes.webhook(application, token), {
      body: { ...body, ...flags },
      auth: false,
    });
    return posted.parse(answer).id;
  };

  return {
    defer(interaction, saved, signal) {
      const { id } = interaction;
      const sign = putUp(interaction, saved, signal)
        .catch((error: unknown) => {
          if (!signal.aborted) throw error;
        })
        .finally(() => {
          if (onTheirWay.get(id) === sign) onTheirWay.delete(id);
        });
      onTheirWay.set(id, sign);
    },
    async edit(placeholder, { body, repeat }, readers) {
      await onTheirWay.get(placeholder.id);
      if (placeholder.readers === readers) {
        await rest().patch(original(placeholder), { body, auth: false });
        return;
      }
      const isFirst = await rest()
        .delete(original(placeholder), { auth: false })
        .then(
          () => true,
          (error: unknown) => {
            const code = error instanceof DiscordAPIError ? error.code : undefined;
            if (code !== RESTJSONErrorCodes.UnknownMessage) throw error;
            return false;
          },
        );
      await post(placeholder, isFirst ? body : repeat, readers);
    },
    async remove(placeholder) {
      await onTheirWay.get(placeholder.id);
      await rest().delete(original(placeholder), { auth: false });
    },
    async follow(ephemeral, body) {
      await onTheirWay.get(ephemeral.id);
      return post(ephemeral, body, 'asker');
    },
    async idle() {
      await Promise.all(onTheirWay.values());
    },
  };
}
