// The engine as an owner in a browser has it: what shows another person's private words is noted in the audit of memory before it is shown.
import { createLruCache } from '#base/caches/lru-cache.ts';
import type { Clock } from '#base/clock.ts';
import { runIfAny } from '#engine/http/routing/lookup.ts';
import { ApiError } from '#engine/http/routing/refusal.ts';
import type { Operations } from '#engine/operations/operation.ts';
import { lookWords } from '#engine/wire/memory/look-words.ts';
import { memoryOperations } from '#engine/wire/memory/memory-operations.ts';
import { activeRunOperations, runOperations } from '#engine/wire/run-operations.ts';
import type { PromptBody } from '#engine/wire/runs/prompt.ts';
import { uploadPath, uploadUrl } from '#engine/wire/runs/upload-url.ts';
import type { EngineService } from '#engine/wire/service.ts';
import { sessionOperations } from '#engine/wire/sessions/session-operations.ts';

/** Who sends the request that is being answered; `noted` are the subjects that the request has left a line for. */
export interface Asker {
  name: string;
  noted: Set<string>;
}

/** Whose words a call shows. */
type Subject =
  | { sessionID: string | undefined }
  | { runID: string }
  | { missionID: string | undefined }
  | { audience: string | undefined };

type Args<Name extends keyof EngineService> = EngineService[Name] extends (...args: infer All) => unknown
  ? All
  : never;
type Result<Name extends keyof EngineService> = EngineService[Name] extends (
  ...args: never[]
) => Promise<infer One>
  ? One
  : never;
type Lists = { [Name in keyof EngineService]?: (result: Result<Name>) => Subject[] };
type Shows = { [Name in keyof EngineService]?: (...args: Args<Name>) => Subject | undefined };

/**
 * The calls that show words, by the subject whose words they are. Whatever route asks for one, it leaves its line; a call that is not here
 * shows no words, or is noted where it reads them.
 */
const shows: Shows = {
  ...shownOf({ ...sessionOperations, ...activeRunOperations }, 'sessionID'),
  // older pages are of the same look
  sessionMessages: ({ sessionID, before }) => (before === undefined ? { sessionID } : undefined),
  messages: (sessionID) => ({ sessionID }),
  ...shownOf(runOperations, 'runID'),
  finished: (runID) => ({ runID }),
  runMessages: (runID) => ({ runID }),
  ...shownAudiences(memoryOperations),
};

/** Each operation that reads an audience, unless it says why it leaves no line; and each change that gives back words of one. */
function shownAudiences(operations: Operations): Shows {
  const shown = Object.entries(operations).filter(
    ([, { effect, unaudited, showsWords }]) =>
      (effect === 'read' || showsWords === true) && unaudited === undefined,
  );
  return Object.fromEntries(
    shown.map(([name]) => [name, ({ audience }: { audience?: string | undefined }) => ({ audience })]),
  );
}

/** Each operation that concerns one session or run, unless it says why it leaves no line. */
function shownOf(operations: Operations, of: 'sessionID' | 'runID'): Shows {
  const shown = Object.entries(operations).filter(
    ([, { first, unaudited }]) => first === of && unaudited === undefined,
  );
  return Object.fromEntries(
    shown.map(([name]) => [name, (input: Record<typeof of, string>) => ({ [of]: input[of] })]),
  );
}

const ofSessions = (all: readonly { sessionID?: string | undefined }[]): Subject[] =>
  all.map(({ sessionID }) => ({ sessionID }));

const ofPersons = (all: readonly { person: string | null }[]): Subject[] =>
  all.flatMap(({ person }) => (person === null ? [] : [{ audience: `person:${person}` }]));

