// Reminders over the whole program and the real client libraries: set in a chat of each platform, confirmed, and sent at the time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createForwardClock } from '../support/forward-clock.ts';
import { found } from '../support/found.ts';
import { openHouse } from './house.ts';

const all = ['discord', 'telegram', 'slack'] as const;
const you = { chat: 'dm', user: 'you' } as const;

test('a reminder is set on each platform, survives a restart, and is sent once at its time (S18)', async (t) => {
  const clock = createForwardClock();
  const house = await openHouse(t, { clock });
  await house.ready(...all);
  for (const platform of all) {
    const sign = platform === 'slack' ? '!' : '/';
    const shown = await house.ask({ platform, ...you }, `${sign}remind in 2 minutes water ${platform}`);
    assert.match(shown, /remind you on .* \((?:UTC|Etc\/UTC)\): “water/);
    assert.match(await house.ask({ platform, ...you }, `${sign}remind yes`), /It is set/);
  }
  await house.restart();
  await house.ready(...all);
  const sent = (platform: (typeof all)[number]): string[] =>
    house
      .answers({ platform, ...you })
      .map(({ text }) => text)
      .filter((text) => text.includes(`water ${platform}`) && text.includes('⏰'));
  for (const platform of all) assert.deepEqual(sent(platform), [], platform);
  clock.advance(120_000);
  for (const platform of all)
    await found(`the reminder on ${platform}`, () => (sent(platform).length > 0 ? true : undefined));
  await house.restart();
  await house.ready(...all);
  for (const platform of all) assert.equal(sent(platform).length, 1, platform);
});

test('what is understood of a date, of a rule and of its end is shown in the chat before it is set (R21, R22)', async (t) => {
  const clock = createForwardClock();
  const house = await openHouse(t, { clock });
  await house.ready('slack');
  const ask = (words: string): Promise<string> =>
    house.ask({ platform: 'slack', ...you }, `!remind ${words}`);
  assert.match(await ask('Dec 24 at 6pm gifts'), /, 24 December \d{4} at 18:00 \(Etc\/UTC\): “gifts”/);
  assert.match(
    await ask('on the 1st of every month pay rent'),
    /every month on day 1 at 09:00 \(Etc\/UTC\).*“pay rent”/s,
  );
  assert.match(
    await ask('every 3 hours until Dec 24 drink'),
    /every 3 hours until \w+, 24 December \d{4} at 23:59 \(Etc\/UTC\).*“drink”/s,
  );
});

test('a weekday of the month is understood in the chat as it is meant (R22)', async (t) => {
  const house = await openHouse(t);
  await house.ready('slack');
  const ask = (words: string): Promise<string> =>
    house.ask({ platform: 'slack', ...you }, `!remind ${words}`);
  assert.match(
    await ask('first Monday of every month review'),
    /every month on the first Monday at 09:00 \(Etc\/UTC\).*“review”/s,
  );
  assert.match(
    await ask('jeden letzten Freitag im Monat um 17 Uhr Kasse'),
    /every month on the last Friday at 17:00 \(Etc\/UTC\).*“Kasse”/s,
  );
  assert.match(await ask('every 2nd Tuesday bins'), /every 2 weeks on Tuesday at 09:00/);
});

test('several days of a month, quarters and a time before its rule are understood in the chat, in English and German (R22)', async (t) => {
  const house = await openHouse(t);
  await house.ready('slack');
  for (const [words, shown] of [
    ['on the 1st and 15th of every month pay', /every month on days 1 and 15 at 09:00 .*“pay”/],
    ['am 1. und 15. jedes Monats zahlen', /every month on days 1 and 15 at 09:00 .*“zahlen”/],
    ['every quarter taxes', /every 3 months on day \d+.* at 09:00 .*“taxes”/],
    ['am 1. jedes Quartals Steuer', /every 3 months on day 1 at 09:00 .*“Steuer”/],
    ['jedes Quartal Steuer', /every 3 months on day \d+.* at 09:00 .*“Steuer”/],
    ['at 9:30 every Monday stand-up', /every Monday at 09:30 .*“stand-up”/],
    ['um 17 Uhr jeden Freitag Kasse', /every Friday at 17:00 .*“Kasse”/],
  ] as const)
    assert.match(await house.ask({ platform: 'slack', ...you }, `!remind ${words}`), shown, words);
});

