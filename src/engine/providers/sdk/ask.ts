// One call of a model through the AI SDK, told in plain values. Not its retries, its limits of silence, nor the loop over tools.
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  jsonSchema,
  type LanguageModel,
  type LanguageModelCallEndEvent,
  type LanguageModelUsage,
  experimental_streamLanguageModelCall as streamCall,
  type ToolSet,
  tool,
} from 'ai';
import type { Clock } from '#base/clock.ts';
import { defined } from '#base/json.ts';
import type { ModelCallInput, ModelStreamEvent, ModelTarget } from '#engine/providers/calls/model-call.ts';
import type { ReportedUsage } from '#engine/providers/calls/price.ts';
import { createAnswerText } from './answer-text.ts';
import { assistantMessages, createCallIDs } from './assistant-messages.ts';
import { classifyError } from './classify-error.ts';
import { languageModel } from './model.ts';
import { createOutputBound } from './output-bound.ts';
import { soundMessages } from './sound-messages.ts';
import { createLife, type Life } from './with-life.ts';

interface Sdk {
  /** As `ask` of Models. */
  ask(target: ModelTarget, asked: ModelCallInput, signal: AbortSignal): AsyncGenerator<ModelStreamEvent>;
}

/** Models that are kept ready; the one that was not called for longest makes room. */
const maxModels = 16;

/** The AI SDK with one object for each model that was asked for; the object remembers what it learned about its server. */
export function createSdk(clock: Clock): Sdk {
  const models = new Map<string, Promise<LanguageModel>>();
  // a model is of many calls: which one a request is for, its fetch knows from where it was called
  const lives = new AsyncLocalStorage<Life>();
  const alive = (): void => lives.getStore()?.beat();
  const modelFor = (target: ModelTarget): Promise<LanguageModel> => {
    const key = JSON.stringify(target);
    const model = models.get(key) ?? languageModel(target, { clock, alive });
    models.delete(key);
    models.set(key, model);
    for (const oldest of models.keys()) {
      if (models.size <= maxModels) break;
      models.delete(oldest);
    }
    return model;
  };
  return {
    async *ask(target, asked, signal) {
      const leave = new AbortController();
      const abortSignal = AbortSignal.any([signal, leave.signal]);
      let finished = false;
      try {
        const life = createLife(clock);
        const model = await modelFor(target);
        const { stream, content } = await lives.run(life, () =>
          opened({ model, target, asked, abortSignal }),
        );
        yield* told(life.during(stream), { asked, content });
        abortSignal.throwIfAborted();
        finished = true;
      } catch (error) {
        signal.throwIfAborted();
        throw classifyError(error);
      } finally {
        if (!finished) leave.abort();
      }
    },
  };
}

interface Streaming {
  model: LanguageModel;
  target: ModelTarget;
  asked: ModelCallInput;
  abortSignal: AbortSignal;
}

/**
 * One call at the SDK's lowest level that knows prompts and tools: `streamText` above it passes every token through a dozen more
 * streams, for loops over tools and telemetry that are not used here.
 */
async function opened({ model, target, asked, abortSignal }: Streaming) {
  let content: Content = [];
  const { stream } = await streamCall({
    model,
    // an empty one would go out as an empty message, which a model refuses that takes none
    ...(asked.system === '' ? {} : { instructions: asked.system }),
    messages: soundMessages(asked.messages),
    tools: toolSet(asked),
    toolChoice: asked.toolChoice,
    ...samplingOf(asked),
    // OpenAI's newer API stores conversations on its own side unless it is asked not to.
    ...(target.api === 'responses' ? { providerOptions: { openai: { store: false } } } : {}),
    abortSignal,
    onLanguageModelCallEnd: (end) => {
      content = end.content;
    },
  });
  return { stream, content: () => content };
}

type Content = LanguageModelCallEndEvent<ToolSet>['content'];
type Parts = Awaited<ReturnType<typeof opened>>['stream'] extends AsyncIterable<infer Part> ? Part : never;

async function* told(
  parts: AsyncIterable<Parts | 'alive'>,
  { asked, content }: { asked: ModelCallInput; content: () => Content },
): AsyncGenerator<ModelStreamEvent> {
  const count = createOutputBound(asked);
  const text = createAnswerText(asked);
  const ids = createCallIDs(asked.messages);
  let finish = 'other';
  let usage: ReportedUsage | undefined;
  let isCalling = false;
  for await (const part of parts) {
    if (part === 'alive') {
      yield { type: 'alive' };
      continue;
    }
    switch (part.type) {
      case 'text-delta': {
        const pieces = text.push(part.text);
        yield* pieces.length === 0 ? [{ type: 'alive' as const }] : pieces;
        count(part); // what fits of the last piece is counted
        break;
      }
      case 'reasoning-delta':
        yield { type: 'reasoning', delta: part.text };
        count(part);
        break;
      case 'tool-call':
        isCalling = true;
        yield* text.flush();
        yield {
          type: 'tool call',
          ...{ callID: ids.next(part.toolCallId), tool: part.toolName, args: part.input },
        };
        break;
      case 'model-call-end':
        finish = part.finishReason;
        usage = reported(part.usage);
        break;
      case 'error':
        yield* text.flush();
        throw part.error;
      case 'tool-input-start':
      case 'tool-input-delta':
        count(part);
        yield { type: 'alive' };
        break;
      default:
        yield { type: 'alive' };
    }
  }
  if (isCalling) yield* text.flush();
  const { pieces, messages = ids.in(assistantMessages(content())) } = isCalling ? { pieces: [] } : text.end();
  yield* pieces;
  yield { type: 'end', finish, usage, messages };
}

function reported(usage: LanguageModelUsage): ReportedUsage {
  return {
    inputTokens: usage.inputTokens,
    cachedInputTokens: usage.inputTokenDetails.cacheReadTokens,
    outputTokens: usage.outputTokens,
    reasoningTokens: usage.outputTokenDetails.reasoningTokens,
  };
}

function samplingOf({ sampling: { temperature, topP, maxTokens } = {} }: ModelCallInput) {
  return defined({ temperature, topP, maxOutputTokens: maxTokens });
}

/** Without the means to run them: the caller does. */
function toolSet({ tools }: ModelCallInput): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, schema }) => [
      name,
      tool({ description, inputSchema: jsonSchema(schema) }),
    ]),
  );
}
