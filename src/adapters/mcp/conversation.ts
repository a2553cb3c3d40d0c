// A connection with one MCP client that lasts, message by message: where the client can ask its person, they are asked which of two memories holds.
import { ElicitResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Clock } from '#base/clock.ts';
import type { NewId } from '#base/ids.ts';
import { tryJson } from '#base/json.ts';
import { truncate } from '#base/text.ts';
import { anySignal, waitAbandoned } from '#base/waiting/async.ts';

export interface McpConversation {
  /** One message of the client as its JSON; resolves once its answer, if it has one, was sent. */
  receive(text: string): Promise<void>;
}

interface ConversationParts {
  /** The answer to one message, as its JSON; undefined for one that has none. Never rejects. */
  answer(text: string): Promise<string | undefined>;
  send(text: string): void;
  newId: NewId;
  clock: Clock;
  /** Aborts when the client is gone: nobody waits for its person then. */
  signal: AbortSignal;
  /** How long an answer waits for the person; most clients wait for 60 s for it. */
  waitMs?: number | undefined;
}

/** Below what clients wait for an answer. */
const usualWaitMs = 45_000;
/** Characters of a memory in a question. */
const shownChars = 600;

const message = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  params: z.looseObject({}).optional(),
});

/** A client that can show a form; an empty capability means that one. */
const canAskSchema = z.object({
  capabilities: z.object({
    elicitation: z.object({ url: z.unknown().optional(), form: z.unknown().optional() }),
  }),
});

/** Why a tool did nothing. */
const toolRefusal = z.object({
  result: z.object({ isError: z.literal(true), content: z.array(z.object({ text: z.string() })).length(1) }),
});

const toolAnswer = z.looseObject({
  result: z.looseObject({
    isError: z.literal(false).optional(),
    content: z.array(z.looseObject({ type: z.literal('text'), text: z.string() })).length(1),
  }),
});

/** What memory answers for a fact that contradicts a surer one. */
const contradiction = z.looseObject({
  id: z.string(),
  contradicts: z.looseObject({ id: z.string() }),
  answer_with: z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) }),
});

/** What the choice did. */
const choice = z.object({ holds: z.unknown(), superseded: z.array(z.unknown()) });

const readMemory = z.looseObject({
  item: z.looseObject({ text: z.string(), at: z.string() }),
  record: z.looseObject({ source: z.string(), confidence: z.number() }),
});

/** The conversation with one client. */
export function createMcpConversation(parts: ConversationParts): McpConversation {
  const { answer, send, newId, clock, signal, waitMs = usualWaitMs } = parts;
  /** What the client was asked, by the id of the request. */
  const waiting = new Map<string, (result: unknown) => void>();
  let canAsk = false;

  const callTool = (name: string, args: object): Promise<string | undefined> => {
    const params = { name, arguments: args };
    return answer(JSON.stringify({ jsonrpc: '2.0', id: newId('req'), method: 'tools/call', params }));
  };
  /** The number of the memory that the person chose; undefined for no answer. */
  const chosenBy = async (sides: readonly string[]): Promise<number | undefined> => {
    const id = newId('req');
    const numbers = sides.map((_, index) => String(index + 1));
    const asked = new Promise<unknown>((resolve) => waiting.set(id, resolve));
    const lines = sides.map((side, index) => `${index + 1}. ${side}`);
    send(
      JSON.stringify({
        ...{ jsonrpc: '2.0', id, method: 'elicitation/create' },
        params: {
          message: ['Two memories contradict each other. Which of them holds?', ...lines].join('\n'),
          requestedSchema: {
            type: 'object',
            properties: {
              holds: { type: 'string', title: 'Which one holds', enum: numbers, enumNames: lines },
            },
            required: ['holds'],
          },
        },
      }),
    );
    const { data } = ElicitResultSchema.safeParse(await asked);
    const at = data?.action === 'accept' ? numbers.indexOf(String(data.content?.holds)) : -1;
    return at < 0 ? undefined : at;
  };
  /** Asks, and writes down what was chosen; what that changed, or why it could not. Undefined where nothing was chosen. */
  const settled = async ({ id, contradicts, answer_with: call }: z.infer<typeof contradiction>) => {
    const ids = [contradicts.id, id];
    const sides: string[] = [];
    for (const each of ids) {
      const { data } = readMemory.safeParse(resultIn(await callTool('memory_read', { id: each })));
      if (data === undefined) return undefined;
      const { item, record } = data;
      const sure = `${Math.round(record.confidence * 100)} % sure`;
      sides.push(`${truncate(item.text, shownChars)} (${record.source}, ${item.at.slice(0, 10)}, ${sure})`);
    }
    const chosen = await chosenBy(sides);
    if (chosen === undefined) return undefined;
    const said = await callTool(call.tool, { ...call.arguments, holds: ids[chosen] });
    const { data } = choice.safeParse(resultIn(said));
    return data ?? { chosen: ids[chosen], not_applied: refusalIn(said) };
  };
  /** The answer to the call of a tool, with what its person chose where it asks them and they answer in time. */
  const asking = async (said: string | undefined): Promise<string | undefined> => {
    const result = resultIn(said);
    const { data: open } = contradiction.safeParse(result);
    if (said === undefined || open === undefined) return said;
    using waited = anySignal(signal);
    const late = clock.sleep(waitMs, waited.signal).catch(() => undefined);
    // who answers later has answered all the same
    const done = await Promise.race([settled(open), late]);
    waited.abort(waitAbandoned);
    if (!done) return said;
    const { question: _, answer_with: __, ...settledNow } = open;
    const { result: whole, ...more } = toolAnswer.parse(tryJson(said));
    const text = JSON.stringify({ ...('not_applied' in done ? open : settledNow), answered: done });
    return JSON.stringify({ ...more, result: { ...whole, content: [{ type: 'text', text }] } });
  };

  return {
    async receive(text) {
      const { data: given } = message.safeParse(tryJson(text));
      const { id, method, params } = given ?? {};
      const asked = method === undefined ? waiting.get(String(id)) : undefined;
      if (asked !== undefined) {
        waiting.delete(String(id));
        asked(given?.result);
        return;
      }
      if (method === 'initialize') {
        const { elicitation } = canAskSchema.safeParse(params).data?.capabilities ?? {};
        canAsk =
          elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
      }
      const said = await answer(text);
      const shown = canAsk && method === 'tools/call' ? await asking(said) : said;
      if (shown !== undefined) send(shown);
    },
  };
}

/** What a tool gave, as its value; undefined for an error. */
function resultIn(said: string | undefined): unknown {
  const { data } = toolAnswer.safeParse(said === undefined ? undefined : tryJson(said));
  const [content] = data?.result.content ?? [];
  return content === undefined ? undefined : tryJson(content.text);
}

/** The words with which a tool refused; undefined for anything else. */
function refusalIn(said: string | undefined): string | undefined {
  const { data } = toolRefusal.safeParse(said === undefined ? undefined : tryJson(said));
  return data?.result.content[0]?.text;
}
