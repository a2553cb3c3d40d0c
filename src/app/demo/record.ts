// What the engine has on record: the whole answer to a message, to compare what was delivered with.
import { z } from 'zod';
import { wireSession, wireSessionMessage } from '#engine/wire/sessions/message.ts';

const sessions = z.array(wireSession.pick({ id: true }));
const messages = z.array(wireSessionMessage);

const status = z.object({
  lanes: z.object({ active: z.number(), waiting: z.number(), changes: z.number() }),
});

/** Whether the program works on no message and has none waiting. */
export async function isIdle(url: string, token: string): Promise<boolean> {
  const { lanes } = status.parse(await read(url, token, '/status'));
  return lanes.active + lanes.waiting + lanes.changes === 0;
}

async function read(url: string, token: string, path: string): Promise<unknown> {
  const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  return response.json();
}

/** The assistant's text that follows the message with this text, or undefined while there is none. */
export async function lastAnswerOf(
  url: string,
  token: string,
  question: string,
): Promise<string | undefined> {
  const get = (path: string): Promise<unknown> => read(url, token, path);
  for (const { id } of sessions.parse(await get('/session'))) {
    const history = messages.parse(await get(`/session/${id}/message`));
    const asked = history.findLastIndex(
      ({ info, parts }) => info.role === 'user' && JSON.stringify(parts).includes(question),
    );
    const answers =
      asked === -1 ? [] : history.slice(asked + 1).filter(({ info }) => info.error === undefined);
    const text = answers.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'text' ? part.text : [])),
    );
    if (text.length > 0) return text.join('\n\n');
  }
  return undefined;
}
