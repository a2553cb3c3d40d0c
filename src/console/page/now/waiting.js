// What waits for a person: approvals, questions, pairing requests, answers that were not delivered; each is settled where it is shown.
// @ts-check
import { useEffect, useState } from 'preact/hooks';
import { Approval } from '#console/page/agents/approval.js';
import { api, me } from '#console/page/data/api.js';
import { onEvent } from '#console/page/data/live.js';
import { useRunFacts } from '#console/page/data/run-facts.js';
import { useSettle } from '#console/page/data/settle.js';
import { waiting, waitingCount } from '#console/page/data/waiting.js';
import { Json } from '#console/page/parts/code.js';
import { html } from '#console/page/parts/html.js';
import { placeText } from '#console/page/parts/place.js';
import { addressOf, Link } from '#console/page/parts/router.js';
import { Badge, Button, Empty, Failure, Field, Loading, Section, Time } from '#console/page/parts/ui.js';
import { Pairing } from '#console/page/people/pairing.js';
import { AskedLines } from '#console/page/runs/asked.js';
import { toolWords } from '#console/page/runs/tool-words.js';

/**
 * @import { PermissionRequest, QuestionRequest } from '#engine/wire/runs/request.ts'
 * @import { Undelivered } from '#console/page/data/waiting.js'
 */

export function Waiting() {
  const asked = waiting.value;
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
  const total = data && waitingCount();
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

/** @param {{ request: PermissionRequest, settle: (answer: Promise<unknown>) => Promise<void>, by: object }} props */
function Permission({ request, settle, by }) {
  const { requestID, sessionID, runID, agent, requester, tool, args, requestedAtMs, expiresAtMs } = request;
  const reply = (/** @type {string} */ how) => () =>
    settle(
      api(`/permission/${encodeURIComponent(requestID)}/reply`, { method: 'POST', body: { reply: how, by } }),
    );
  const words = toolWords(tool, args);
  return html`<li class="card">
    <p class="card-title"><${Badge} tone="warn">Approval</${Badge}> <span><b>${requester ?? agent}</b> wants to use <b>${tool}</b></span></p>
    <${AskedBy} runID=${runID} />
    ${words && html`<p class="would" dir="auto">${words}</p>`}
    ${words ? html`<details class="unfold" open><summary>Arguments</summary><${Json} value=${args} label=${`Arguments of ${tool}`} /></details>` : html`<${Json} value=${args} label=${`Arguments of ${tool}`} />`}
    <${Requested} ...${{ requestedAtMs, expiresAtMs, sessionID }} />
    <p class="actions left"><${Button} writes kind="primary" onPress=${reply('once')}>Allow once</${Button}>
      <${Button} writes onPress=${reply('always')}>Always allow ${tool} for ${agent}</${Button}><${Button} writes onPress=${reply('reject')}>Reject</${Button}></p>
    <p class="muted small">“Always” holds for every chat in which ${agent} answers, until it is taken back under Agents.</p>
  </li>`;
}

/** The run that asks: for whom, where, and what was wanted. @param {{ runID: string }} props */
function AskedBy({ runID }) {
  const facts = useRunFacts(runID);
  return facts ? html`<p class="asked-by"><${AskedLines} asked=${facts} /></p>` : null;
}

/** @param {{ requestedAtMs: number, expiresAtMs: number, sessionID: string }} props */
const Requested = ({ requestedAtMs, expiresAtMs, sessionID }) =>
  html`<p class="muted small">requested <${Time} ms=${requestedAtMs} />, expires <${Time} ms=${expiresAtMs} /> · <${Link} to=${addressOf(['conversations', sessionID])}>conversation</${Link}></p>`;

/** @param {{ request: QuestionRequest, settle: (answer: Promise<unknown>) => Promise<void>, by: object }} props */
function Question({ request: { id, sessionID, runID, questions, requestedAtMs, expiresAtMs }, settle, by }) {
  const [answers, setAnswers] = useState(/** @type {string[]} */ (questions.map(() => '')));
  const put = (/** @type {number} */ at, /** @type {string} */ text) =>
    setAnswers((old) => old.map((each, index) => (index === at ? text : each)));
  const path = `/question/${encodeURIComponent(id)}`;
  const reply = (/** @type {string[]} */ answer) => () =>
    settle(api(`${path}/reply`, { method: 'POST', body: { answer, by } }));
  // the engine takes nothing but the choices where it asks about a call, and skipping is one of them
  const isChoice = questions.length === 1 && questions[0]?.interruptedCall !== undefined;
  return html`<li class="card">
    <p class="card-title"><${Badge} tone="info">Question</${Badge}></p>
    <${AskedBy} runID=${runID} />
    ${questions.map(
      ({ question, options = [] }, at) => html`<div key=${at} class="question"><p dir="auto">${question}</p>
      ${options.length > 0 && html`<p class="actions left">${options.map((option) => html`<${Button} key=${option} writes onPress=${isChoice ? reply([option]) : () => put(at, option)}>${option}</${Button}>`)}</p>`}
      ${!isChoice && html`<${Field} label="Answer" value=${answers[at] ?? ''} onInput=${(/** @type {string} */ text) => put(at, text)} />`}</div>`,
    )}
    <${Requested} ...${{ requestedAtMs, expiresAtMs, sessionID }} />
    ${
      !isChoice &&
      html`<p class="actions left"><${Button} writes kind="primary" disabled=${answers.some((answer) => answer.trim() === '')} onPress=${reply(answers)}>Answer</${Button}>
      <${Button} writes onPress=${() => settle(api(`${path}/reject`, { method: 'POST', body: { by } }))}>Do not answer</${Button}></p>`
    }
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
  const facts = useRunFacts(runID ?? '');
  const settleBy = (/** @type {'retry' | 'dismiss'} */ how) => () =>
    settle(api(`/delivery/${encodeURIComponent(id)}/${how}`, { method: 'POST' }));
  return html`<li class="card">
    <p class="card-title"><${Badge} tone="bad">${title}</${Badge}> <span class="cut" dir="auto" title=${address}>${placeText({ chat: address, ...facts?.place, person: facts?.person })}</span></p>
    <p>${error ?? why}</p>
    <p class="muted small">${sent} of ${parts} parts sent · <${Time} ms=${createdAtMs} />${runID && html` · <${Link} to=${addressOf(['runs', runID])}>run</${Link}>`}</p>
    ${
      dismiss &&
      html`<p class="actions left">${retry && html`<${Button} writes kind="primary" onPress=${settleBy('retry')}>${retry}</${Button}>`}
      <${Button} writes onPress=${settleBy('dismiss')}>${dismiss}</${Button}></p>`
    }
  </li>`;
}
