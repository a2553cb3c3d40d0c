// What the offline model does with several questions at once, where it may start agents: a researcher looks for each. Pure.
import { z } from 'zod';
import type { ModelCallInput } from '#engine/providers/calls/model-call.ts';
import { intentOf } from './intent.ts';
import { afterLastUser } from './recalled.ts';

/** A tool that is called next. */
interface NextCall {
  tool: string;
  args: Record<string, unknown>;
}

export type AgentsTurn = { type: 'call'; calls: NextCall[] } | { type: 'say'; text: string };

const [spawn, wait] = ['spawn_agent', 'wait_agents'];
/** More questions than this are answered from memory like one. */
const maxQuestions = 4;

const started = z.object({ started: z.boolean() });
const waited = z.object({
  agents: z.array(
    z.object({ status: z.string(), result: z.string().optional(), error: z.string().optional() }),
  ),
});

/** The next turn; undefined where the question is only one, or no agents may be started or none was. */
export function agentsTurn(
  question: string,
  { messages, tools, toolChoice }: Pick<ModelCallInput, 'messages' | 'tools' | 'toolChoice'>,
): AgentsTurn | undefined {
  const questions = questionsIn(question);
  const isOffered = [spawn, wait].every((name) => tools.some((tool) => tool.name === name));
  if (toolChoice === 'none' || !isOffered || questions.length < 2) return undefined;
  const spawned = resultsOf(messages, spawn);
  if (spawned.length === 0)
    return {
      type: 'call',
      calls: questions.map((task) => ({
        tool: spawn,
        args: { template: 'researcher', task, justification: 'Several questions were asked at once.' },
      })),
    };
  if (spawned.length !== questions.length || !spawned.every((one) => started.safeParse(one).data?.started))
    return undefined;
  const { data } = waited.safeParse(resultsOf(messages, wait).at(-1));
  if (data === undefined) return { type: 'call', calls: [{ tool: wait, args: {} }] };
  const found = questions.map((one, at) => `**${one}**\n\n${foundBy(data.agents[at])}`);
  return { type: 'say', text: [`${questions.length} agents looked for me:`, ...found].join('\n\n') };
}

function questionsIn(text: string): string[] {
  const all = (text.match(/[^?？؟]+[?？؟]/g) ?? []).map((one) => one.trim());
  const isAll = all.join(' ').length >= text.trim().length - all.length;
  return isAll && all.length <= maxQuestions && all.every((one) => intentOf(one) === 'recall') ? all : [];
}

/** What an agent quotes, without what the offline model says of itself. */
function foundBy(agent: z.infer<typeof waited>['agents'][number] | undefined): string {
  const text = agent?.result ?? '';
  const quotes = text.indexOf('> ');
  if (quotes >= 0) return text.slice(quotes);
  return agent?.status === 'completed'
    ? 'Nothing was found.'
    : `It ended early: ${agent?.error ?? 'no answer'}`;
}

function resultsOf(messages: ModelCallInput['messages'], name: string): unknown[] {
  return afterLastUser(messages).flatMap((message) =>
    message.role !== 'tool'
      ? []
      : message.content.flatMap((part) =>
          part.type === 'tool-result' && part.toolName === name && part.output.type === 'json'
            ? [part.output.value]
            : [],
        ),
  );
}
