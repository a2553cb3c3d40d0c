// What each route asks the engine for, and what it makes of the answer. No tests.

export type Call = [name: string, ...args: unknown[]];

export interface Row {
  at: string;
  body?: unknown;
  /** The call of the engine that the route is there for, with its first arguments. */
  call: Call;
  /** What the engine answers; the name of the call unless set. */
  gives?: unknown;
  /** The body of the response; what the engine gives unless set. */
  shows?: unknown;
  status?: number;
  total?: string;
}

const ok = { ok: true };
const persons = ['per_1'];
const page = { limit: 20, offset: 0 };
const done = { shows: ok };
const row = (at: string, call: Call, more: Partial<Row> = {}): Row => ({ at, call, ...more });
const messages = [{ info: { id: 'm8' }, parts: [] }];
const sessionList = { sessions: [{ id: 's2' }], total: 7 };

export const rows: readonly Row[] = [
  row(
    'GET /runs?page_size=5&page=3&sessionID=s1&status=error',
    ['listRuns', { sessionID: 's1', status: 'error', limit: 5, offset: 10 }],
    {
      gives: { runs: [{ runID: 'r9' }], total: 31 },
      shows: [{ runID: 'r9' }],
      total: '31',
    },
  ),
  row('GET /runs/r1', ['getRun', { runID: 'r1' }], { gives: { runID: 'r1', text: 'x' } }),
  row('GET /runs/r1/events?after_seq=4', ['runEvents', { runID: 'r1', after_seq: 4, limit: 200 }]),
  row('GET /runs/r1/events', ['runEvents', { runID: 'r1', after_seq: 0, limit: 200 }]),
  row('GET /runs/r1/prompt', ['runPrompt', { runID: 'r1' }]),
  row('POST /runs/r1/amend', ['amend', { runID: 'r1', nativeID: 'm', was: 'a', now: null }], {
    body: { nativeID: 'm', was: 'a', now: null },
    ...done,
  }),
  row('POST /runs/r1/delivered', ['delivered', { runID: 'r1', deliveredAtMs: 5, nativeIDs: ['n'] }], {
    body: { deliveredAtMs: 5, nativeIDs: ['n'] },
    ...done,
  }),
  row('GET /session/status', ['activeBySession']),
  row('GET /session/s1/run', ['activeRun', { sessionID: 's1' }], { gives: { active: null } }),
  row('GET /context/runs/r1/replay', ['replayRun', { runID: 'r1', from_checkpoint: false }]),
  row('GET /context/runs/r1/replay?upto_seq=3&from_checkpoint=true', [
    'replayRun',
    { runID: 'r1', upto_seq: 3, from_checkpoint: true },
  ]),
  row('GET /usage/series?from_ms=1&until_ms=1000001&step_ms=1000', [
    'usageSeries',
    { from_ms: 1, until_ms: 1_000_001, step_ms: 1_000 },
  ]),
  row('GET /usage?by=session', ['usage', { by: 'session', limit: 100 }]),
  row('POST /session', ['createSession', { title: 'T', sourceKind: 'api' }, { idempotencyKey: undefined }], {
    body: { title: 'T' },
  }),
  row(
    'GET /session?ids=a,b&archived=all&shared=true&from_ms=2&until_ms=9',
    ['findSessions', { ids: ['a', 'b'], archived: undefined, shared: true, fromMs: 2, untilMs: 9, ...page }],
    { gives: sessionList, shows: [{ id: 's2' }], total: '7' },
  ),
  row('GET /session/s1', ['getSession', { sessionID: 's1' }], { gives: { id: 's1', title: 'T', messages } }),
  row('PATCH /session/s1', ['updateSession', { sessionID: 's1', title: 'U' }], { body: { title: 'U' } }),
  row('DELETE /session/s1', ['deleteSession', { sessionID: 's1' }], done),
  row('GET /session/s1/message', ['sessionMessages', { sessionID: 's1', reverted: false }], {
    gives: { messages },
    shows: messages,
  }),
  row('GET /session/s1/message?reverted=true', ['sessionMessages', { sessionID: 's1', reverted: true }], {
    gives: { messages },
    shows: messages,
  }),
  row(
    'GET /session/s1/message?limit=2&before=m9',
    ['sessionMessages', { sessionID: 's1', before: 'm9', limit: 2 }],
    { gives: { messages, total: 12 }, shows: messages, total: '12' },
  ),
  row(
    'POST /session/s1/message',
    ['appendMessage', { sessionID: 's1', parts: [{ type: 'text', text: 'a' }] }],
    {
      body: { parts: [{ type: 'text', text: 'a' }], metadata: null },
      gives: messages[0],
    },
  ),
  row(
    'POST /session/s1/attach',
    ['attachSession', { sessionID: 's1', target_workspace: '/w', reason_tag: 'moved' }],
    {
      body: { target_workspace: '/w', reason_tag: 'moved' },
    },
  ),
  row('POST /session/s1/fork', ['forkSession', { sessionID: 's1', messageID: 'm1' }], {
    body: { messageID: 'm1' },
  }),
  row('GET /session/s1/children', ['sessionChildren', { sessionID: 's1', ...page }], {
    gives: sessionList,
    shows: [{ id: 's2' }],
    total: '7',
  }),
  row('POST /session/s1/revert', ['revertSession', { sessionID: 's1', messageID: 'm1' }], {
    body: { messageID: 'm1' },
  }),
  row('POST /session/s1/unrevert', ['unrevertSession', { sessionID: 's1' }], { body: {} }),
  row('GET /session/s1/snapshots', ['sessionSnapshots', { sessionID: 's1' }]),
  row('GET /session/s1/diff', ['sessionDiff', { sessionID: 's1' }]),
  row('POST /session/s1/summarize', ['summarizeSession', { sessionID: 's1' }], { body: {} }),
  row('POST /session/s1/summarize', ['summarizeSession', { sessionID: 's1', keep: 'dates' }], {
    body: { keep: 'dates' },
  }),
  row('GET /session/s1/context', ['sessionContext', { sessionID: 's1' }]),
  row('POST /session/s1/share', ['shareSession', { sessionID: 's1', shared: true }], { body: {} }),
  row('DELETE /session/s1/share', ['unshareSession', { sessionID: 's1' }], { body: {} }),
  row('GET /session/s1/todo', ['todos', { sessionID: 's1' }]),
  row('PUT /session/s1/todo', ['setTodos', { sessionID: 's1', todos: [] }], { body: { todos: [] } }),
  row('POST /session/s1/cancel', ['stopSession', { sessionID: 's1' }], {
    body: {},
    gives: { ok: true, cancelled: true },
  }),
  row('POST /session/s1/abort', ['abortSession', { sessionID: 's1' }], {
    body: {},
    gives: { ok: true, cancelled: false },
  }),
  row('POST /session/s1/run/r1/cancel', ['stopRun', { sessionID: 's1', runID: 'r1' }], {
    body: {},
    gives: { ok: true, cancelled: true },
  }),
  row('GET /permission', ['permissions'], { gives: ['p'] }),
  row('POST /permission/p1/reply', ['replyPermission', { requestID: 'p1', reply: 'once' }], {
    body: { reply: 'once' },
  }),
  row('POST /sessions/s1/tools/p1/approve', ['approveTool', { sessionID: 's1', requestID: 'p1' }], {
    body: {},
  }),
  row('POST /sessions/s1/tools/p1/deny', ['denyTool', { sessionID: 's1', requestID: 'p1' }], { body: {} }),
  row('GET /permission/rules', ['permissionRules']),
  row('DELETE /permission/rules/rule_1', ['removePermissionRule', { id: 'rule_1' }], done),
  row('GET /question', ['questions'], { gives: ['q'] }),
  row('POST /question/q1/reply', ['replyQuestion', { requestID: 'q1', answer: 'yes' }], {
    body: { answer: 'yes' },
  }),
  row('POST /question/q1/reject', ['rejectQuestion', { requestID: 'q1' }], { body: {} }),
  row(
    'POST /sessions/s1/questions/q1/answer',
    ['answerQuestion', { sessionID: 's1', requestID: 'q1', answer: ['a', 'b'] }],
    { body: { answer: ['a', 'b'] } },
  ),
  row('GET /agent-team/templates', ['teamTemplates'], {
    gives: ['t'],
    shows: { templates: ['t'], count: 1 },
  }),
  row('GET /agent-team/missions?status=active', ['missions', { status: 'active' }], {
    gives: ['m', 'n'],
    shows: { missions: ['m', 'n'], count: 2 },
  }),
  row('GET /agent-team/approvals', ['spawnApprovals'], {
    gives: ['a'],
    shows: { spawnApprovals: ['a'], count: 1 },
  }),
  row('POST /agent-team/approvals/spawn/a1/approve', ['approveSpawn', { approvalID: 'a1', reason: 'fine' }], {
    body: { reason: 'fine' },
    gives: { ok: true, instanceID: 'i1' },
  }),
  row('POST /agent-team/approvals/spawn/a1/approve', ['approveSpawn', { approvalID: 'a1' }], {
    body: {},
    gives: { ok: false, code: 'spawn_policy_disabled' },
    status: 403,
  }),
  row('POST /agent-team/approvals/spawn/a1/approve', ['approveSpawn', { approvalID: 'a1' }], {
    body: {},
    gives: { ok: true, approvalID: 'a1' },
  }),
  row('POST /agent-team/approvals/spawn/a1/deny', ['denySpawn', { approvalID: 'a1' }], {
    body: {},
    gives: { ok: true, approvalID: 'a1' },
  }),
  row('POST /agent-team/instance/i1/cancel', ['cancelInstance', { instanceID: 'i1' }], {
    body: {},
    gives: { instanceID: 'i1' },
    shows: { ok: true, instance: { instanceID: 'i1' } },
  }),
  row('POST /agent-team/mission/m1/cancel', ['cancelMission', { missionID: 'm1' }], {
    body: {},
    gives: { missionID: 'm1' },
    shows: { ok: true, mission: { missionID: 'm1' } },
  }),
  row('GET /agent?platform=slack', ['abilities', { platform: 'slack' }]),
  row('POST /memory/search', ['searchMemory', { query: 'boat', limit: 8 }], { body: { query: 'boat' } }),
  row('GET /memory/audiences?limit=9', ['memoryPlaces', { limit: 9 }]),
  row('GET /memory/budgets', ['memoryBudgets', {}]),
  row('POST /memory/turns/forget', ['forgetTurns', { audience: 'room:r', message_ids: ['1'] }], {
    body: { audience: 'room:r', message_ids: ['1'] },
    ...done,
  }),
  row('PUT /memory/rooms', ['setRooms', { rooms: [] }], { body: { rooms: [] }, ...done }),
  row('PUT /place', ['setPlaceNames', { names: [] }], { body: { names: [] }, ...done }),
  row('GET /place?text=eng&limit=9', ['namedChats', { text: 'eng', limit: 9 }]),
  row('GET /memory?q=boat&pinned=true', ['listMemory', { q: 'boat', pinned: true, limit: 100, offset: 0 }]),
  row('GET /memory/mem_1?audience=room:r', ['showMemory', { id: 'mem_1', audience: 'room:r' }]),
  row('PATCH /memory/mem_1', ['correctMemory', { id: 'mem_1', content: 'Blue.' }], {
    body: { content: 'Blue.' },
  }),
  row('DELETE /memory/mem_1', ['deleteMemory', { id: 'mem_1' }]),
  row('POST /memory/context/resolve', ['resolveContext', { uri: 'tandem://x' }], {
    body: { uri: 'tandem://x' },
  }),
  row('GET /memory/context/tree', ['contextTree', { max_depth: 3 }]),
  row('POST /memory/context/layers/generate', ['generateLayers', { node_id: 'n1' }], {
    body: { node_id: 'n1' },
  }),
  row('POST /memory/context/distill', ['distillMemory', { session_id: 's1' }], {
    body: { session_id: 's1', conversation: [] },
  }),
  row('GET /memory/files', ['listMemoryFiles', {}]),
  row('GET /memory/artifacts', ['listMemoryArtifacts', {}]),
  row('GET /memory/audit?run_id=r1', ['memoryAudit', { run_id: 'r1', limit: 100, offset: 0 }]),
  row('GET /memory/knowledge?project_id=p1', ['listKnowledge', { project_id: 'p1', limit: 100, offset: 0 }]),
  row('POST /content/export', ['exportContent', { persons }], { body: { persons } }),
  row('POST /content/forget', ['forgetContent', { of: { persons }, apply: true }], {
    body: { of: { persons }, apply: true },
  }),
  row('GET /provider?agent=Poet', ['providers', { agent: 'Poet' }]),
  row('GET /provider/learned', ['learnedModels'], { gives: [], shows: { models: [], count: 0 } }),
  row('DELETE /provider/learned?model=a/b', ['forgetLearned', { model: 'a/b' }], {
    gives: 1,
    shows: { ok: true, forgotten: 1 },
  }),
  row('GET /provider/takes_file?mime=image/png&bytes=0', ['takesFile', { mime: 'image/png', bytes: 0 }], {
    gives: true,
    shows: { ok: true, takes: true },
  }),
  row('GET /config', ['configuration']),
  row('POST /config/check', ['checkConfiguration', { text: 'x' }], { body: { text: 'x' } }),
  row('GET /hooks', ['listHooks']),
  row('DELETE /hooks/h1', ['deleteHook', { name: 'h1' }]),
  row('POST /hooks/h1/test', ['testHook', { name: 'h1', wait_ms: 5 }], { body: { wait_ms: 5 } }),
  row('GET /schedule?person=per_1,,per_2&state=active', [
    'listSchedules',
    { person: ['per_1', 'per_2'], state: 'active' },
  ]),
  row('GET /schedule', ['listSchedules', {}]),
  row('GET /schedule/sch_1/times', ['nextTimes', { id: 'sch_1', count: 10 }], { gives: { times: [5] } }),
  row('POST /schedule/sch_1/confirm', ['confirmSchedule', { id: 'sch_1', persons }], { body: { persons } }),
  row('PATCH /schedule/sch_1', ['changeSchedule', { id: 'sch_1', when: 'tomorrow at 9' }], {
    body: { when: 'tomorrow at 9' },
  }),
  row('DELETE /schedule/sch_1?person=per_1', ['deleteSchedule', { id: 'sch_1', person: persons }]),
  row('GET /schedule/person?person=per_1', ['personTimes', { person: persons }]),
  row('PUT /schedule/person', ['setPersonTimes', { persons, zone: 'UTC' }], {
    body: { persons, zone: 'UTC' },
  }),
  row('POST /firing/take', ['takeFirings'], { body: { gateway: 'g1', platforms: ['slack'], wait_ms: 0 } }),
  row('POST /firing/f1/settle', ['settleFiring', { id: 'f1', status: 'accepted' }], {
    body: { status: 'accepted' },
    ...done,
  }),
];