test('quiet hours are in the zone of the person, else in that of the platform or the program, and only without any of these a zone is asked for', async (t) => {
  const clock = createForwardClock();
  const house = await openHouse(t, { clock, config: { timeZone: 'Asia/Tokyo' } });
  await house.ready('discord', 'slack');
  const ask = (words: string): Promise<string> => house.ask({ platform: 'discord', ...you }, words);
  const set = await ask('/quiet 22:00-07:00');
  assert.match(set, /Your quiet hours are 22:00 to 07:00 \(Asia\/Tokyo\)/);
  assert.match(set, /do not know your time zone and took Asia\/Tokyo\. .*\/zone Berlin/);
  assert.match(await ask('/quiet'), /22:00 to 07:00 \(Asia\/Tokyo\)/);
  // half past eleven at night in Tokyo, which is no night in UTC
  assert.match(
    await ask('/remind tomorrow at 23:30 lock up'),
    /at 23:30 \(Asia\/Tokyo\)[\s\S]*in your quiet hours, so it comes at their end: .* at 07:00 \(Asia\/Tokyo\)/,
  );
  const onSlack = await house.ask({ platform: 'slack', ...you }, '!quiet 22:00-07:00');
  assert.match(onSlack, /22:00 to 07:00 \(Etc\/UTC\)/, 'that of the profile');
  assert.doesNotMatch(onSlack, /do not know your time zone/);
  await ask('/zone Berlin');
  assert.match(await ask('/quiet 21-6'), /21:00 to 06:00 \(Europe\/Berlin\)/);
  const plain = await openHouse(t);
  await plain.ready('telegram');
  const there = await plain.ask({ platform: 'telegram', ...you }, '/quiet 22:00-07:00');
  assert.match(there, /do not know your time zone yet, and it decides when that is.*\/zone Berlin/);
});

test('a reminder is in the zone of its person, else in that of the program, else in UTC, and says in which (R19)', async (t) => {
  const talk = { platform: 'discord', ...you } as const;
  const house = await openHouse(t, { config: { timeZone: 'Asia/Tokyo' } });
  await house.ready('discord', 'slack');
  const ask = (words: string): Promise<string> => house.ask(talk, words);
  const assumed = await ask('/remind tomorrow at 9 tea');
  assert.match(assumed, /at 09:00 \(Asia\/Tokyo\): “tea”/);
  assert.match(assumed, /do not know your time zone and took Asia\/Tokyo\. .*\/zone Berlin/);
  assert.match(await ask('/remind every day at 9 tea'), /every day at 09:00 \(Asia\/Tokyo\)/);
  const slack = await house.ask({ platform: 'slack', ...you }, '!remind tomorrow at 9 tea');
  assert.match(slack, /at 09:00 \(Etc\/UTC\): “tea”/, 'that of the profile');
  assert.doesNotMatch(slack, /do not know your time zone/);
  await ask('/zone Berlin');
  const own = await ask('/remind tomorrow at 9 tea');
  assert.match(own, /at 09:00 \(Europe\/Berlin\): “tea”/);
  assert.doesNotMatch(own, /do not know your time zone/);
  const plain = await openHouse(t);
  await plain.ready('telegram');
  const there = await plain.ask({ platform: 'telegram', ...you }, '/remind tomorrow at 9 tea');
  assert.match(there, /at 09:00 \(UTC\): “tea”[\s\S]*took UTC/);
});

test('what nobody confirmed counts for no limit, and makes room for what is asked for next', async (t) => {
  const house = await openHouse(t, { config: { schedules: { perPerson: 2 } } });
  await house.ready('slack');
  const ask = (words: string): Promise<string> => house.ask({ platform: 'slack', ...you }, words);
  for (const what of ['one', 'two', 'three', 'four'])
    assert.match(await ask(`!remind in 2 hours ${what}`), /Is that right\?/, what);
  const list = await ask('!schedules');
  assert.match(list, /four/);
  assert.match(list, /three/);
  assert.doesNotMatch(list, /two/);
  assert.match(await ask('!remind yes'), /It is set/);
  assert.match(await ask('!remind yes'), /It is set/);
  assert.match(await ask('!remind in 2 hours five'), /You have 2 schedules, and nobody may have more/);
});

test('on Slack the zone of the profile is taken, and a person need not write it (S17)', async (t) => {
  const house = await openHouse(t);
  await house.ready('slack');
  const shown = await house.ask({ platform: 'slack', ...you }, '!remind tomorrow at 9 call the bank');
  assert.match(shown, /at 09:00 \(Etc\/UTC\): “call the bank”/);
});

