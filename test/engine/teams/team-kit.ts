// An engine with teams and a model that is scripted by what it is asked, and what most tests of missions do with it. Not tests.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import type { EngineService } from '#engine/wire/service.ts';
import { defaultPolicy, type SpawnPolicy, type TeamSettings } from '#engine/wire/teams/team-policy.ts';
import { frame } from '../support/raw-provider.ts';

/** The policy that most tests have: on, no justification, nothing that is in the way. */
export const openPolicy: SpawnPolicy = { ...defaultPolicy, enabled: true, requireJustification: false };

export function teamOf(policy: Partial<SpawnPolicy> = {}, more: Partial<TeamSettings> = {}): TeamSettings {
  return {
    policy: { ...openPolicy, ...policy },
    templates: [],
    skillFolders: [],
    projectFolder: '/',
    ...more,
  };
}

interface Message {
  role: string;
  content: unknown;
  tool_calls?: { function: { name: string; arguments: string } }[];
}

/** One request of the model, as a script reads it. */
export interface ModelRequest {
  system: string;
  /** The newest words of the user. */
  prompt: string;
  /** Results of tools since, newest last, as JSON. */
  results: string[];
  /** Everything, as text. */
  whole: string;
  tools: string[];
  maxTokens: number | undefined;
}

/** What the model does: says something, calls tools, or waits until `held` resolves before it does either. */
export interface Reply {
  text?: string | undefined;
  calls?: { name: string; args: object }[] | undefined;
  held?: Promise<unknown> | undefined;
  usage?: { input: number; output: number } | undefined;
  /** Why it ends; `stop` or `tool_calls` when absent. */
  finish?: string | undefined;
}

export type Script = (asked: ModelRequest) => Reply | Promise<Reply>;

/** A model server over a real socket that answers as the script says; `asked` collects every request. */
export async function startScripted(t: Pick<TestContext, 'after'>, script: Script) {
  const asked: ModelRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const one = requestOf(JSON.parse(Buffer.concat(chunks).toString('utf8')));
      asked.push(one);
      const {
        text,
        calls = [],
        held,
        usage,
        finish = calls.length > 0 ? 'tool_calls' : 'stop',
      } = await script(one);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      await held;
      if (text !== undefined) response.write(frame({ content: text }));
      for (const [index, { name, args }] of calls.entries())
        response.write(
          frame({
            tool_calls: [
              {
                index,
                id: `t_${name}_${index}`,
                type: 'function',
                function: { name, arguments: JSON.stringify(args) },
              },
            ],
          }),
        );
      response.write(frame({}, finish));
      const used = usage && {
        prompt_tokens: usage.input,
        completion_tokens: usage.output,
        total_tokens: usage.input + usage.output,
      };
      if (used !== undefined) {
        const chunk = {
          id: 'c1',
          object: 'chat.completion.chunk',
          created: 1,
          model: 'm',
          choices: [],
          usage: used,
        };
        response.write(`data: ${JSON.stringify(chunk)}\n\n`);
      }
      response.end('data: [DONE]\n\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return {
    asked,
    settings: {
      provider: 'openai-compatible' as const,
      model: 'm',
      baseUrl: `http://127.0.0.1:${port}/v1`,
    },
  };
}

function requestOf(body: {
  messages: Message[];
  tools?: { function: { name: string } }[];
  max_tokens?: number;
}): ModelRequest {
  const text = ({ content }: Message): string =>
    typeof content === 'string' ? content : JSON.stringify(content ?? '');
  const at = body.messages.findLastIndex(({ role }) => role === 'user');
  return {
    system: body.messages
      .filter(({ role }) => role === 'system')
      .map(text)
      .join('\n'),
    prompt: at < 0 ? '' : text(body.messages[at] as Message),
    results: body.messages
      .slice(at + 1)
      .filter(({ role }) => role === 'tool')
      .map(text),
    whole: JSON.stringify(body.messages),
    tools: (body.tools ?? []).map((tool) => tool.function.name),
    maxTokens: body.max_tokens,
  };
}

/** A person's question that needs two look-ups in parallel and a review, as the chat's model would work on it. */
export const chef: Script = ({ system, results }) => {
  if (system.includes('You are a researcher')) return { text: 'The bridge is 40 m long (source: page).' };
  if (system.includes('You are a reviewer')) return { text: 'sound' };
  if (results.length === 0)
    return {
      calls: [
        { name: 'spawn_agent', args: { template: 'researcher', task: 'How long is the bridge?' } },
        { name: 'spawn_agent', args: { template: 'researcher', task: 'How old is the bridge?' } },
      ],
    };
  if (results.length === 2) return { calls: [{ name: 'wait_agents', args: {} }] };
  if (results.length === 3)
    return {
      calls: [{ name: 'spawn_agent', args: { template: 'reviewer', task: 'Check: it is 40 m long.' } }],
    };
  if (results.length === 4) return { calls: [{ name: 'wait_agents', args: {} }] };
  return { text: 'The bridge is 40 m long, and that was checked.' };
};

/** The only mission of a session. */
export async function missionOf(engine: EngineService, sessionID: string) {
  const [mission, ...more] = await engine.missions({ sessionID });
  if (mission === undefined || more.length > 0)
    throw new Error(`expected one mission, got ${more.length + 1}`);
  return mission;
}
