// Names of tools and of variables that nobody checked before: a mistyped one is an error, or is reported, with the right one.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { loadConfig } from '#app/config/load.ts';
import { createActiveProblems } from '#base/active-problems.ts';
import { createSecrets } from '#base/secrets.ts';
import type { AnyTool } from '#engine/tools/definition/registry.ts';
import { connectMcpServers } from '#engine/tools/mcp/servers.ts';
import { createToolbox } from '#engine/tools/toolbox.ts';
import { ownTools, skillTool, teamTools } from '#engine/wire/runs/tool-names.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { quietLog } from '../support/quiet-log.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { openClinic, problemsIn } from './doctor/clinic.ts';
import { openTerminal } from './terminal.ts';

const stdio = {
  command: process.execPath,
  args: [join(import.meta.dirname, '../engine/support/mcp-server.ts')],
  env: {},
};

const load = (t: TestContext, config: object) => {
  const folder = tempFolder(t);
  writeFileSync(join(folder, 'parley.config.json'), JSON.stringify(config));
  return loadConfig({ folder, variables: {} });
};

test('a mistyped tool anywhere in the config is an error that names the nearest one', (t) => {
  const wrong = 'memory_serach';
  for (const [config, path] of [
    [{ tools: { policy: { [wrong]: 'deny' } } }, 'tools.policy'],
    [{ tools: { channels: { slack: { [wrong]: 'deny' } } } }, 'tools.channels.slack'],
    [{ agent: { tools: [wrong] } }, 'agent.tools'],
    [{ assistants: { a: { systemPrompt: 'x', tools: [wrong] } } }, 'assistants.a.tools'],
    [{ agent: { deniedTools: [wrong] } }, 'agent.deniedTools'],
    [{ channels: { discord: { tools: [wrong] } } }, 'channels.discord.tools'],
  ] as const)
    assert.throws(
      () => load(t, config),
      (error: Error) =>
        error.message.includes(`"${path}": "memory_serach" is not a tool; the nearest is "memory_search"`),
      path,
    );
  assert.throws(() => load(t, { agent: { tools: ['memroy_*'] } }), /"memroy_\*" fits no tool/);
  assert.throws(
    () => load(t, { mcp: { files: stdio }, tools: { policy: { mcp_fils_read: 'deny' } } }),
    /"mcp_fils_read" is not a tool/,
  );
  const fine = ['memory_*', '*', 'todo_read', 'mcp_*', 'mcp_files_*', 'mcp_files_read'];
  load(t, { mcp: { files: stdio }, agent: { tools: fine } });
});

test('the names that a config may use are those of the tools that exist', () => {
  const nothing = {} as never; // no tool is called
  const tools = createToolbox({
    rooms: {
      memory: nothing,
      sessions: nothing,
      requests: nothing,
      artifacts: nothing,
      mcp: { tools: () => [] },
      schedules: nothing,
    },
    web: () => ({}),
    search: () => ({ service: 'searxng', key: '', results: 1 }),
    team: () => [...teamTools, skillTool].map((name) => ({ name }) as AnyTool),
    media: () => ({ speak: nothing, draw: nothing }),
    mayAsk: () => true,
    toolChars: 1,
    artifactBytes: 1,
    secrets: createSecrets([]),
    clock: createManualClock(),
  });
  assert.deepEqual(
    tools
      .list()
      .map(({ name }) => name)
      .sort(),
    [...ownTools].sort(),
  );
});

test('tools of an MCP server that it does not offer are reported once it is connected, with the nearest', async (t) => {
  const clock = createManualClock();
  const problems = createActiveProblems(clock);
  const mcp = connectMcpServers({
    servers: { test: stdio },
    named: () => ['mcp_test_ad', 'mcp_test_fail', 'mcp_test_*', 'mcp_other_x', 'todo_read'],
    version: '1',
    clock,
    log: quietLog().log,
    problems,
  });
  t.after(() => mcp.close());
  await mcp.tried;
  const [problem, ...more] = problems.list();
  assert.equal(more.length, 0);
  assert.match(
    problem?.message ?? '',
    /the MCP server test does not offer: "mcp_test_ad" \(the nearest is "mcp_test_add"\)\.$/,
  );
  assert.match(problem?.hint ?? '', /Correct the name in `tools\.policy`/);
});

test('the doctor names a tool that an MCP server does not offer', async (t) => {
  const clinic = await openClinic(t);
  clinic.configure((config) => ({
    ...config,
    mcp: { test: stdio },
    tools: { policy: { mcp_test_variabels: 'deny' } },
  }));
  const { findings } = await clinic.doctor();
  assert.match(problemsIn(findings, 'mcp'), /"mcp_test_variabels" \(the nearest is "mcp_test_variables"\)/);
});

test('near misses in .env are reported by the doctor, by check and at the start, with the right name', async (t) => {
  const { folder, call } = openTerminal(t);
  const lines = ['DISCORD_TOKEN=x', 'OPENAI_KEY=y', 'GEMINI_API_KEY=z', 'HTTP_PROXY=http://p', 'MY_NOTE=n'];
  writeFileSync(join(folder, '.env'), lines.join('\n'));
  const { out } = await call('check');
  const said = out.replace(/\s+/g, ' ');
  assert.match(said, /DISCORD_TOKEN in .*\.env is not read: the name is DISCORD_BOT_TOKEN\./);
  assert.match(said, /OPENAI_KEY in .*\.env is not read: the name is OPENAI_API_KEY\./);
  assert.match(said, /GEMINI_API_KEY in .*is not read: the name is GOOGLE_GENERATIVE_AI_API_KEY\./);
  assert.doesNotMatch(said, /HTTP_PROXY|MY_NOTE/);
  assert.match((await call('doctor')).out.replace(/\s+/g, ' '), /DISCORD_TOKEN in .* is not read/);
  assert.equal(
    loadConfig({ folder, variables: { DISCORD_BOT_TOKEN: 'x' } }).warnings.length,
    2,
    'what is set is fine',
  );
});
