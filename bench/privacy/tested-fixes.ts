// Protections without which nobody is shown a word that they could not read, or of which histories have no occasion: tests miss them.
import { edit, type Fix } from './fix.ts';

const amend = 'src/engine/conversations/amend.ts';
const viewers = 'src/engine/http/guards/viewer-engine.ts';

export const testedFixes: readonly Fix[] = [
  {
    name: 'refused-parts',
    ensures: 'a part that a platform keeps refusing is given up',
    shows: { test: 'test/adapters/gateway/delivery/given-up.test.ts' },
    edits: [
      edit(
        'src/adapters/gateway/delivery/give-up.ts',
        'refused !== undefined && isRefusedForLong(',
        'Boolean(false) && isRefusedForLong(',
      ),
    ],
  },
  {
    name: 'refused-changes',
    ensures: 'a change that the engine keeps refusing holds up nothing without end',
    shows: { test: 'test/adapters/gateway/hand-overs.test.ts' },
    edits: [
      edit(
        'src/adapters/gateway/turns/hand-overs.ts',
        'if (!isRefusedForLong(refused, { now: at, giveUpMs: options.giveUpMs() })) return false;',
        'if (at > Number.NEGATIVE_INFINITY) return false;',
      ),
    ],
  },
  {
    name: 'refused-answers',
    ensures: 'a delivered answer that memory refuses is counted in the status',
    shows: { test: 'test/adapters/gateway/delivery.test.ts' },
    edits: [edit('src/adapters/gateway/delivery/report-delivered.ts', 'refused.add(id);')],
  },
  {
    name: 'changes-first',
    ensures: 'a program with the token of a person reads once the engine has every change',
    shows: { test: 'test/adapters/gateway/hand-overs.test.ts' },
    edits: [
      edit('src/adapters/gateway/gateway-parts.ts', 'settled: handOvers.flush,', 'settled: async () => {},'),
    ],
  },
  {
    name: 'replayed-hooks',
    ensures: 'a captured signed request of a webhook is sent once',
    shows: { test: 'test/engine/http/hook-routes.test.ts' },
    edits: [
      edit(
        'src/engine/schedules/hooks.ts',
        'if (isSame(signature, expected)) return `signed ${expected}`;',
        'if (isSame(signature, expected)) return key === undefined ? `signed ${proof.signature}` : `key ${key}`;',
      ),
    ],
  },
  {
    name: 'page-bounds',
    ensures: 'a page that takes too much of the processor is ended',
    shows: { test: 'test/engine/web-fetch.test.ts' },
    edits: [
      edit(
        'src/base/documents/document-threads.ts',
        "if ((await thread.cpuMs()) - before > limits.cpuMs) over ??= 'time';",
        'void before;',
      ),
    ],
  },
  {
    name: 'masked-commands',
    ensures: 'passwords in commands and settings are masked',
    shows: { test: 'test/memory/secrets/commands.test.ts' },
    edits: [
      edit(
        'src/memory/secrets/redact.ts',
        '...commandSecretsIn(text),',
        '...commandSecretsIn(text).slice(0, 0),',
      ),
    ],
  },
  {
    name: 'refused-outside',
    ensures: 'what fails before it is stored is passed by after some minutes',
    shows: { test: 'test/adapters/gateway/intake/refused-events.test.ts' },
    edits: [
      edit(
        'src/adapters/gateway/intake/refused-events.ts',
        'take: ({ key, cursor }, work) => bounded({ key, cursor, isOutage }, { work, instead: undefined }),',
        'take: (_, work) => work(),',
      ),
    ],
  },
  {
    name: 'forged-summaries',
    ensures: 'no line of a message is the line of another person in what is summarized',
    shows: { test: 'test/engine/forged-lines.test.ts' },
    edits: [edit('src/engine/context/compaction.ts', 'withIndentedLines(', '((text: string) => text)(')],
  },
  {
    name: 'forged-results',
    ensures: 'no block in what a tool gives is read as memory',
    shows: { test: 'test/engine/forged-lines.test.ts' },
    edits: [edit('src/engine/context/history.ts', 'asSaidIn(part.result)', 'part.result')],
  },
  {
    name: 'audit-readers',
    ensures: 'an owner who reads in the name of a person leaves a line in the audit',
    shows: { test: 'test/engine/http/audited-routes.test.ts' },
    edits: [
      edit(
        'src/engine/http/guards/audited-engine.ts',
        'await noteEach(subjects, lookWords.forReader);',
        'void subjects;',
      ),
    ],
  },
  {
    name: 'audit-uploads',
    ensures: 'an owner who names an upload of another person in a prompt leaves a line in the audit',
    shows: { test: 'test/engine/http/signed-in-looks.test.ts' },
    edits: [edit('src/engine/http/guards/audited-engine.ts', 'await noteFiles(body.parts);')],
  },
  {
    name: 'attached',
    ensures: 'what was spoken or attached goes with its message',
    shows: { test: 'test/app/edited-words.test.ts' },
    edits: [
      edit(amend, '`${run.text}\\n${told.attached}`', 'run.text'),
      edit(amend, 'answer: told.attached };', "answer: '' };"),
    ],
  },
  {
    name: 'many-pieces',
    ensures:
      'a message of many pieces stays as a whole when its answer repeats words which another message took back',
    shows: { test: 'test/engine/amend-again.test.ts' },
    edits: [edit('src/engine/conversations/later-answers.ts', "samples: 'all', ")],
  },
  {
    name: 'forgotten-stays',
    ensures: 'what a person forgot is not brought back by a change of another message',
    shows: { test: 'test/engine/amend-again.test.ts' },
    edits: [edit(amend, 'isKept ? undefined : run.archived', 'isKept ? undefined : undefined')],
  },
  {
    name: 'viewer-open-streams',
    ensures: 'the stream that a viewer has of a conversation ends as soon as its room is closed',
    shows: { test: 'test/app/closed-to-viewers.test.ts' },
    edits: [
      edit(viewers, "if (type === 'rooms.changed' && !(await isOpen(sessionID))) return;", 'void type;'),
    ],
  },
  {
    name: 'stalled-readers',
    ensures: 'a reader of a stream that takes nothing of it is cut off',
    shows: { test: 'test/engine/http/event-route.test.ts' },
    edits: [edit('src/engine/http/routes/runs/event-route.ts', 'c.env?.endWhenStalled?.();')],
  },
  {
    name: 'slow-readers',
    ensures: 'a reader that is too far behind is ended with a reason',
    shows: { test: 'test/engine/events.test.ts' },
    edits: [
      edit(
        'src/engine/events/subscriber.ts',
        "if (held.length >= capacity) state = 'overflowed';\n      else held.push(event);",
        'held.push(event);',
      ),
    ],
  },
  {
    name: 'many-streams',
    ensures: 'one sign-in has a bounded number of streams',
    shows: { test: 'test/engine/http/browser-streams.test.ts' },
    edits: [edit('src/engine/http/guards/browser-streams.ts', 'if (count >= most)', 'if (count < 0)')],
  },
  {
    name: 'flooded-sockets',
    ensures: 'a client of a WebSocket that reads nothing is cut off',
    shows: { test: 'test/sandbox/slack/socket-mode.test.ts' },
    edits: [
      edit(
        'src/sandbox/loopback.ts',
        'if (socket.bufferedAmount > mostWaiting)',
        'if (socket.bufferedAmount < 0)',
      ),
    ],
  },
  {
    name: 'late-runs',
    ensures: 'a run that has waited for long looks up only what is its own',
    shows: { test: 'test/engine/memory-tools.test.ts' },
    edits: [
      edit(
        'src/engine/context/scope-of.ts',
        'now - origin.reachAtMs <= reachMs) return scope;',
        'now !== 0) return scope;',
      ),
    ],
  },
  {
    name: 'teams',
    ensures: 'an agent that is started in a room reads what the room may read',
    shows: { test: 'test/engine/teams/own-memory.test.ts' },
    edits: [
      edit(
        'src/engine/missions/spawn.ts',
        'origin: mission?.origin,',
        "origin: mission?.origin && { ...mission.origin, kind: 'dm' as const, audience: 'person:per_1' as const },",
      ),
    ],
  },
  {
    name: 'scheduled-answers',
    ensures: 'what a schedule brings belongs to its room as that is when it comes',
    shows: { test: 'test/app/schedules-in-closed-rooms.test.ts' },
    edits: [
      edit(
        'src/adapters/gateway/turn-prompt/prompt-body.ts',
        'restricted: single || place.restricted,',
        'restricted: single,',
      ),
    ],
  },
  {
    name: 'cached-answers',
    ensures: 'a cached answer is given only where it was asked',
    shows: { test: 'test/engine/response-cache-runs.test.ts' },
    edits: [
      edit(
        'src/memory/tables/responses.ts',
        'AND ${ownAudience} AND ${writtenSince',
        'AND @audiences IS NOT NULL AND ${writtenSince',
      ),
    ],
  },
  {
    name: 'journal-readers',
    ensures: 'the journal shows what its reader may read',
    shows: { test: 'test/memory/journal/journal-audiences.test.ts' },
    edits: [
      edit(
        'src/memory/tables/audience.ts',
        "record: over('created_at_ms') }",
        "record: `(1 OR ${over('created_at_ms')})` }",
      ),
    ],
  },
  {
    name: 'dreams',
    ensures: 'dreaming writes what was recalled into the file of its own audience',
    shows: { test: 'test/memory/dreaming/isolation.test.ts' },
    edits: [
      edit(
        'src/memory/chunks/passages.ts',
        'WHERE audience = @audience AND partition IS NULL',
        'WHERE (audience = @audience OR 1) AND partition IS NULL',
      ),
    ],
  },
  {
    name: 'file-hosts',
    ensures: "files come from the platform's own servers",
    shows: { test: 'test/adapters/uploads/file-host.test.ts' },
    edits: [
      edit(
        'src/adapters/uploads/file-host.ts',
        'if (url !== undefined && (isTheirs || isOwn)) return url;',
        'if (url !== undefined) return url;',
      ),
    ],
  },
  {
    name: 'backup-modes',
    ensures: 'a backup is for its owner alone',
    shows: { test: 'test/app/backup/backup.test.ts' },
    edits: [
      edit('src/app/backup/copy.ts', "open(to, 'wx', 0o600)", "open(to, 'wx', 0o644)"),
      edit('src/app/backup/snapshot.ts', 'chmodSync(to, 0o600);', 'chmodSync(to, 0o644);'),
    ],
  },
  {
    name: 'two-presses',
    ensures: 'of two who answer a request at once one is taken',
    shows: { test: 'test/adapters/gateway/buttons.test.ts' },
    edits: [
      edit(
        'src/adapters/gateway/requests/accept-button-press.ts',
        "if (asked.state !== 'open' || asked.answers.length !== Number(step))",
        "if (asked.state !== 'open' && asked.answers.length !== Number(step))",
      ),
    ],
  },
  {
    name: 'scripts',
    ensures: 'the policy of the console admits no inline script',
    shows: { test: 'test/console/page/scripts.test.ts' },
    edits: [
      edit(
        'src/console/console.ts',
        "\"default-src 'self'; base-uri",
        "\"default-src 'self' 'unsafe-inline'; base-uri",
      ),
    ],
  },
];
