// Agents: who answers, with which model and tools, and what was allowed permanently; missions, schedules and webhooks in their views.
// @ts-check
import { useState } from 'preact/hooks';
import { api } from '#console/page/data/api.js';
import { useData } from '#console/page/data/data.js';
import { html } from '#console/page/parts/html.js';
import { addressOf, Link, route } from '#console/page/parts/router.js';
import {
  Badge,
  Button,
  Empty,
  Field,
  Head,
  Loaded,
  Section,
  Tabs,
  Time,
  Words,
} from '#console/page/parts/ui.js';
import { Hooks } from './hooks.js';
import { Missions } from './missions.js';
import { Schedules } from './schedules.js';

/** @import { Abilities } from '#engine/wire/runs/abilities.ts' @import { PermissionRule } from '#engine/wire/runs/request.ts' */

const views = /** @type {const} */ ([
  ['agents', 'Agents', Answering],
  ['missions', 'Missions', Missions],
  ['schedules', 'Schedules', Schedules],
  ['webhooks', 'Webhooks', Hooks],
]);

export function AgentsPage() {
  const name = route.value.pieces[1] ?? 'agents';
  const View = views.find(([each]) => each === name)?.[2] ?? Answering;
  return html`<${Head} title="Agents" />
    <${Tabs} label="Views of agents">${views.map(([each, title]) => html`<${Link} key=${each} to=${addressOf(['agents', each])} current=${each === name}>${title}</${Link}>`)}</${Tabs}><${View} key=${name} />`;
}

function Answering() {
  const [name, setName] = useState('');
  const agents = useData(
    () => /** @type {Promise<Abilities>} */ (api('/agent', { query: { agent: name } })),
    [name],
  );
  return html`<${Loaded} of=${agents}>${(/** @type {Abilities} */ { agent, agents: all, tools }) => html`
      <${Section} title="Agents" count=${all.length} note="Configured under “agent” and “assistants”">
        <ul class="rows plain-list">${all.map((each) => html`<li key=${each.name} class="row"><b class="cut">${each.name}</b>${each.name === agent && html`<${Badge} tone="info">shown below</${Badge}>`}<span class="muted grow cut">${each.model ?? 'the default model'}</span></li>`)}</ul></${Section}>
      <${Section} title=${`Tools of ${agent}`} count=${tools.length} actions=${html`<${Field} hidden label="Agent" value=${name} options=${[['', 'The default agent'], ...all.map((each) => [each.name, each.name])]} onInput=${setName} />`}>
        ${
          tools.length === 0
            ? html`<${Empty} title="This agent has no tools" icon="tool">Tools are allowed under “tools”, “agent” and “assistants” in the configuration.</${Empty}>`
            : html`<ul class="rows plain-list">${tools.map((tool) => html`<li key=${tool.name} class="row tool-row"><code>${tool.name}</code><${Badge} tone=${tool.verdict === 'ask' ? 'warn' : 'good'}>${tool.verdict === 'ask' ? 'asks first' : 'allowed'}</${Badge}><span class="muted grow"><${Words} text=${tool.description} /></span></li>`)}</ul>`
        }</${Section}>`}</${Loaded}>
    <${Rules} />`;
}

function Rules() {
  const rules = useData(() => /** @type {Promise<PermissionRule[]>} */ (api('/permission/rules')), [], {
    on: ({ type }) => type === 'permission.replied',
  });
  const remove = async (/** @type {string} */ id) => {
    await api(`/permission/rules/${encodeURIComponent(id)}`, { method: 'DELETE' });
    await rules.reload();
  };
  return html`<${Section} title="Always allowed" count=${rules.data?.length} note="Permanent approvals of tools"><${Loaded} of=${rules} rows=${1}>${(
    /** @type {PermissionRule[]} */ list,
  ) =>
    list.length === 0
      ? html`<${Empty} low title="Nothing is allowed permanently" icon="check">“Always allow” on an approval makes an entry here.</${Empty}>`
      : html`<ul class="rows plain-list">${list.map(({ id, agent, tool, createdAtMs, by }) => html`<li key=${id} class="row"><span class="grow"><b>${agent}</b> may use <code>${tool}</code></span><span class="muted">${by?.name ?? ''} <${Time} ms=${createdAtMs} /></span><${Button} writes onPress=${() => remove(id)} label=${`No longer allow ${tool} for ${agent}`}>Take back</${Button}></li>`)}</ul>`}</${Loaded}></${Section}>`;
}
