// How much one audience may remember, how much of it is used, and what would be taken away next.
// @ts-check
import { api } from '#console/page/data/api.js';
import { useData } from '#console/page/data/data.js';
import { count, plural } from '#console/page/parts/format.js';
import { html } from '#console/page/parts/html.js';
import { Empty, Loaded, Section } from '#console/page/parts/ui.js';
import { Uses } from '#console/page/parts/uses.js';

/** @import { MemoryBudgets } from '#engine/wire/memory/memory.ts' @typedef {MemoryBudgets['budgets'][number]} Budget */

const steps = {
  merge: 'merges records that say the same',
  summarize: 'replaces what is oldest by a summary',
  drop_vectors: 'drops vectors, so that only words are searched',
  evict: 'forgets what is used least',
};

/** @param {{ audience: string }} props */
export function Budgets({ audience }) {
  const budgets = useData(
    () => /** @type {Promise<MemoryBudgets>} */ (api('/memory/budgets', { query: { audience } })),
    [audience],
  );
  return html`<${Loaded} of=${budgets}>${(/** @type {MemoryBudgets} */ { budgets: list }) =>
    list.length === 0
      ? html`<${Empty} title="Nothing bounds this memory" icon="memory">Set bounds under “memory.budgets” in the configuration: characters, exchanges, vectors, or items of a kind.</${Empty}>`
      : list.map(
          (each) => html`<${OneBudget} key=${each.audience ?? each.agent} budget=${each} />`,
        )}</${Loaded}>`;
}

/** @param {{ budget: Budget }} props */
function OneBudget({ budget: { audience, agent, uses, next } }) {
  const title =
    audience !== null ? 'This audience' : agent === null ? 'What agents share' : `The agent ${agent}`;
  return html`<${Section} title=${title}><div class="card">
    <${Uses} rows=${uses.map(({ bound, used, limit }) => [bound.replace('items.', ''), used, limit, count])} />
    <p class=${next === null ? 'muted small' : 'warn-text'}>${next === null ? 'Within its bounds: nothing is taken away.' : `Over its bound of ${next.bound.replace('items.', '')}: the next upkeep ${steps[next.step]}, ${plural(next.memory_ids.length, 'memory', 'memories')} at first.`}</p></div></${Section}>`;
}
