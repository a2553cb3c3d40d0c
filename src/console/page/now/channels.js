// Channels with their state and last event, and problems with what to do about them.
// @ts-check
import { asCalled, command } from '#console/page/data/called-as.js';
import { count, platformName, plural } from '#console/page/parts/format.js';
import { html } from '#console/page/parts/html.js';
import { Badge, Empty, Section, Time } from '#console/page/parts/ui.js';

/** @import { StatusReport } from '#engine/wire/operator/overview.ts' @import { ChannelEntry } from '#engine/wire/channels/channel-report.ts' */

const tones = /** @type {const} */ ({
  ready: 'good',
  connecting: 'warn',
  reconnecting: 'warn',
  standby: 'info',
  failed: 'bad',
  stopped: 'bad',
});

/** @param {{ status: StatusReport }} props */
export function Problems({ status: { problems, config } }) {
  const notes = [
    ...problems.map(({ component, message, hint, sinceMs }) => ({ component, message, hint, sinceMs })),
    ...(config?.error
      ? [{ component: 'config', message: config.error, hint: null, sinceMs: config.readAtMs }]
      : []),
  ];
  if (notes.length === 0) return null;
  return html`<${Section} title="Problems" count=${notes.length}>
    <ul class="cards">${notes.map(({ component, ...note }) => html`<${ProblemCard} key=${component + note.message} tone="bad" about=${component} ...${note} />`)}</ul></${Section}>`;
}

/** A problem with what to do about it. @param {{ tone: 'bad' | 'warn', about: string, message: string, hint?: string | null, sinceMs?: number }} props */
export function ProblemCard({ tone, about, message, hint, sinceMs }) {
  return html`<li class=${`card ${tone}-edge`}>
    <p class="card-title"><${Badge} tone=${tone}>${about}</${Badge}> ${asCalled(message)}</p>
    ${hint && html`<p>${asCalled(hint)}</p>`}${sinceMs !== undefined && html`<p class="muted small">since <${Time} ms=${sinceMs} /></p>`}</li>`;
}

/** @param {{ status: StatusReport }} props */
export function Channels({ status: { channels, lanes, storage } }) {
  const entries = Object.entries(channels);
  const work = lanes && `${plural(lanes.active, 'conversation')} at work, ${count(lanes.waiting)} waiting`;
  const answers =
    storage?.latencyMs == null ? 'does not answer' : `answers in ${Math.ceil(storage.latencyMs)} ms`;
  const note = [work, storage && `PostgreSQL ${answers}`].filter(Boolean).join(', ');
  return html`<${Section} title="Channels" note=${note}>
    ${entries.length === 0 && html`<${Empty} title="No channel is configured">Run <code>${command('init')}</code> to connect Discord, Telegram or Slack.</${Empty}>`}
    <div class="channels">${entries.map(([name, entry]) => html`<${Channel} key=${name} name=${name} entry=${entry} led=${storage?.accounts.find(({ channel }) => channel === name)} />`)}</div>
  </${Section}>`;
}

/** @param {NonNullable<StatusReport['storage']>['accounts'][number]} led */
function leaderOf({ leads, leader, isHeld, sinceMs }) {
  if (!isHeld) return html`<span class="muted">nobody</span>`;
  return html`<span title=${leader ?? ''}>${leads ? 'this instance' : leader}</span> since <${Time} ms=${sinceMs} />`;
}

/** `led`: who leads the bot, where instances share a database. @param {{ name: string, entry: ChannelEntry, led: NonNullable<StatusReport['storage']>['accounts'][number] | undefined }} props */
function Channel({ name, entry, led }) {
  const {
    state,
    problem,
    lastInboundMs,
    lastOutboundMs,
    inboxBacklog,
    outboxBacklog,
    lastError,
    lastErrorAtMs,
  } = entry;
  return html`<article class="card channel" aria-label=${platformName(name)}>
    <p class="card-title"><span>${platformName(name)}</span><${Badge} tone=${tones[/** @type {keyof typeof tones} */ (state)]}>${state === 'ready' ? 'connected' : state}</${Badge}></p>
    <dl class="pairs"><div><dt>Received</dt><dd><${Time} ms=${lastInboundMs} /></dd></div>
      <div><dt>Sent</dt><dd><${Time} ms=${lastOutboundMs} /></dd></div>
      <div><dt>Backlog</dt><dd>${inboxBacklog + outboxBacklog === 0 ? html`<span class="muted">none</span>` : `${count(inboxBacklog)} in, ${count(outboxBacklog)} out`}</dd></div>
      ${led && html`<div><dt>Led by</dt><dd>${leaderOf(led)}</dd></div>`}</dl>
    ${problem ? html`<p class="bad-text small">${problem}</p>` : lastError && html`<p class="muted small">Last error <${Time} ms=${lastErrorAtMs} />: ${lastError}</p>`}
  </article>`;
}
