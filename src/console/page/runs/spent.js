// Where the time of an answer went: from its message to its last part in the chat, a bar for each stretch.
// @ts-check
import { duration, elapsed, timeWithSeconds } from '#console/page/parts/format.js';
import { html } from '#console/page/parts/html.js';
import { Section, second } from '#console/page/parts/ui.js';

/**
 * @import { EngineEvent } from '#engine/wire/events/event.ts'
 * @import { WayOfRun } from '#engine/wire/channels/channel-service.ts'
 * @import { Run } from '#engine/wire/runs/run.ts' @import { RunPrompt } from '#engine/wire/runs/run-prompt.ts'
 * @typedef {{ title: string, from: number, until: number, tone?: 'waits' | 'model' | 'tool' }} Stretch
 * @typedef {{ run: Run, events: readonly EngineEvent[], chat: WayOfRun | undefined, prompt: RunPrompt | null }} Known
 */

/** @param {{ known: Known }} props */
export function Spent({ known }) {
  const isOver = known.run.finishedAtMs !== undefined;
  const stretches = stretchesOf(known, isOver ? undefined : second.value);
  const [first] = stretches;
  if (first === undefined) return null;
  const end = Math.max(...stretches.map(({ until }) => until));
  const all = Math.max(1, end - first.from);
  const at = (/** @type {number} */ ms) => `${(100 * (ms - first.from)) / all}%`;
  const shown = shownAt(known);
  const whole = isOver ? `${duration(all)} in all` : `${elapsed(all)} so far`;
  const note =
    shown === undefined
      ? whole
      : `${whole}; the first words stood in the chat after ${duration(Math.max(0, shown - first.from))}`;
  return html`<${Section} title="Where the time went" note=${note}><ol class="rows steps">${stretches.map(
    (
      { title, from, until, tone },
      index,
    ) => html`<li key=${index} class="step"><span class="step-at">${timeWithSeconds(from)}</span>
      <span class="step-what">${title}</span>
      <span class="step-bar" aria-hidden="true"><i class=${tone} style=${{ left: at(from), width: `max(2px, ${(100 * (until - from)) / all}%)` }}></i>${shown !== undefined && html`<b style=${{ left: at(shown) }}></b>`}</span>
      <span class="step-took">${duration(until - from)}</span></li>`,
  )}</ol></${Section}>`;
}

/** When words first stood in the chat: in a preview, or with the first part. @param {Known} known */
function shownAt({ chat }) {
  const times = [
    chat?.turn?.shownAtMs,
    ...(chat?.delivery?.parts ?? []).map(({ receivedAtMs }) => receivedAtMs),
  ];
  const known = times.filter((each) => typeof each === 'number');
  return known.length === 0 ? undefined : Math.min(...known);
}

/** In the order in which they began; of a run in progress what is not over lasts until now. @param {Known} known @param {number | undefined} now @returns {Stretch[]} */
function stretchesOf({ run, events, chat, prompt }, now) {
  const { startedAtMs: began, finishedAtMs } = run;
  const turn = chat?.turn?.createdAtMs;
  const received = chat?.messages.map(({ receivedAtMs }) => receivedAtMs) ?? [];
  const delivered = (chat?.delivery?.parts ?? []).flatMap(({ receivedAtMs }) => receivedAtMs ?? []);
  /** @type {(Stretch | false | undefined)[]} */
  const all = [
    turn !== undefined &&
      received.length > 0 && {
        title: 'Waiting in the queue',
        from: Math.min(...received),
        until: turn,
        tone: 'waits',
      },
    turn !== undefined && { title: 'Files and what was said around', from: turn, until: began },
    prompt?.builtMs !== undefined && {
      title: 'Memory and the rest of the prompt',
      from: began,
      until: began + prompt.builtMs,
    },
    ...(prompt?.calls ?? []).flatMap(({ fromMs, firstMs, untilMs }, index, { length }) => {
      const which = length > 1 ? `, call ${index + 1}` : '';
      const first = firstMs ?? untilMs;
      return [
        first !== undefined && {
          title: `Time to the first token${which}`,
          from: began + fromMs,
          until: began + first,
          tone: /** @type {const} */ ('model'),
        },
        first !== undefined &&
          untilMs !== undefined && {
            title: `Writing${which}`,
            from: began + first,
            until: began + untilMs,
            tone: /** @type {const} */ ('model'),
          },
      ];
    }),
    ...toolsOf(events, now),
    finishedAtMs !== undefined &&
      delivered.length > 0 && { title: 'Delivery', from: finishedAtMs, until: Math.max(...delivered) },
  ];
  const known = all
    .flatMap((each) => (each ? [{ ...each, until: Math.max(each.from, each.until) }] : []))
    .toSorted((a, b) => a.from - b.from);
  const last = Math.max(began, ...known.map(({ until }) => until));
  return now === undefined || now <= last
    ? known
    : [...known, { title: 'In progress', from: last, until: now, tone: 'model' }];
}

/** The tools with the time in which they worked, and the waiting for people. @param {readonly EngineEvent[]} events @param {number | undefined} now @returns {Stretch[]} */
function toolsOf(events, now) {
  /** @type {Map<string, { title: string, from: number, tone: 'waits' | 'tool' }>} */
  const open = new Map();
  /** @type {Stretch[]} */
  const over = [];
  for (const { type, properties, envelope } of events) {
    const now = envelope.occurred_at_ms;
    const end = (/** @type {string} */ id) => {
      const begun = open.get(id);
      open.delete(id);
      if (begun !== undefined) over.push({ ...begun, until: now });
    };
    if (type === 'permission.asked')
      open.set(properties.requestID, {
        title: `Waiting for approval of ${properties.tool}`,
        from: now,
        tone: 'waits',
      });
    if (type === 'question.asked')
      open.set(properties.id, { title: 'Waiting for an answer', from: now, tone: 'waits' });
    if (type === 'permission.replied') end(properties.requestID);
    if (type === 'question.replied') end(properties.id);
    if (type !== 'message.part.updated' || properties.part.type !== 'tool') continue;
    const { id, tool, state } = properties.part;
    if (state === 'running') open.set(id, { title: `Tool ${tool}`, from: now, tone: 'tool' });
    else if (state !== 'pending') end(id);
  }
  if (now !== undefined) for (const begun of open.values()) over.push({ ...begun, until: now });
  return over;
}
