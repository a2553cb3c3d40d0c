// Missions as trees of agents with their budgets, live; agents that wait for approval; each is stopped or decided here.
// @ts-check
import { api } from '#console/page/data/api.js';
import { useData } from '#console/page/data/data.js';
import { useSettle } from '#console/page/data/settle.js';
import { cut, dollars, duration, short } from '#console/page/parts/format.js';
import { html } from '#console/page/parts/html.js';
import { addressOf, Link } from '#console/page/parts/router.js';
import { Badge, Button, Empty, Loaded, Section, Time } from '#console/page/parts/ui.js';
import { Uses } from '#console/page/parts/uses.js';
import { Approval } from './approval.js';

/**
 * @import { BudgetLimit, SpawnApproval, WireInstance, WireMission, WireSpent } from '#engine/wire/teams/team.ts'
 * @typedef {{ missions: WireMission[], approvals: SpawnApproval[] }} Teams
 */

/** @type {Readonly<Record<string, 'good' | 'warn' | 'bad' | 'live'>>} */
const tones = {
  ...{ queued: 'warn', running: 'live', active: 'live', completed: 'good' },
  ...{ failed: 'bad', interrupted: 'warn' },
};

export function Missions() {
  const teams = useData(
    async () => {
      const [{ missions }, { spawnApprovals }] = await Promise.all([
        /** @type {Promise<{ missions: WireMission[] }>} */ (api('/agent-team/missions')),
        /** @type {Promise<{ spawnApprovals: SpawnApproval[] }>} */ (api('/agent-team/approvals')),
      ]);
      return { missions, approvals: spawnApprovals };
    },
    [],
    { everyMs: 10_000, on: ({ type }) => type.startsWith('agent_team.') },
  );
  const { notice, settle } = useSettle(teams.reload);
  return html`<${Loaded} of=${teams}>${(/** @type {Teams} */ { missions, approvals }) => html`
    ${notice && html`<p class="notice" role="status">${notice}</p>`}
    ${approvals.length > 0 && html`<${Section} title="Agents that wait for you" count=${approvals.length}><ul class="cards">${approvals.map((each) => html`<${Approval} key=${each.approvalID} approval=${each} settle=${settle} />`)}</ul></${Section}>`}
    <${Section} title="Missions" count=${missions.length} note="The newest 100">
      ${missions.length === 0 && html`<${Empty} title="No agent has started others" icon="agents">Allow it under “agents.team” in the configuration. A mission appears here while it works.</${Empty}>`}
      <ul class="cards">${missions.map((each) => html`<${Mission} key=${each.missionID} mission=${each} reload=${teams.reload} />`)}</ul></${Section}>`}</${Loaded}>`;
}

/** @param {{ mission: WireMission, reload: () => Promise<void> }} props */
function Mission({ mission, reload }) {
  const { missionID, status, reason, exhausted, warnings, instances, sessionID, createdAtMs } = mission;
  const stop = async () => {
    await api(`/agent-team/mission/${encodeURIComponent(missionID)}/cancel`, { method: 'POST', body: {} });
    await reload();
  };
  const roots = instances.filter(
    ({ parentInstanceID }) => !instances.some(({ instanceID }) => instanceID === parentInstanceID),
  );
  return html`<li class="card">
    <div class="card-title"><${Badge} tone=${tones[status]}>${status}</${Badge}> <b class="grow cut" dir="auto">${cut((roots[0]?.task ?? missionID).replaceAll(/\s+/g, ' '), 200)}</b>${status === 'active' && html`<${Button} writes icon="stop" onPress=${stop}>Stop the mission</${Button}>`}</div>
    ${exhausted && html`<p class="warn-text small">Its budget is used up: ${exhausted}</p>`}
    ${reason && html`<p class=${`small ${status === 'completed' ? 'muted' : 'warn-text'}`}>${reason}</p>`}
    ${warnings.map((warning) => html`<p key=${warning} class="warn-text small">${warning}</p>`)}
    <${Budget} used=${mission.usage} limit=${mission.budget} />
    <ul class="tree">${roots.map((root) => html`<${Instance} key=${root.instanceID} instance=${root} all=${instances} reload=${reload} />`)}</ul>
    <p class="muted small"><code>${missionID}</code> · began <${Time} ms=${createdAtMs} />${sessionID && html` · <${Link} to=${addressOf(['conversations', sessionID])}>conversation</${Link}>`}</p></li>`;
}

/** @param {{ instance: WireInstance, all: readonly WireInstance[], reload: () => Promise<void> }} props */
function Instance({ instance, all, reload }) {
  const { instanceID, display_name, status, task, error, exhausted, runID, usage, budget } = instance;
  const stop = async () => {
    await api(`/agent-team/instance/${encodeURIComponent(instanceID)}/cancel`, { method: 'POST', body: {} });
    await reload();
  };
  const children = all.filter(({ parentInstanceID }) => parentInstanceID === instanceID);
  return html`<li><p class="card-title"><${Badge} tone=${tones[status]}>${status}</${Badge}> <b>${display_name}</b> <span class="muted grow cut" dir="auto">${cut(task, 160)}</span>
      ${runID && html`<${Link} to=${addressOf(['runs', runID])}>run</${Link}>`}
      ${(status === 'running' || status === 'queued') && html`<${Button} writes kind="quiet" icon="stop" label=${`Stop ${display_name}`} onPress=${stop} />`}</p>
    ${error && html`<p class="bad-text small">${error}</p>`}${exhausted && html`<p class="warn-text small">Its budget is used up: ${exhausted}. The result is partial.</p>`}
    <${Budget} used=${usage} limit=${budget} />
    ${children.length > 0 && html`<ul class="tree">${children.map((child) => html`<${Instance} key=${child.instanceID} instance=${child} all=${all} reload=${reload} />`)}</ul>`}</li>`;
}

/** What is used of each bound; without a bound what is used. @param {{ used: WireSpent, limit: BudgetLimit }} props */
function Budget({ used, limit }) {
  return html`<${Uses} rows=${[
    ['tokens', used.tokens, limit.max_tokens, short],
    ['steps', used.steps, limit.max_steps, short],
    ['tool calls', used.tool_calls, limit.max_tool_calls, short],
    ['time', used.duration_ms, limit.max_duration_ms, duration],
    ['cost', used.cost_usd, limit.max_cost_usd, dollars],
  ]} />`;
}
