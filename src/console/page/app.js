// The frame of all pages: navigation, connection, theme, the page itself, and keys that work everywhere.
// @ts-check
import { Component } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { AgentsPage } from './agents/agents.js';
import { ConversationsPage } from './conversations/conversations.js';
import { me, words } from './data/api.js';
import { connection, followEvents, returns } from './data/live.js';
import { followRuns, readActiveRuns } from './data/live-runs.js';
import { FollowWaiting, waitingCount } from './data/waiting.js';
import { MemoryPage } from './memory/memory.js';
import { NowPage } from './now/now.js';
import { Palette, paletteOpen } from './palette.js';
import { html } from './parts/html.js';
import { Icon } from './parts/icons.js';
import { addressOf, go, Link, route } from './parts/router.js';
import { dark, switchTheme } from './parts/theme.js';
import { Empty, Failure, Loading } from './parts/ui.js';
import { PeoplePage } from './people/people.js';
import { mayOpen, openPlaces, places } from './places.js';
import { RunsPage } from './runs/runs.js';
import { SettingsPage } from './settings/settings.js';
import { SignIn } from './sign-in.js';
import { TryPage } from './try.js';
import { WorkPage } from './work/work.js';

/** @type {Readonly<Record<string, () => unknown>>} */
const components = {
  now: NowPage,
  conversations: ConversationsPage,
  runs: RunsPage,
  memory: MemoryPage,
  work: WorkPage,
  people: PeoplePage,
  agents: AgentsPage,
  settings: SettingsPage,
  try: TryPage,
};

export function App() {
  if (me.value === null) return html`<${SignIn} />`;
  return html`<${Shell} />`;
}

function Shell() {
  const signedIn = me.value !== undefined;
  useEffect(() => {
    if (!signedIn) return undefined;
    const ended = new AbortController();
    const stop = followRuns();
    void followEvents(ended.signal);
    return () => {
      ended.abort();
      stop();
    };
  }, [signedIn]);
  const back = returns.value;
  useEffect(() => {
    if (signedIn) void readActiveRuns().catch(() => undefined); // the stream names them as they write
  }, [signedIn, back]);
  useKeys();
  const open = openPlaces();
  const current = route.value.pieces[0] ?? 'now';
  const waits = waitingCount();
  return html`<div class="shell">
    <a class="skip" href="#page" onClick=${(/** @type {Event} */ event) => {
      event.preventDefault();
      document.getElementById('page')?.focus();
    }}>Skip to the page</a>
    <header class="side">
      <p class="brand"><span class="mark" aria-hidden="true"></span>Parley</p>
      <nav aria-label="Pages">
        ${open.map(({ name, title, icon }) => html`<${Link} key=${name} to=${addressOf([name])} class="nav" current=${name === current}><${Icon} name=${icon} /><span>${title}</span>${name === 'now' && waits > 0 && html`<span class="nav-count" aria-label=${`${waits} ${waits === 1 ? 'waits' : 'wait'} for you`}>${waits}</span>`}</${Link}>`)}
        <button type="button" class="nav more" onClick=${() => (paletteOpen.value = true)}><${Icon} name="menu" /><span>More</span></button>
      </nav>
      <div class="side-foot">
        <button type="button" class="palette-hint" onClick=${() => (paletteOpen.value = true)}><${Icon} name="search" /><span>Go to…</span><kbd>${isMac ? '⌘' : 'Ctrl'} K</kbd></button>
        <p class="who"><span>${me.value?.name ?? ''}</span>${me.value?.role === 'viewer' && html`<span class="badge">viewer</span>`}
          <button type="button" class="button quiet only-icon" onClick=${switchTheme} aria-label=${dark.value ? 'Light theme' : 'Dark theme'} title=${dark.value ? 'Light theme' : 'Dark theme'}><${Icon} name=${dark.value ? 'sun' : 'moon'} /></button></p>
      </div>
    </header>
    <main id="page" tabindex="-1">
      <${Connection} />
      <${Guarded} key=${route.value.pieces.join('/')}><${Page} /></${Guarded}>
    </main>
    ${signedIn && html`<${FollowWaiting} />`}
    ${paletteOpen.value && html`<${Palette} />`}
  </div>`;
}

const isMac = navigator.platform.startsWith('Mac');

function Page() {
  const name = route.value.pieces[0] ?? 'now';
  const found = places.find((each) => each.name === name);
  useEffect(() => {
    document.title = `${found?.title ?? 'Not found'} · Parley`;
  }, [name]);
  if (me.value === undefined || connection.value === 'connecting') return html`<${Loading} rows=${8} />`;
  const Shown = components[name];
  if (found !== undefined && me.value?.role === 'viewer' && !found.viewers)
    return html`<${Empty} title=${`“${found.title}” is for owners`}>This browser is signed in as a viewer. <${Link} to=${addressOf(['now'])}>Open “Now”</${Link}></${Empty}>`;
  if (found === undefined || Shown === undefined || !mayOpen(found))
    return html`<${Empty} title="There is no such page">It may have another address now. <${Link} to=${addressOf(['now'])}>Open “Now”</${Link}></${Empty}>`;
  return html`<${Shown} />`;
}

/** A page that fails shows why; the navigation stays. */
class Guarded extends Component {
  /** @param {{ children?: unknown }} props */
  constructor(props) {
    super(props);
    this.state = { error: undefined };
  }

  /** @param {unknown} error @override */
  static getDerivedStateFromError(error) {
    return { error };
  }

  /** @returns {any} @override */
  render() {
    const { error } = /** @type {{ error: unknown }} */ (this.state);
    const retry = () => this.setState({ error: undefined });
    if (error !== undefined)
      return html`<${Failure} error=${new Error(`This page failed: ${words(error)}`)} retry=${retry} />`;
    return /** @type {any} */ (this.props).children;
  }
}

function Connection() {
  const was = useRef(false);
  if (connection.value === 'lost') was.current = true;
  if (connection.value !== 'lost')
    return html`<p class="unseen" role="status">${was.current ? 'The connection is back.' : ''}</p>`;
  return html`<p class="lost" role="status"><i class="pulse"></i>The connection to Parley is lost. Trying again… What you see may be old.</p>`;
}

/** Keys: ctrl/cmd-K opens the palette, `g` and a letter opens a page, `/` goes to the search of the page. */
function useKeys() {
  useEffect(() => {
    let going = false;
    const press = (/** @type {KeyboardEvent} */ event) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        paletteOpen.value = !paletteOpen.value;
        return;
      }
      const { target } = event;
      const typing =
        target instanceof HTMLElement && target.closest('input, textarea, select, dialog') !== null;
      if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
      const page = going ? openPlaces().find(({ key }) => key === event.key) : undefined;
      going = event.key === 'g';
      if (page !== undefined) go(addressOf([page.name]));
      if (event.key !== '/') return;
      const search = document.querySelector('main input[type="search"]');
      if (!(search instanceof HTMLElement)) return;
      event.preventDefault();
      search.focus();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}