test('the buttons below a proposal are removed once it is decided, by a press or a command, on each platform', async (t) => {
  const house = await openHouse(t);
  await house.ready(...all);
  await Promise.all(
    all.map(async (platform) => {
      const [server, talk] = [house.sandbox[platform], { platform, ...you }];
      const sign = platform === 'slack' ? '!' : '/';
      const proposal = (words: string) =>
        found(`${platform}: ${words}`, () =>
          house.answers(talk).find(({ text }) => text.includes(`remind you`) && text.includes(words)),
        );
      await house.ask(talk, `${sign}remind in 2 hours water`);
      const shown = await proposal('water');
      assert.deepEqual(shown.buttons, ['Yes, set it', 'No, drop it'], platform);
      server.pressButton({ id: shown.id, user: 'you', at: 0 });
      await found(`${platform}: the buttons go`, async () =>
        (await proposal('water')).buttons === undefined ? true : undefined,
      );
      await found(`${platform}: it is set`, () =>
        house.answers(talk).find(({ text }) => /It is set/.test(text)),
      );
      assert.equal((await proposal('water')).text, shown.text, `${platform}: its text stays`);
      await house.ask(talk, `${sign}remind in 3 hours plants`);
      assert.ok((await proposal('plants')).buttons, platform);
      await house.ask(talk, `${sign}remind no`);
      await found(`${platform}: these go too`, async () =>
        (await proposal('plants')).buttons === undefined ? true : undefined,
      );
    }),
  );
});

test('a person whose app is German says their zone once, and reads times, limits and refusals in German (S17)', async (t) => {
  const house = await openHouse(t, {
    config: { schedules: { perPerson: 1 } },
    platforms: { telegram: { locale: 'de' } },
  });
  await house.ready('telegram');
  const ask = (text: string) => house.ask({ platform: 'telegram', ...you }, text);
  assert.match(
    await ask('/remind morgen um 9 Papa anrufen'),
    /um 09:00 Uhr \(UTC\): „Papa anrufen“[\s\S]*kenne deine Zeitzone nicht und habe UTC genommen.*\/zone Berlin/,
  );
  assert.match(await ask('/zone Berlinn'), /keine Zeitzone Berlinn \(am ähnlichsten ist Europe\/Berlin\)/);
  assert.match(await ask('/zone berlin'), /Deine Zeitzone ist Europe\/Berlin\. Dort ist jetzt/);
  assert.match(
    await ask('/remind morgen um 9 Mama anrufen'),
    /^Ich erinnere dich am \S+, .* um 09:00 Uhr \(Europe\/Berlin\): „Mama anrufen“/,
  );
  assert.match(await ask('/remind ja'), /^Ist eingetragen/);
  const refused: readonly (readonly [string, RegExp])[] = [
    ['gestern um 9 Tee', /um 09:00 Uhr .* ist schon vorbei\. Schreib eine Zeit, die noch kommt/],
    ['jede Sekunde Tee', /Das ist zu oft \(jede Sekunde\)\. .* müssen mindestens 15 Minuten liegen/],
    ['irgendwann Tee', /keine Zeit erkannt.*morgen um 9/],
    ['cron 99 9 * * * Tee', /kein Cron-Muster\. Schreib fünf Felder/],
    ['in 20 Jahren Tee', /mehr als zehn Jahre in der Zukunft/],
    ['morgen', /Worum geht es\?/],
    ['übermorgen um 9 Tee', /Du hast 1 Eintrag, mehr darf niemand haben\. \/schedules zeigt sie/],
  ];
  for (const [when, words] of refused) assert.match(await ask(`/remind ${when}`), words, when);
  assert.match(await ask('/schedules'), /Mama anrufen/);
});

test('a reminder of a group that became a supergroup comes there, and its owner lists and removes it there', async (t) => {
  const clock = createForwardClock();
  const house = await openHouse(t, { clock });
  await house.ready('telegram');
  const { places } = house.sandbox.telegram;
  const robin = house.sandbox.telegram.userID('you');
  const group = places.addRoom({ space: '', kind: 'basic group', name: 'Allotment', members: [robin] });
  const said = (room: string, text: RegExp) =>
    found(`${text}`, () => places.messages(room).find((message) => text.test(message.text)));
  await places.say({ account: robin, room: group, text: '/remind in 2 minutes water', mention: true });
  await said(group, /remind you/);
  await places.say({ account: robin, room: group, text: '/remind yes', mention: true });
  await said(group, /It is set/);
  await places.say({ account: robin, room: group, text: '/remind every 2 hours stretch', mention: true });
  await said(group, /you every 2 hours/);
  const room = places.move?.(group) ?? '';
  clock.advance(120_000);
  await said(room, /⏰.*water/);
  await places.say({ account: robin, room, text: '/schedules', mention: true });
  const { text } = await said(room, /every 2 hours, next/);
  const [, id = ''] = /^\W*(\w{6})\W* every 2 hours/m.exec(text) ?? [];
  await places.say({ account: robin, room, text: `/unschedule ${id}`, mention: true });
  await said(room, /I removed “stretch”/);
  assert.equal(places.messages(room).filter((message) => /⏰/.test(message.text)).length, 1);
});
