// One memory: its text, where it is from, and what may be done with it.
// @ts-check
import { cut, platformName } from '#console/page/parts/format.js';
import { html } from '#console/page/parts/html.js';
import { LongText, Markdown } from '#console/page/parts/markdown.js';
import { addressOf, Link } from '#console/page/parts/router.js';
import { Badge, Time } from '#console/page/parts/ui.js';

const kinds = {
  exchange: 'exchange',
  turn: 'imported',
  document: 'file',
  note: 'note',
  fact: 'fact',
  solution_capsule: 'solution',
};

/** The first line of an answer in the text of an exchange; all others of a text are indented. */
const answered = /^assistant answered: /m;

/** An exchange with the name of the assistant that answered. @param {string} content @param {string | undefined} assistant */
const named = (content, assistant) =>
  assistant === undefined ? content : content.replace(answered, () => `${assistant} answered: `);

/**
 * @param {{ entry: { id: string, tier: string, source_type: string, content: string, created_at_ms: number, speaker: string, platform: string, session_id: string, run_id: string, answered_by?: string | undefined }, children?: unknown, actions?: unknown }} props
 */
export function MemoryEntry({
  entry: { source_type, tier, content, created_at_ms, speaker, platform, session_id, run_id, answered_by },
  children,
  actions,
}) {
  const text = named(content, answered_by);
  return html`<li class="card memory">
    <div class="memory-text" dir="auto">${text.length > 2_000 ? html`<${LongText} text=${text} />` : html`<${Markdown} text=${text} />`}</div>
    <p class="memory-note"><${Badge}>${kinds[/** @type {keyof typeof kinds} */ (source_type)] ?? source_type}</${Badge}>${tier !== 'global' && html`<${Badge}>${tier}</${Badge}>`}
      <span class="cut">${[speaker && cut(speaker, 60), platform && platformName(platform)].filter(Boolean).join(' · ')}</span> <${Time} ms=${created_at_ms} />
      ${session_id && html`<${Link} to=${addressOf(['conversations', session_id])}>conversation</${Link}>`} ${run_id && html`<${Link} to=${addressOf(['runs', run_id])}>run</${Link}>`}
      <span class="actions">${actions}</span></p>
    ${children}
  </li>`;
}
