// One message of Telegram Desktop's JSON, with all that a person sent in it as words. Not its chat.
// The form is that of Telegram/SourceFiles/export/output/export_output_json.cpp in telegramdesktop/tdesktop, `SerializeMessage`.
import { z } from 'zod';
import type { Tally } from '#memory/import/items/tally.ts';
import { dayOf, type ImportedMessage, parseValue } from '#memory/import/items/turn.ts';

const piece = z.union([z.string(), z.object({ text: z.string() }).transform(({ text }) => text)]);
const words = z.union([z.string(), z.array(piece).transform((pieces) => pieces.join(''))]);
const text = z.string().nullish();
const kindSchema = z.object({ type: z.string() });
const messageSchema = z.object({
  id: z.number(),
  date_unixtime: z.string().regex(/^\d+$/).optional(),
  /** Without a zone: taken for UTC where there is nothing better. */
  date: z.string().refine((date) => Number.isFinite(Date.parse(date)), 'expected a date'),
  from: text,
  from_id: text,
  text: words.default(''),
  media_type: text,
  file: text,
  file_name: text,
  photo: text,
  sticker_emoji: text,
  performer: text,
  title: text,
  place_name: text,
  address: text,
  location_information: z.object({ latitude: z.number(), longitude: z.number() }).nullish(),
  contact_information: z.object({ first_name: text, last_name: text, phone_number: text }).nullish(),
  poll: z.object({ question: words, answers: z.array(z.object({ text: words })) }).nullish(),
  todo_list: z.object({ title: words, answers: z.array(z.object({ text: words })) }).nullish(),
  game_title: text,
  invoice_information: z.object({ title: text, description: text }).nullish(),
});

type Message = z.infer<typeof messageSchema>;

/** What was written in a message of the chat with this name; undefined, and counted, where nobody said anything in it. */
export function telegramTurn(
  value: unknown,
  { chatName, what, tally }: { chatName: string | null | undefined; what: string; tally: Tally },
): ImportedMessage | undefined {
  const type = parseValue(value, kindSchema, { tally, what })?.type;
  if (type !== undefined && type !== 'message') tally.skip(type === 'service' ? 'notice' : 'unsupported');
  if (type !== 'message') return undefined;
  const message = parseValue(value, messageSchema, { tally, what });
  if (message === undefined) return undefined;
  const at = timeOf(message);
  return {
    id: String(message.id),
    session: dayOf(at),
    at,
    speaker: message.from ?? chatName ?? 'deleted account',
    person: personOf(message.from_id),
    text: message.text,
    caption: captionOf(message),
  };
}

function timeOf({ date, date_unixtime }: Message): number {
  return date_unixtime === undefined
    ? Date.parse(`${date.replace(/Z$/, '')}Z`)
    : Number(date_unixtime) * 1000;
}

/** `user123` of an export is the person `telegram:123`. */
function personOf(id: string | null | undefined): string | undefined {
  return id == null ? undefined : `telegram:${id.replace(/^(?:user|channel)/, '')}`;
}

/** What is not text in a message, in the words that the bot uses for it in a chat. */
function captionOf(message: Message): string | undefined {
  const { photo, contact_information: contact, poll, todo_list: list, place_name, address } = message;
  const { location_information: location, game_title, invoice_information: invoice } = message;
  if (photo != null) return 'photo';
  if (contact != null)
    return `contact: ${[contact.first_name, contact.last_name, contact.phone_number].filter(Boolean).join(' ')}`;
  if (place_name != null) return `venue: ${[place_name, address].filter(Boolean).join(', ')}`;
  if (location != null) return `location: ${location.latitude}, ${location.longitude}`;
  if (poll != null) return `poll: ${poll.question} ${inBrackets(poll.answers)}`;
  if (list != null) return `list: ${list.title} ${inBrackets(list.answers)}`;
  if (game_title != null) return `game: ${game_title}`;
  if (invoice != null) return `invoice: ${[invoice.title, invoice.description].filter(Boolean).join(', ')}`;
  return fileWords(message);
}

function inBrackets(answers: readonly { text: string }[]): string {
  return answers.map((answer) => `(${answer.text})`).join(' ');
}

/** `voice message`, `sticker 👍`, `audio file Band - Song`, `map.pdf`; a file without a name is a file. */
function fileWords({
  media_type,
  file,
  file_name,
  sticker_emoji,
  performer,
  title,
}: Message): string | undefined {
  const song = [performer, title].filter(Boolean).join(' - ');
  const named = [media_type?.replaceAll('_', ' '), sticker_emoji ?? file_name, song]
    .filter(Boolean)
    .join(' ');
  return named === '' && file != null ? 'file' : named || undefined;
}
