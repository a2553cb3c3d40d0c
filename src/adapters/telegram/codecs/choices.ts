// Buttons below a message of the bot's, and how Telegram reports a press.
import type { Api } from 'grammy';
import type { CallbackQuery } from 'grammy/types';
import type { Button, Channel } from '#adapters/gateway/terms/channel.ts';
import type { ButtonPressEvent } from '#adapters/gateway/terms/inbound.ts';
import type { Json } from '#base/json.ts';
import type { Log } from '#base/log/log.ts';
import { userActor } from './actor-codec.ts';
import { addressOf } from './address-codec.ts';
import { isElsewhere } from './inbound-codec.ts';

/** Characters of a label that a phone shows. */
const labelChars = 60;

/** The inline keyboard of a part, one button a row, since labels are sentences. */
export function keyboardOf(choices: readonly Button[]): Json {
  return {
    inline_keyboard: choices.map(({ id, label }) => [
      { text: [...label].slice(0, labelChars).join(''), callback_data: id },
    ]),
  };
}

/** The event of a button press; undefined when the message is gone or the press came from outside of a chat. */
export function choiceEvent(
  query: CallbackQuery,
  { account, at, settle }: { account: string; at: number; settle: ButtonPressEvent['settle'] },
): ButtonPressEvent | undefined {
  const { message, data, from, id } = query;
  if (message === undefined || data === undefined || !('date' in message) || message.date === 0)
    return undefined;
  const address = addressOf(account, message);
  if (address === undefined || isElsewhere(message)) return undefined;
  return {
    type: 'choice',
    address,
    nativeID: id,
    at,
    actor: userActor(from, message.chat),
    choice: data,
    settle,
  };
}

/** Confirms a button press to Telegram, with a text that only the person who pressed sees. A failure is ignored. */
export function answerPress(
  query: string,
  { api, log, explain }: { api: Api; log: Log; explain: Channel['explain'] },
): (words: string | undefined) => void {
  return (words) => {
    const other = words === undefined ? {} : { text: words.slice(0, 200), show_alert: true };
    api.answerCallbackQuery(query, other).catch((error: unknown) => {
      log.debug({ channel: 'telegram', words: explain(error).words }, 'a press was not answered');
    });
  };
}