/** The calls that show words of many, of whom only the answer says: titles, answers, questions, texts of reminders; also as they were changed. */
const lists: Lists = {
  sessionChildren: ({ sessions }) => sessions.map(({ id }) => ({ sessionID: id })),
  findSessions: ({ sessions }) => sessions.map(({ id }) => ({ sessionID: id })),
  listRuns: ({ runs }) => ofSessions(runs),
  findRun: (run) => ofSessions(run === undefined ? [] : [run]),
  permissions: ofSessions,
  questions: ofSessions,
  missions: ofSessions,
  instances: ofSessions,
  spawnApprovals: (asked) => asked.map(({ missionID }) => ({ missionID })),
  listSchedules: ofPersons,
  confirmSchedule: (schedule) => ofPersons([schedule]),
  changeSchedule: (schedule) => ofPersons([schedule]),
  deleteSchedule: (schedule) => ofPersons([schedule]),
  takeFirings: ofPersons,
  cancelMission: (mission) => ofSessions([mission]),
  cancelInstance: (instance) => ofSessions([instance]),
  putMemory: ({ audience, contradicts, also_supersedes: also }) =>
    contradicts === undefined && also === undefined ? [] : [{ audience }],
  openArtifact: (found) => (found === undefined ? [] : [{ runID: found.artifact.runID }]),
};

/** The calls that note what they show by more than one of their fields, or as they go on. */
const notedHere = [
  'memoryJournal',
  'exportContent',
  'events',
  'forReader',
  'transcribe',
  'prompt',
  'appendMessage',
] as const;

/** All calls that leave a line where they show words of another person. */
export const auditedCalls: ReadonlySet<string> = new Set([
  ...Object.keys(shows),
  ...Object.keys(lists),
  ...notedHere,
]);

/** A list that is looked at again within an hour leaves no second line: pages ask for theirs after each event. */
const sameLookMs = 3_600_000;
/** Looks that are remembered for that; the oldest then leaves a line again. */
const maxLooks = 10_000;

/** The engine for owners; `asker` gives who asks, and undefined for a program with the token, whose looks are not noted. */
export function createAuditedEngine(
  engine: EngineService,
  asker: () => Asker | undefined,
  clock: Pick<Clock, 'now'>,
): EngineService {
  const looks = createLruCache<string, number>(maxLooks);
  const note = async (by: Asker, subject: Subject, how: string): Promise<void> => {
    if ('audience' in subject) {
      const { audience } = subject;
      if (audience === undefined || by.noted.has(audience)) return;
      await engine.noteRead(audience, { by: by.name, how });
      by.noted.add(audience);
      return;
    }
    const sessionID = await sessionOf(engine, subject);
    if (sessionID === undefined || by.noted.has(sessionID)) return;
    await engine.noteOpened(sessionID, by.name);
    by.noted.add(sessionID);
  };
  const noteEach = async (subjects: readonly Subject[], how: string): Promise<void> => {
    const by = asker();
    if (by !== undefined) for (const each of subjects) await note(by, each, how);
  };
  const noted =
    (name: string, subjectOf: (...args: never[]) => Subject | undefined) =>
    async (...args: never[]): Promise<unknown> => {
      const by = asker();
      const subject = by && subjectOf(...args);
      if (by !== undefined && subject !== undefined) await note(by, subject, lookOf(name));
      return (Reflect.get(engine, name) as (...all: never[]) => Promise<unknown>)(...args);
    };
  const noteListed = async (by: Asker, subjects: readonly Subject[], how: string): Promise<void> => {
    for (const subject of subjects) {
      const look = JSON.stringify([by.name, subject]);
      const at = looks.get(look);
      if (at !== undefined && clock.now() - at < sameLookMs) continue;
      await note(by, subject, how);
      looks.set(look, clock.now());
    }
  };
  const listed =
    (name: string, subjectsOf: (result: never) => Subject[]) =>
    async (...args: never[]): Promise<unknown> => {
      const call = calls[name] ?? (Reflect.get(engine, name) as (...all: never[]) => Promise<unknown>);
      const result = await call(...args);
      const by = asker();
      if (by !== undefined) await noteListed(by, subjectsOf(result as never), lookOf(name)); // of the call of this name
      return result;
    };
  const noteFiles = async (parts: PromptBody['parts']): Promise<void> => {
    if (asker() !== undefined) await noteEach(await subjectsOfFiles(engine, parts), 'prompt');
  };
  const calls = Object.fromEntries(
    Object.entries(shows).map(([name, subjectOf]) => [
      name,
      noted(name, subjectOf as (...args: never[]) => Subject | undefined), // of the call of this name
    ]),
  );
  const listCalls = Object.entries(lists).map(([name, subjectsOf]) => [
    name,
    listed(name, subjectsOf as (result: never) => Subject[]),
  ]);
  const audited: Pick<EngineService, (typeof notedHere)[number]> & Partial<EngineService> = {
    ...calls,
    ...Object.fromEntries(listCalls),
    async memoryJournal(query) {
      const by = asker();
      const isOfOne = query.audiences === undefined;
      if (by !== undefined && isOfOne) await note(by, { audience: query.audience }, lookWords.memoryJournal);
      const shown = await engine.memoryJournal(query);
      // of many, each whose words are shown
      const audiences = new Set(shown.entries.map(({ audience }) => audience));
      const subjects = [...audiences].map((audience): Subject => ({ audience }));
      if (by !== undefined && !isOfOne) await noteListed(by, subjects, lookWords.memoryJournal);
      return shown;
    },
    async exportContent(of) {
      const subjects = of.persons.map((person) => ({ audience: `person:${person}` }));
      await noteEach(subjects, lookWords.exportContent);
      return engine.exportContent(of);
    },
    async forReader(operation, call) {
      const { audience, reach } = call.reader;
      const subjects = [audience, ...reach.audiences].map((each) => ({ audience: each }));
      await noteEach(subjects, lookWords.forReader);
      return engine.forReader(operation, call);
    },
    async prompt(sessionID, body, how) {
      await noteFiles(body.parts);
      return engine.prompt(sessionID, body, how);
    },
    async appendMessage(message, how) {
      await noteFiles(message.parts);
      return engine.appendMessage(message, how);
    },
    // whose voice an upload is, only its conversation says: there it stands in words
    async transcribe(request, how) {
      if (asker() === undefined) return engine.transcribe(request, how);
      throw new ApiError({
        status: 403,
        code: 'PROGRAMS_TRANSCRIBE',
        message: 'Programs with the token have speech written down. Read it in its conversation.',
      });
    },
    events(filter, signal) {
      const by = asker();
      const { sessionID, runID } = filter;
      const subject = runID === undefined ? { sessionID } : { runID };
      if (by === undefined) return engine.events(filter, signal);
      return (async function* () {
        await note(by, subject, 'events');
        for await (const event of engine.events(filter, signal)) {
          // of a stream over all conversations, each event says whose words it shows
          await note(by, { sessionID: event.envelope.session_id ?? undefined }, 'events');
          yield event;
        }
      })();
    },
  };
  return new Proxy(engine, {
    get: (all, name) => Reflect.get(audited, name) ?? Reflect.get(all, name),
  });
}

