// What each refusal of the engine is over HTTP: its status, its code, and whether another attempt can change it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ParleyError } from '#base/errors.ts';
import { createHttpApp } from '#engine/http/app.ts';
import type { EngineService } from '#engine/wire/service.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { bearer, createKit, token } from './kit.ts';

/** The codes of the engine with the status of each, and those that another attempt can change. */
const statuses: Readonly<Record<number, string>> = {
  400: `unknown_template invalid_spawn invalid_hook_body invalid_chat unknown_time time_in_the_past too_often text_needed unknown_zone
    invalid_answer unknown_tool unknown_model unknown_agent invalid_knowledge invalid_preflight invalid_note invalid_import
    import_too_large nothing_to_import config_invalid invalid_journal invalid_memory_call invalid_selection invalid_origin`,
  401: 'hook_refused',
  403: 'review_missing tier_denied audience_mismatch',
  404: `session_not_found prompt_not_found run_not_found run_files_not_found message_not_found request_not_found mission_not_found instance_not_found
    approval_not_found rule_not_found schedule_not_found hook_not_found memory_not_found context_not_found file_not_found
    no_memory_files journal_not_found`,
  409: `run_not_ended session_busy nothing_to_unrevert nothing_to_summarize idempotency_key_reused request_settled mission_ended
    instance_session approval_settled hook_exists hook_stopped too_many_schedules not_active not_promoted file_refused file_changed
    config_changed sweep_incomplete close_key_used`,
  410: 'memory_forgotten',
  429: 'hook_too_often',
  502: 'summary_failed',
  503: 'memory_busy memory_unusable subscriber_overflow storage_failed engine_closed',
};
const passing = new Set(
  `run_not_ended session_busy summary_failed hook_too_often memory_busy memory_unusable subscriber_overflow storage_failed
    engine_closed`.split(/\s+/),
);
/** On the wire they have another name. */
const renamed: Readonly<Record<string, string>> = {
  session_busy: 'SESSION_RUN_CONFLICT',
  not_active: 'MEMORY_NOT_ACTIVE',
  not_promoted: 'MEMORY_NOT_PROMOTED',
  review_missing: 'MEMORY_REVIEW_MISSING',
  tier_denied: 'MEMORY_TIER_DENIED',
};

test('each refusal of the engine has its status and code over HTTP, and says whether another attempt can change it', async () => {
  const { log } = quietLog();
  const clock = createManualClock();
  let thrown: ParleyError;
  const engine = new Proxy({} as EngineService, { get: () => () => Promise.reject(thrown) });
  const app = createHttpApp({ engine, token, hosts: () => ['127.0.0.1:7410'], clock, log, version: '1' });
  for (const [status, codes] of Object.entries(statuses))
    for (const code of codes.split(/\s+/)) {
      thrown = new ParleyError(code, `No: ${code}.`);
      const response = await app.request('/provider', { headers: { host: '127.0.0.1:7410', ...bearer } });
      const wire = renamed[code] ?? code.toUpperCase();
      const expected = { error: `No: ${code}.`, code: wire, retryable: passing.has(code) };
      assert.deepEqual([response.status, await response.json()], [Number(status), expected], code);
    }
  thrown = new ParleyError('made_up', 'A path: /home/me');
  const unknown = await app.request('/provider', { headers: { host: '127.0.0.1:7410', ...bearer } });
  const { error, code, retryable } = (await unknown.json()) as Record<string, string>;
  assert.deepEqual([unknown.status, code, retryable], [500, 'INTERNAL_ERROR', false]);
  assert.doesNotMatch(error ?? '', /home/);
});

test('a body in which a field comes twice is refused with the name of the field, also inside of others, and nothing is made', async () => {
  const { ask, engine } = createKit();
  const headers = { 'content-type': 'application/json' };
  const bodies = [
    ['/session', '{"title":"a","title":"b"}', '"title"'],
    ['/session', '{"title":"a" , "titl\\u0065"\n: "b"}', '"title"'],
    ['/session', '{"title":"{\\"a\\": 1}","title":"b"}', '"title"'],
    ['/session/ID/prompt_async', '{"parts":[{"type":"text","text":"a","text":"b"}]}', '"parts.0.text"'],
  ] as const;
  const { id } = await engine.createSession({});
  for (const [path, body, name] of bodies) {
    const response = await ask(path.replace('ID', id), { method: 'POST', headers, body });
    const { error, code } = (await response.json()) as { error: string; code: string };
    assert.deepEqual([response.status, code], [400, 'INVALID_REQUEST'], body);
    assert.ok(error.includes(`expected ${name} once`), error);
  }
  assert.equal((await engine.findSessions({ limit: 9, offset: 0 })).total, 1);
  const body = '{"title":"\\"title\\": \\\\"}';
  assert.equal((await ask('/session', { method: 'POST', headers, body })).status, 200);
});
