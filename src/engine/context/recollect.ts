// What a prompt is given of memory: the files of its chat, what its message recalls, and what a look before the answer volunteers.

import type { Clock } from '#base/clock.ts';
import { errorMessage } from '#base/errors.ts';
import type { Log } from '#base/log/log.ts';
import { truncate } from '#base/text.ts';
import { withTimeout } from '#base/waiting/async.ts';
import type { StoredMessage } from '#engine/sessions/wire-shapes.ts';
import { withoutNotes } from '#engine/wire/channels/notes.ts';
import type { PromptOrigin } from '#engine/wire/runs/prompt.ts';
import type { Memory } from '#memory/types/contract.ts';
import type { FilePrompt, ShownFile } from '#memory/types/files.ts';
import type { Hit } from '#memory/types/recall.ts';
import type { Scope } from '#memory/types/scope.ts';
import type { Agent } from './agents.ts';
import type { LookAhead } from './look-ahead.ts';
import { noteOriginOf } from './scope-of.ts';
import { wordsOfMessage } from './speech.ts';

interface Recollection {
  /** The blocks; each may be empty. */
  files: string;
  recalled: string;
  volunteered: string;
  /** Texts of the files, and what was found, what was volunteered behind what was recalled. */
  texts: readonly string[];
  hits: Hit[];
  /** A sentence for each corpus that can be searched next to memory. */
  corpora: readonly string[];
  /** What could not be done, as text. */
  degraded: string[];
}

interface RecollectRequest {
  message: StoredMessage;
  /** The conversation that the prompt holds, oldest first. */
  history: readonly StoredMessage[];
  agent: Agent;
  origin: PromptOrigin | undefined;
  scope: Scope;
  /** Absent where nothing is to be volunteered. */
  look: LookAhead | undefined;
  signal: AbortSignal;
}

/** Memory that takes longer is left out of the prompt, which then says so. */
const recallMs = 5_000;
/** The part of a prompt that memory is asked with. */
const recallChars = 4_000;

/** Memory as prompts read it. What fails is left out, and said in `degraded`: an answer without memory is better than none. */
export function createRecollect({ memory, clock, log }: { memory: Memory; clock: Clock; log: Log }) {
  const recall = async (
    text: string,
    { message, scope, signal }: RecollectRequest,
    inPrompt: Promise<readonly ShownFile[]>,
  ) => {
    const { sessionID: currentSession } = message;
    try {
      return await withTimeout({ clock, ms: recallMs, what: 'Recalling', signal }, () =>
        memory.recall({ text, scope, currentSession, inPrompt }),
      );
    } catch (error) {
      signal.throwIfAborted();
      log.warn({ sessionID: currentSession, error: errorMessage(error) }, 'memory could not be recalled');
      return { block: '', hits: [], degraded: ['nothing could be recalled'] };
    }
  };

  const readFiles = async ({ origin, scope, signal }: RecollectRequest): Promise<FilePrompt> => {
    const { audience } = noteOriginOf(origin).where;
    try {
      return await withTimeout({ clock, ms: recallMs, what: 'Reading the memory files', signal }, () =>
        memory.filePrompt({ audience, scope }),
      );
    } catch (error) {
      signal.throwIfAborted();
      log.warn({ error: errorMessage(error) }, 'the memory files could not be read');
      return { ...noFiles, degraded: [`the memory files could not be read (${errorMessage(error)})`] };
    }
  };

  return async (request: RecollectRequest): Promise<Recollection> => {
    const { agent, scope, message, history, look } = request;
    if (agent.memory === 'off')
      return { files: '', recalled: '', volunteered: '', texts: [], hits: [], corpora: [], degraded: [] };
    // the files of an audience are for all agents that share their memory
    const reading = scope.partition === undefined ? readFiles(request) : Promise.resolve(noFiles);
    const greets = memory.isGreeting(withoutNotes(wordsOfMessage(message)));
    const text = greets ? '' : questionOf(message);
    // read while the index is brought up to date; waited for here too, so that its failure has someone who handles it
    const shown = reading.then((files) => files.shown);
    const [files, recalled] = await Promise.all([reading, recall(text, request, shown), shown]);
    const looked = await (greets ? undefined : look)?.({
      ...{ text, scope, currentSession: message.sessionID, inPrompt: files.shown },
      except: {
        ids: recalled.hits.map(({ id }) => id),
        runIDs: [...new Set(history.flatMap(({ runID }) => runID ?? []))],
      },
      speaker: message.speaker?.name,
      earlier: history.flatMap((before) => {
        const words = withoutNotes(wordsOfMessage(before));
        return words === '' ? [] : [{ role: before.role, speaker: before.speaker?.name, text: words }];
      }),
    });
    return {
      files: files.block,
      recalled: recalled.block,
      volunteered: looked?.block ?? '',
      texts: files.texts,
      hits: [...recalled.hits, ...(looked?.hits ?? [])],
      corpora: files.corpora,
      degraded: [...new Set([...files.degraded, ...recalled.degraded])],
    };
  };
}

const noFiles: FilePrompt = { block: '', texts: [], shown: [], degraded: [], corpora: [] };

/** The words that memory is asked with: a thread that is quoted in whole would leave no room for the question. */
function questionOf(message: StoredMessage): string {
  const words = wordsOfMessage(message);
  const text = truncate(words.length > recallChars ? withoutNotes(words) || words : words, recallChars);
  return text.trim() === '' ? '' : text;
}
