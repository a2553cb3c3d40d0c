// Memory that notes a problem with its disk for the operator. The caller gets the same error as before, and goes on without memory.

import type { ActiveProblems } from '#base/active-problems.ts';
import { isDamaged, isDiskFailure, storageError } from '#base/files/disk-failures.ts';
import type { Memory } from '#memory/types/contract.ts';
import type { Journal, JournalCaller } from '#memory/types/journal.ts';

/** The same memory; writing and reading are watched apart, since a full disk can still be read. `damaged` is called with each failure that the file itself is the reason of. */
export function watchMemory(
  memory: Memory,
  path: string,
  { problems, damaged }: { problems: ActiveProblems; damaged: (error: unknown) => void },
): Memory {
  const watched = async <T>(what: string, work: Promise<T>): Promise<T> => {
    try {
      const result = await work;
      problems.clear(what);
      return result;
    } catch (error) {
      if (isDiskFailure(error)) {
        const disk = error instanceof Error && error.cause !== undefined ? error.cause : error;
        const problem = storageError(path, disk);
        const isLost = isDamaged(error);
        problems.note(what, problem, isLost ? 'damaged' : undefined);
        if (isLost) damaged(problem);
      }
      throw error;
    }
  };
  return {
    journal: watchJournal(memory.journal, watched, path),
    journalEntries: (query) => watched(`${path} (reading)`, memory.journalEntries(query)),
    archive: (exchange) => watched(`${path} (writing)`, memory.archive(exchange)),
    put: (note) => watched(`${path} (writing)`, memory.put(note)),
    tellingWords: (text) => memory.tellingWords(text),
    isGreeting: (text) => memory.isGreeting(text),
    forgetTurns: (turns) => watched(`${path} (writing)`, memory.forgetTurns(turns)),
    endSession: (sessionID) => watched(`${path} (writing)`, memory.endSession(sessionID)),
    setRooms: (rooms) => watched(`${path} (writing)`, memory.setRooms(rooms)),
    forget: (request) => watched(`${path} (writing)`, memory.forget(request)),
    list: (query) => watched(`${path} (reading)`, memory.list(query)),
    page: (query) => watched(`${path} (reading)`, memory.page(query)),
    nodes: (query) => watched(`${path} (reading)`, memory.nodes(query)),
    places: (limit) => watched(`${path} (reading)`, memory.places(limit)),
    search: (query) => watched(`${path} (reading)`, memory.search(query)),
    recall: (request) => watched(`${path} (reading)`, memory.recall(request)),
    records: (query) => watched(`${path} (reading)`, memory.records(query)),
    marked: (query) => watched(`${path} (reading)`, memory.marked(query)),
    show: (query) => watched(`${path} (reading)`, memory.show(query)),
    forgotten: (query) => watched(`${path} (reading)`, memory.forgotten(query)),
    audit: (query) => watched(`${path} (reading)`, memory.audit(query)),
    pruneAudit: (before, signal) => watched(`${path} (writing)`, memory.pruneAudit(before, signal)),
    countAudit: () => memory.countAudit(),
    importPath: (request) => watched(`${path} (writing)`, memory.importPath(request)),
    promote: (request) => watched(`${path} (writing)`, memory.promote(request)),
    demote: (request) => watched(`${path} (writing)`, memory.demote(request)),
    retract: (request) => watched(`${path} (writing)`, memory.retract(request)),
    signal: (request) => watched(`${path} (writing)`, memory.signal(request)),
    signals: (of) => watched(`${path} (reading)`, memory.signals(of)),
    pin: (request) => watched(`${path} (writing)`, memory.pin(request)),
    promoteKnowledge: (request) => watched(`${path} (writing)`, memory.promoteKnowledge(request)),
    withdrawKnowledge: (request) => watched(`${path} (writing)`, memory.withdrawKnowledge(request)),
    knowledge: (query) => watched(`${path} (reading)`, memory.knowledge(query)),
    preflight: (query) => watched(`${path} (reading)`, memory.preflight(query)),
    noteRead: (read) => watched(`${path} (writing)`, memory.noteRead(read)),
    response: (query) => watched(`${path} (reading)`, memory.response(query)),
    keepResponse: (response) => watched(`${path} (writing)`, memory.keepResponse(response)),
    dropResponses: (which) => watched(`${path} (writing)`, memory.dropResponses(which)),
    filePrompt: (request) => memory.filePrompt(request),
    readFile: (request) => memory.readFile(request),
    listFiles: (request) => memory.listFiles(request),
    convertFiles: (request) => memory.convertFiles(request),
    listArtifacts: (request) => memory.listArtifacts(request),
    readWholeFile: (request) => memory.readWholeFile(request),
    replaceFile: (request) => watched(`${path} (writing)`, memory.replaceFile(request)),
    exportFiles: (request) => memory.exportFiles(request),
    noteFile: (note) => watched(`${path} (writing)`, memory.noteFile(note)),
    editFile: (edit) => watched(`${path} (writing)`, memory.editFile(edit)),
    indexFiles: (request) => watched(`${path} (writing)`, memory.indexFiles(request)),
    recordUse: (use) => watched(`${path} (writing)`, memory.recordUse(use)),
    dueSweeps: () => watched(`${path} (reading)`, memory.dueSweeps()),
    sweep: (request) => watched(`${path} (writing)`, memory.sweep(request)),
    promoteRecalled: (request) => watched(`${path} (writing)`, memory.promoteRecalled(request)),
    explainCandidate: (id) => watched(`${path} (reading)`, memory.explainCandidate(id)),
    remHarness: (request) => watched(`${path} (reading)`, memory.remHarness(request)),
    remBackfill: (request) => watched(`${path} (writing)`, memory.remBackfill(request)),
    revertDreams: (request) => watched(`${path} (writing)`, memory.revertDreams(request)),
    repairDreams: () => watched(`${path} (writing)`, memory.repairDreams()),
    budgets: (query) => watched(`${path} (reading)`, memory.budgets(query)),
    consolidate: (request) => watched(`${path} (writing)`, memory.consolidate(request)),
    dreamingStatus: () => watched(`${path} (reading)`, memory.dreamingStatus()),
    status: (of) => memory.status(of),
    close: () => memory.close(),
  };
}

/** The journal with each of its calls watched. */
function watchJournal(
  journal: Journal,
  watched: <T>(what: string, work: Promise<T>) => Promise<T>,
  path: string,
): Journal {
  type Call = (caller: JournalCaller, input: unknown) => Promise<unknown>;
  const entries: [string, Call][] = Object.entries(journal);
  const calls = entries.map(([name, call]): [string, Call] => {
    const what = `${path} (${isRead(name) ? 'reading' : 'writing'})`;
    return [name, (caller, input) => watched(what, call(caller, input))];
  });
  return Object.fromEntries(calls) as unknown as Journal; // the same names with the same results
}

function isRead(name: string): boolean {
  return /^(get|list|search|bundle)/.test(name);
}
