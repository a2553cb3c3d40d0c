// What the doctor finds: warnings with what to do about each. It looks when the page is opened and what it found is old; at everything, whole databases too, when someone asks it to.
// @ts-check
import { useEffect } from 'preact/hooks';
import { api } from '#console/page/data/api.js';
import { useData } from '#console/page/data/data.js';
import { html } from '#console/page/parts/html.js';
import { Button, Empty, Loaded, Section, Time } from '#console/page/parts/ui.js';
import { ProblemCard } from './channels.js';

/** @import { DoctorReport } from '#engine/wire/operator/operator.ts' */

/** What was found earlier than this, in milliseconds, is looked at again when the page opens; a look at everything holds for longer. */
const [quickOldMs, wholeOldMs] = [60_000, 3_600_000];
/** Between two readings while a look is in progress, in milliseconds. */
const lookMs = 700;

/** @param {{ known: readonly string[] }} props `known`: messages of problems that the page shows already. */
export function Doctor({ known }) {
  const report = useData(() => /** @type {Promise<DoctorReport>} */ (api('/doctor')), [], {
    everyMs: 30_000,
  });
  const state = report.data?.state;
  const look = async (/** @type {boolean} */ quick) => {
    /** @type {DoctorReport} */
    let now = await api('/doctor', { method: 'POST', body: { quick } });
    await report.reload();
    while (now.state === 'running') {
      await new Promise((resolve) => setTimeout(resolve, lookMs));
      now = await api('/doctor');
    }
    await report.reload();
  };
  const { atMs = null, quick } = report.data ?? {};
  const isOld = atMs !== null && Date.now() - atMs > (quick === false ? wholeOldMs : quickOldMs);
  useEffect(() => {
    if (state === 'none' || (isOld && state !== 'running')) void look(true).catch(() => undefined); // the next reading says what is wrong
  }, [state === undefined]);
  const again = html`<${Button} disabled=${state === 'running'} onPress=${() => look(false)}>${state === 'running' ? 'Looking…' : 'Look at everything'}</${Button}>`;
  return html`<${Section} title="Doctor" note=${html`Machine, files, memory, models, platforms${atMs !== null && html`; looked <${Time} ms=${atMs} />`}`} actions=${again}>
    <${Loaded} of=${report} rows=${1}>${(/** @type {DoctorReport} */ { findings, atMs, error }) => {
      const wrong = findings.filter(({ level, what }) => level !== 'ok' && !known.includes(what));
      return html`${error && html`<p class="bad-text" role="alert">The doctor could not look: ${error}</p>`}
        ${atMs === null ? html`<p class="muted">It looks now, which takes some seconds.</p>` : wrong.length === 0 && html`<${Empty} low title="All is well" icon="check">${findings.length} things were looked at.</${Empty}>`}
        <ul class="cards">${wrong.map(({ about, level, what, hint }) => html`<${ProblemCard} key=${about + what} tone=${level === 'error' ? 'bad' : 'warn'} about=${about} message=${what} hint=${hint} />`)}</ul>`;
    }}</${Loaded}></${Section}>`;
}