/** What the audit says of a call; its name where it shows no audience, whose line then says that a conversation was opened. */
function lookOf(name: string): string {
  return new Map<string, string>(Object.entries(lookWords)).get(name) ?? name;
}

async function sessionOf(
  engine: EngineService,
  subject: Exclude<Subject, { audience: unknown }>,
): Promise<string | undefined> {
  if ('sessionID' in subject) return subject.sessionID;
  if ('runID' in subject) return (await runIfAny(engine, subject.runID))?.sessionID;
  if (subject.missionID === undefined) return undefined; // asked by a program, for nobody
  return (await engine.missions({ missionID: subject.missionID }))[0]?.sessionID;
}

/** A model tells what stands in the files of its prompt: whoever names an upload reads what the conversations have in which it stands. */
async function subjectsOfFiles(
  engine: Pick<EngineService, 'fileSessions'>,
  parts: PromptBody['parts'],
): Promise<{ sessionID: string }[]> {
  const paths = new Set(parts.map((part) => (part.type === 'file' ? uploadPath(part.url) : undefined)));
  const subjects: { sessionID: string }[] = [];
  for (const path of paths) {
    if (path === undefined) continue;
    // a path can be written in many ways, and stands in conversations in one
    const sessions = await engine.fileSessions(uploadUrl(path));
    if (sessions.length === 0)
      throw new ApiError({
        status: 403,
        code: 'UPLOAD_OF_NO_CONVERSATION',
        message: `${JSON.stringify(path)} stands in no conversation, so that nobody knows whose it is. Name a file of a conversation, or let a program with the token send it.`,
      });
    subjects.push(...sessions.map((sessionID) => ({ sessionID })));
  }
  return subjects;
}
