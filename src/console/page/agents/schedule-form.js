// The form of a schedule: a new one for a person in a chat, or what and when of one that exists. What is wrong is shown at its field.
// @ts-check
import { useState } from 'preact/hooks';
import { ApiFailure, api } from '#console/page/data/api.js';
import { useData } from '#console/page/data/data.js';
import { Dialog } from '#console/page/parts/dialog.js';
import { cut, platformName } from '#console/page/parts/format.js';
import { html } from '#console/page/parts/html.js';
import { distinct, placeText } from '#console/page/parts/place.js';
import { Empty, Field, Loaded } from '#console/page/parts/ui.js';

/**
 * @import { PeopleList } from '#engine/wire/channels/channel-service.ts' @import { WireSession } from '#engine/wire/sessions/message.ts'
 * @import { PersonTimes, Schedule } from '#engine/wire/schedules/schedule.ts'
 * @typedef {{ chats: [address: string, title: string][], owners: Map<string, string>, people: { person: string, platform: string, title: string }[] }} Places
 */

/** The field that a refusal is about, by its code. @type {Readonly<Record<string, string>>} */
const fields = {
  ...{ UNKNOWN_TIME: 'when', TIME_IN_THE_PAST: 'when', TOO_OFTEN: 'when' },
  ...{ UNKNOWN_ZONE: 'zone', ZONE_NEEDED: 'zone', TOO_MANY_SCHEDULES: 'person' },
};

/** @param {{ schedule?: Schedule, done: (made: Schedule) => Promise<void>, close: () => void }} props Without `schedule` a new one is made. */
export function ScheduleForm({ schedule, done, close }) {
  const [typed, setTyped] = useState(
    /** @type {Partial<Record<'chat' | 'person' | 'kind' | 'when' | 'text' | 'zone', string>>} */ ({}),
  );
  const [problem, setProblem] = useState(/** @type {{ field?: string, error?: string }} */ ({}));
  const places = useData(async () => (schedule === undefined ? readPlaces() : null), []);
  const { chats = [], owners, people = [] } = places.data ?? {};
  const chat = schedule?.chat ?? typed.chat ?? chats[0]?.[0] ?? '';
  const owner = owners?.get(chat);
  const those = people.filter(({ person, platform }) =>
    owner === undefined ? platform === chat.split(':')[0] : person === owner,
  );
  const person =
    schedule?.person ??
    (those.some((each) => each.person === typed.person) ? typed.person : (owner ?? those[0]?.person)) ??
    '';
  const times = useData(
    async () =>
      schedule === undefined && person !== ''
        ? /** @type {PersonTimes} */ (await api('/schedule/person', { query: { person } }))
        : null,
    [person],
  );
  const before = schedule && {
    when:
      schedule.recurrence?.type === 'cron'
        ? `cron ${schedule.recurrence.pattern}`
        : schedule.words.replace(/ \([^()]*\)/g, ''),
    zone: schedule.zone ?? 'UTC',
  };
  const {
    kind = schedule?.kind ?? 'text',
    when = before?.when ?? '',
    text = schedule?.text ?? '',
    zone = before?.zone ?? times.data?.zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
  } = typed;
  const field = (/** @type {keyof typeof typed} */ name) => ({
    onInput: (/** @type {string} */ value) => setTyped((old) => ({ ...old, [name]: value })),
    problem: problem.field === name ? problem : undefined,
  });
  const send = async () => {
    setProblem({});
    if (when.trim() === '') return setProblem({ field: 'when', error: 'Write when it comes.' });
    if (text.trim() === '') return setProblem({ field: 'text', error: 'Write what is sent.' });
    const isMoved = when !== before?.when || zone !== before?.zone;
    const body = { kind, text, ...(isMoved && { when, zone: zone.trim() || undefined }) };
    try {
      const made =
        schedule === undefined
          ? api('/schedule', { method: 'POST', body: { ...body, person, chat } })
          : api(`/schedule/${encodeURIComponent(schedule.id)}`, { method: 'PATCH', body });
      await done(await made);
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      const about = fields[error.code];
      if (about === undefined || (about === 'person' && schedule !== undefined)) throw error;
      setProblem({ field: about, error: error.message });
    }
  };
  const isEmpty = schedule === undefined && chats.length === 0;
  return html`<${Dialog} title=${schedule ? 'Change the schedule' : 'A new schedule'} action=${schedule ? 'Change it' : 'Set it'} onDo=${isEmpty ? undefined : send} onClose=${close}>
    <${Loaded} of=${places} rows=${4}>${() =>
      isEmpty
        ? html`<${Empty} title="No chat is known yet" icon="conversations">Write to the bot on a platform; then the chat can be chosen here.</${Empty}>`
        : html`${
            schedule === undefined &&
            html`<${Field} label="Chat" value=${chat} options=${chats} ...${field('chat')} />
      <${Field} label="For" value=${person} options=${those.map((each) => [each.person, each.title])} ...${field('person')} />`
          }
      <${Field} label="What it sends" value=${kind} options=${[['text', 'A message'], ['prompt', 'A prompt']]} ...${field('kind')} />
      <${Field} label=${kind === 'text' ? 'Message' : 'Prompt'} rows=${3} value=${text} ...${field('text')} />
      <${Field} label="When" placeholder="tomorrow at 9, every Monday at 9, cron 0 9 * * 1-5" value=${when} ...${field('when')} />
      <${Field} label="Time zone" placeholder="Europe/Berlin" value=${zone} ...${field('zone')} />`}</${Loaded}></${Dialog}>`;
}

/** The chats that were written in last, the person of each private one, and the accounts that are known. @returns {Promise<Places>} */
async function readPlaces() {
  const [sessions, known] = await Promise.all([
    /** @type {Promise<WireSession[]>} */ (
      api('/session', { query: { page_size: 100, order: 'updated', archived: 'all' } })
    ),
    /** @type {Promise<PeopleList>} */ (
      api('/people').catch(() => ({ people: [], others: [] })) // the channels may run in another process
    ),
  ]);
  const people = [
    ...known.people.flatMap(({ name, accounts }) => accounts.map((each) => ({ ...each, title: name }))),
    ...known.others.map((each) => ({ ...each, title: each.shownAs })),
  ].map(({ person, platform, title }) => ({
    ...{ person, platform },
    title: `${cut(title, 60)} on ${platformName(platform)}`,
  }));
  /** @type {Places} */
  const places = { chats: [], owners: new Map(), people };
  for (const { place } of sessions) {
    if (place === undefined || places.chats.some(([chat]) => chat === place.chat)) continue;
    places.chats.push([place.chat, placeText(place)]);
    if (place.kind !== 'dm') continue;
    const person = place.audience.replace(/^person:/, '');
    places.owners.set(place.chat, person);
    if (!people.some((each) => each.person === person))
      people.push({ person, platform: place.platform, title: cut(place.person, 60) });
  }
  return { ...places, chats: distinct(places.chats) };
}
