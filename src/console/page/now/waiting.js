// What waits for a person: approvals, questions, pairing requests, answers that were not delivered; each is settled where it is shown.
// @ts-check
import { useEffect, useState } from 'preact/hooks';
import { Approval } from '#console/page/agents/approval.js';
import { ApiFailure, api, me } from '#console/page/data/api.js';
import { useData } from '#console/page/data/data.js';
import { onEvent } from '#console/page/data/live.js';
import { useSettle } from '#console/page/data/settle.js';
import { Json } from '#console/page/parts/code.js';
import { html } from '#console/page/parts/html.js';
import { addressOf, Link } from '#console/page/parts/router.js';
import { Badge, Button, Empty, Failure, Field, Loading, Section, Time } from '#console/page/parts/ui.js';
import { Pairing } from '#console/page/people/pairing.js';

/**
 * @import { PermissionRequest, QuestionRequest } from '#engine/wire/runs/request.ts'
 * @import { SpawnApproval } from '#engine/wire/teams/team.ts'
 * @import { PendingRequest } from '#console/page/people/pairing.js'
 * @typedef {{ id: string, address: string, runID: string | null, state: 'failed' | 'open' | 'handing over', error: string | null, createdAtMs: number, parts: number, sent: number }} Undelivered
 */

export function Waiting() {
  const asked = useData(
    async () => {
      const [permissions, questions, spawns, people, undelivered] = await Promise.all([
        /** @type {Promise<PermissionRequest[]>} */ (api('/permission')),
        /** @type {Promise<QuestionRequest[]>} */ (api('/question')),
        /** @type {Promise<{ spawnApprovals: SpawnApproval[] }>} */ (api('/agent-team/approvals')),
        unlessMissing(/** @type {Promise<{ pending: PendingRequest[] }>} */ (api('/people'))),
        unlessMissing(/** @type {Promise<{ deliveries: Undelivered[] }>} */ (api('/delivery/waiting'))),
      ]);
      return {
        permissions,
        questions,
        // one that a run asks for is among the permissions
        agents: spawns.spawnApprovals.filter(({ source }) => source !== 'tool_call'),
        pending: people?.pending ?? [],
        undelivered: undelivered?.deliveries ?? [],
      };
    },
    [],
    { everyMs: 15_000, on: ({ type }) => /^(permission|question|agent_team)\./.test(type) },
  );
  const { notice, setNotice, settle } = useSettle(asked.reload);
  useEffect(
    () =>
      onEvent(({ type, properties }) => {
        if ((type === 'permission.replied' || type === 'question.replied') && properties.status === 'expired')
          setNotice('A request has expired: nobody answered in time. Its run continues without an answer.');
      }),
    [],
  );
  const by = { person: `console:${me.value?.id ?? 'token'}`, name: me.value?.name ?? 'console' };
  const { data, error } = asked;
  const total = data && Object.values(data).reduce((sum, list) => sum + list.length, 0);
  return html`<${Section} title="Waits for you" count=${total}>
    ${notice && html`<p class="notice" role="status">${notice}</p>`}
    ${error !== undefined && html`<${Failure} error=${error} retry=${asked.reload} />`}
    ${data === undefined && error === undefined && html`<${Loading} rows=${2} />`}
    ${total === 0 && html`<${Empty} low title="Nothing waits for you" icon="check">Approvals, questions and people who ask to be admitted appear here.</${Empty}>`}
    <ul class="cards">
      ${data?.permissions.map((request) => html`<${Permission} key=${request.requestID} request=${request} settle=${settle} by=${by} />`)}
      ${data?.questions.map((request) => html`<${Question} key=${request.id} request=${request} settle=${settle} by=${by} />`)}
      ${data?.agents.map((approval) => html`<${Approval} key=${approval.approvalID} approval=${approval} settle=${settle} />`)}
      ${data?.pending.map((request) => html`<li key=${request.code} class="card"><${Pairing} request=${request} done=${asked.reload} /></li>`)}
      ${data?.undelivered.map((each) => html`<${UndeliveredCard} key=${each.id} delivery=${each} settle=${settle} />`)}
    </ul>
  </${Section}>`;
}

/** Where the channels run in another process these routes are there. @template T @param {Promise<T>} asked @returns {Promise<T | undefined>} */
async function unlessMissing(asked) {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ApiFailure && [404, 503].includes(error.status)) return undefined;
    throw error;
  }
}

