// An agent of a mission that goes on after its process died: the rule of runs, that what may have been done is asked, holds for it too.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { EngineService } from '#engine/wire/service.ts';
import { found, until } from '../../support/found.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { asKilled } from '../support/as-killed.ts';
import { openKit, originOf, textBody } from '../support/kit.ts';
import { type Script, startScripted, teamOf } from './team-kit.ts';

const server = join(import.meta.dirname, '..', 'support', 'paying-server.ts');
const request = { templateID: 'researcher', prompt: 'Pay 100, then transfer 100.' };

/** An agent that pays and then transfers, whose second call is begun and has no result when the process is killed. */
const pays: Script = ({ results }) => {
  if (results.length === 0) return { calls: [{ name: 'mcp_bank_pay', args: { what: '100' } }] };
  if (results.length === 1) return { calls: [{ name: 'mcp_bank_wire', args: { what: '100' } }] };
  return { text: `The results: ${results.join(', ')}` };
};

const leads: Script = (asked) => {
  if (asked.system.includes('You are a researcher')) return pays(asked);
  const args = { template: 'researcher', task: 'Pay.' };
  if (asked.results.length === 0) return { calls: [{ name: 'spawn_agent', args }] };
  if (asked.results.length === 1) return { calls: [{ name: 'wait_agents', args: {} }] };
  return { text: 'It is paid.' };
};
const chat = { ...textBody('Pay and transfer.', originOf()), canAsk: true };
const turn = { idempotencyKey: 'turn', retryInterrupted: true };

interface Begun {
  script: Script;
  /** Resolves with what begins it again after the kill, as a chat does; runs over HTTP and of programs go on by themselves. */
  begin: (engine: EngineService) => Promise<((next: EngineService) => Promise<unknown>) | undefined>;
}
const begunBy: Record<string, Begun> = {
  'a program': {
    script: pays,
    async begin(engine) {
      assert.ok((await engine.spawn(request)).ok);
      return undefined;
    },
  },
  'a run over HTTP': {
    script: leads,
    async begin(engine) {
      const { id } = await engine.createSession({ sourceKind: 'api' });
      await engine.prompt(id, textBody('Pay and transfer.'));
      return undefined;
    },
  },
  'a chat': {
    script: leads,
    async begin(engine) {
      const { id } = await engine.createSession({ sourceKind: 'channel' });
      await engine.prompt(id, chat, turn);
      return (next) => next.prompt(id, chat, turn);
    },
  },
};

for (const [who, { script, begin }] of Object.entries(begunBy))
  for (const [answer, lines, told] of [
    ['Try again', ['pay 100', 'wire 100', 'wire 100'], /paid 100.*transferred 100/s],
    ['Skip it', ['pay 100', 'wire 100'], /paid 100.*not known whether/s],
  ] as const)
    test(`a call of an agent that ${who} started, which was begun and has no result, is asked about, and "${answer}" is obeyed`, async (t) => {
      const ledger = join(tempFolder(t), 'ledger');
      writeFileSync(ledger, '');
      const written = () => readFileSync(ledger, 'utf8').split('\n').slice(0, -1);
      const model = await startScripted(t, script);
      const kit = await openKit(t, {
        model: model.settings,
        team: teamOf(),
        mcp: { bank: { command: process.execPath, args: [server], env: { LEDGER: ledger } } },
        policy: { tools: { 'mcp_bank_*': 'allow' }, channels: {} },
      });
      await kit.engine.toolsReady();
      const again = await begin(kit.engine);
      await until('the call', () => written().length === 2);
      const image = join(tempFolder(t), 'engine.sqlite');
      asKilled(join(kit.folder, 'engine.sqlite'), image);
      const next = await kit.restart({ path: image });
      await again?.(next);
      const [asked] = await found('the question', async () => {
        const open = await next.questions({});
        return open.length > 0 ? open : undefined;
      });
      assert.match(asked?.questions[0]?.question ?? '', /mcp_bank_wire.*100.*may have run/s);
      assert.deepEqual(written(), ['pay 100', 'wire 100'], 'nothing is repeated before the answer');
      await next.replyQuestion({ requestID: asked?.id ?? '', answer: [answer] });
      const mission = await found('the end of the mission', async () => {
        const [one] = await next.missions({});
        return one?.status === 'active' ? undefined : one;
      });
      assert.equal(mission.status, 'completed');
      const [agent] = mission.instances;
      const messages = await next.messages(agent?.sessionID ?? '');
      assert.match(JSON.stringify(messages.at(-1)?.parts), told);
      assert.deepEqual(written(), lines);
    });
