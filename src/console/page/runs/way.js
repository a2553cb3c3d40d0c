// The way of a message as a time line: received, queued, run, sent in parts with their receipts.
// @ts-check
import { ApiFailure, api } from '#console/page/data/api.js';
import { useData } from '#console/page/data/data.js';
import { duration, fullDate, platformName, timeWithSeconds } from '#console/page/parts/format.js';
import { html } from '#console/page/parts/html.js';
import { Failure, Loading } from '#console/page/parts/ui.js';

/**
 * @import { WayOfRun } from '#engine/wire/channels/channel-service.ts'
 * @import { Run } from '#engine/wire/runs/run.ts'
 * @typedef {{ at: number | null, title: string, note?: string, tone?: 'good' | 'bad' | 'warn' }} Stop
 */

/** @param {{ runID: string }} props */
export function Way({ runID }) {
  const way = useData(async () => {
    const id = encodeURIComponent(runID);
    const [run, chat] = await Promise.all([/** @type {Promise<Run>} */ (api(`/runs/${id}`)), wayOf(runID)]);
    return stopsOf(run, chat);
  }, [runID]);
  if (way.data === undefined)
    return way.error === undefined
      ? html`<${Loading} rows=${2} />`
      : html`<${Failure} error=${way.error} retry=${way.reload} />`;
  return html`<${TimeLine} stops=${way.data} />`;
}

/** What the gateway knows of the way; undefined where it is not known. @param {string} runID */
export const wayOf = (runID) =>
  /** @type {Promise<WayOfRun | undefined>} */ (
    api(`/delivery/runs/${encodeURIComponent(runID)}`).catch(missing)
  );

/** Whether the answer of a run is still on its way into its chat. @param {WayOfRun | undefined} chat */
export const isOnItsWay = (chat) =>
  chat?.turn?.state === 'running' || ['open', 'handing over'].includes(chat?.delivery?.state ?? '');

/** Stops one after the other, with the time between them. @param {{ stops: readonly Stop[] }} props */
export function TimeLine({ stops }) {
  return html`<ol class="time-line">${stops.map(({ at, title, note, tone }, index) => {
    const before = stops[index - 1]?.at ?? null;
    return html`<li key=${index} class=${tone}><span class="time-line-at">${at === null ? '' : html`<time title=${fullDate(at)} datetime=${new Date(at).toISOString()}>${timeWithSeconds(at)}</time>`}</span>
      <span><b>${title}</b>${note && html` <span class="muted">${note}</span>`}${at !== null && before !== null && html` <span class="muted">after ${duration(Math.max(0, at - before))}</span>`}</span></li>`;
  })}</ol>`;
}

/** Where the channels run in another process, and for viewers, only the run is known. @param {unknown} error */
function missing(error) {
  if (error instanceof ApiFailure && [401, 403, 404, 503].includes(error.status)) return undefined;
  throw error;
}

/** @param {Run} run @param {WayOfRun | undefined} chat @returns {Stop[]} */
export function stopsOf(run, chat) {
  const { messages = [], turn = null, delivery = null } = chat ?? {};
  return [
    ...messages.map(({ platform, writtenAtMs, receivedAtMs }) => ({
      at: receivedAtMs,
      title: `Received from ${platformName(platform)}`,
      note:
        writtenAtMs === receivedAtMs
          ? ''
          : `written ${duration(Math.max(0, receivedAtMs - writtenAtMs))} before`,
    })),
    ...(turn === null
      ? []
      : [
          {
            at: turn.createdAtMs,
            title: 'Taken from the queue',
            note: turn.attempts > 1 ? `attempt ${turn.attempts}` : '',
          },
        ]),
    { at: run.startedAtMs, title: 'Run began', note: run.model?.modelID ?? '' },
    ...(run.finishedAtMs === undefined
      ? [{ at: null, title: 'Run in progress', tone: /** @type {const} */ ('warn') }]
      : [
          {
            at: run.finishedAtMs,
            title: run.status === 'completed' ? 'Answer complete' : `Run ended: ${run.status}`,
            note: run.failure?.message ?? '',
            tone: run.status === 'completed' ? /** @type {const} */ ('good') : /** @type {const} */ ('bad'),
          },
        ]),
    ...(delivery?.parts ?? []).map(
      ({ ordinal, state, attempts, nativeID, receivedAtMs, possibleRepeat }) => ({
        at: receivedAtMs,
        title: state === 'sent' ? `Part ${ordinal + 1} delivered` : `Part ${ordinal + 1} ${state}`,
        note: [
          nativeID === null ? '' : `receipt ${nativeID}`,
          attempts > 1 ? `${attempts} attempts` : '',
          possibleRepeat ? 'may be there twice' : '',
        ]
          .filter(Boolean)
          .join(', '),
        tone: state === 'sent' ? /** @type {const} */ ('good') : /** @type {const} */ ('warn'),
      }),
    ),
    ...(delivery?.error
      ? [{ at: null, title: 'Not delivered', note: delivery.error, tone: /** @type {const} */ ('bad') }]
      : []),
  ];
}