/** @param {{ request: PermissionRequest, settle: (answer: Promise<unknown>) => Promise<void>, by: object }} props */
function Permission({
  request: { requestID, sessionID, agent, tool, args, requestedAtMs, expiresAtMs },
  settle,
  by,
}) {
  const reply = (/** @type {string} */ how) => () =>
    settle(
      api(`/permission/${encodeURIComponent(requestID)}/reply`, { method: 'POST', body: { reply: how, by } }),
    );
  return html`<li class="card">
    <p class="card-title"><${Badge} tone="warn">Approval</${Badge}> <span><b>${agent}</b> wants to use <b>${tool}</b></span></p>
    <details class="unfold"><summary>What it would do</summary><${Json} value=${args} label="Arguments of the tool" /></details>
    <p class="muted small">requested <${Time} ms=${requestedAtMs} />, expires <${Time} ms=${expiresAtMs} /> · <${Link} to=${addressOf(['conversations', sessionID])}>conversation</${Link}></p>
    <p class="actions left"><${Button} writes kind="primary" onPress=${reply('once')}>Allow once</${Button}>
      <${Button} writes onPress=${reply('always')}>Always allow</${Button}><${Button} writes onPress=${reply('reject')}>Reject</${Button}></p>
  </li>`;
}

/** @param {{ request: QuestionRequest, settle: (answer: Promise<unknown>) => Promise<void>, by: object }} props */
function Question({ request: { id, sessionID, questions, requestedAtMs }, settle, by }) {
  const [answers, setAnswers] = useState(/** @type {string[]} */ (questions.map(() => '')));
  const put = (/** @type {number} */ at, /** @type {string} */ text) =>
    setAnswers((old) => old.map((each, index) => (index === at ? text : each)));
  const path = `/question/${encodeURIComponent(id)}`;
  return html`<li class="card">
    <p class="card-title"><${Badge} tone="info">Question</${Badge}> <span class="muted small"><${Time} ms=${requestedAtMs} /> · <${Link} to=${addressOf(['conversations', sessionID])}>conversation</${Link}></span></p>
    ${questions.map(
      ({ question, options = [] }, at) => html`<div key=${at} class="question"><p dir="auto">${question}</p>
      ${options.length > 0 && html`<p class="actions left">${options.map((option) => html`<${Button} key=${option} writes onPress=${() => put(at, option)}>${option}</${Button}>`)}</p>`}
      <${Field} label="Answer" value=${answers[at] ?? ''} onInput=${(/** @type {string} */ text) => put(at, text)} /></div>`,
    )}
    <p class="actions left"><${Button} writes kind="primary" disabled=${answers.some((answer) => answer.trim() === '')} onPress=${() => settle(api(`${path}/reply`, { method: 'POST', body: { answer: answers, by } }))}>Answer</${Button}>
      <${Button} writes onPress=${() => settle(api(`${path}/reject`, { method: 'POST', body: { by } }))}>Do not answer</${Button}></p>
  </li>`;
}

/** What the card of a delivery says in each state, and what it offers there. */
const deliveryStates = {
  failed: {
    title: 'Not delivered',
    why: 'The platform has not taken it yet; Parley tries again.',
    retry: 'Send again',
    dismiss: 'Leave it',
  },
  open: {
    title: 'Not delivered yet',
    why: 'The platform has not taken it yet; Parley tries again.',
    dismiss: 'Give it up',
  },
  'handing over': {
    title: 'Not reported',
    why: 'It is in its chat, and the engine does not know it yet: Parley reports it again.',
  },
};

/** @param {{ delivery: Undelivered, settle: (answer: Promise<unknown>) => Promise<void> }} props */
function UndeliveredCard({
  delivery: { id, address, runID, state, error, createdAtMs, parts, sent },
  settle,
}) {
  /** @type {{ title: string, why: string, retry?: string, dismiss?: string }} */
  const { title, why, retry, dismiss } = deliveryStates[state];
  const settleBy = (/** @type {'retry' | 'dismiss'} */ how) => () =>
    settle(api(`/delivery/${encodeURIComponent(id)}/${how}`, { method: 'POST' }));
  return html`<li class="card">
    <p class="card-title"><${Badge} tone="bad">${title}</${Badge}> <span class="cut">${address}</span></p>
    <p>${error ?? why}</p>
    <p class="muted small">${sent} of ${parts} parts sent · <${Time} ms=${createdAtMs} />${runID && html` · <${Link} to=${addressOf(['runs', runID])}>run</${Link}>`}</p>
    ${
      dismiss &&
      html`<p class="actions left">${retry && html`<${Button} writes kind="primary" onPress=${settleBy('retry')}>${retry}</${Button}>`}
      <${Button} writes onPress=${settleBy('dismiss')}>${dismiss}</${Button}></p>`
    }
  </li>`;
}
