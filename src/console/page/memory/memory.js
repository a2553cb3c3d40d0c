// Memory: searched as one audience would see it, its entries, files, journal, dreams, budgets and audit, and what is imported and forgotten.
// @ts-check

import { count } from '#console/page/parts/format.js';
import { html } from '#console/page/parts/html.js';
import { addressOf, Link, route, setQuery } from '#console/page/parts/router.js';
import { Field, Head, Loaded, Tabs } from '#console/page/parts/ui.js';
import { useAudiences } from '#console/page/people/audiences.js';
import { Audit } from './audit.js';
import { Budgets } from './budgets.js';
import { Dreams } from './dreams.js';
import { Entries } from './entries.js';
import { Files } from './files.js';
import { Forget } from './forget.js';
import { Import } from './import.js';
import { Journal } from './journal.js';
import { Search } from './search.js';

/** @import { NamedAudience } from '#console/page/people/audiences.js' */

const views = /** @type {const} */ ([
  ['search', 'Search', Search],
  ['entries', 'Entries', Entries],
  ['files', 'Files', Files],
  ['import', 'Import', Import],
  ['journal', 'Journal', Journal],
  ['dreams', 'Dreams', Dreams],
  ['budgets', 'Budgets', Budgets],
  ['audit', 'Audit', Audit],
  ['forget', 'Forget', Forget],
]);

export function MemoryPage() {
  const { pieces, query } = route.value;
  const audiences = useAudiences();
  const name = pieces[1] ?? 'search';
  const View = views.find(([each]) => each === name)?.[2] ?? Search;
  const audience = query.get('as') ?? audiences.data?.[0]?.audience ?? 'person:operator';
  const options = (audiences.data ?? []).map((/** @type {NamedAudience} */ each) => [
    each.audience,
    `${each.title} (${count(each.entries)})`,
  ]);
  return html`<${Head} title="Memory"><${Field} label="As seen by" value=${audience} options=${options} onInput=${(/** @type {string} */ as) => setQuery({ as })} /></${Head}>
    <${Tabs} label="Views of memory">${views.map(([each, title]) => html`<${Link} key=${each} to=${addressOf(['memory', each], { as: query.get('as') ?? undefined })} current=${each === name}>${title}</${Link}>`)}</${Tabs}>
    <${Loaded} of=${audiences} rows=${4}>${() => html`<${View} key=${audience} audience=${audience} audiences=${audiences.data ?? []} changed=${audiences.reload} />`}</${Loaded}>`;
}
