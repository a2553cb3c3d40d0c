// Strangers on real platforms, from their first message to the answer after an operator has admitted them with `parley people`.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { main } from '#app/main.ts';
import { found } from '../support/found.ts';
import { type House, openHouse } from './house.ts';

const all = ['discord', 'telegram', 'slack'] as const;
const pairing = { directMessages: 'pairing' } as const;
const config = { channels: { discord: pairing, telegram: pairing, slack: pairing } };

/** `parley people ...` in the folder of the house, in this process. */
async function people(house: House, ...words: string[]): Promise<{ code: number; out: string; err: string }> {
  const lines = { out: [] as string[], err: [] as string[] };
  const variables = { PARLEY_HOME: house.home };
  const code = await main(
    ['people', ...words, '--config', join(house.folder, 'parley.config.json')],
    variables,
    {
      out: (line) => lines.out.push(line),
      err: (line) => lines.err.push(line),
    },
  );
  return { code, out: lines.out.join('\n'), err: lines.err.join('\n') };
}

const said = (house: House, platform: (typeof all)[number], wanted: RegExp): Promise<string> =>
  found(`${platform}: ${wanted}`, () => {
    const answers = house.answers({ platform, chat: 'dm', user: 'guest' });
    return answers.find(({ text }) => wanted.test(text))?.text;
  });

test('a stranger on each platform gets a code, is admitted by the operator, informed, and answered; who runs the sandbox is known', async (t) => {
  const house = await openHouse(t, { config });
  await house.ready(...all);
  const picture = { name: 'passport.png', mime: 'image/png', bytes: new Uint8Array([137, 80, 78, 71]) };
  await Promise.all(
    all.map(async (platform) => {
      const stranger = { chat: 'dm', user: 'guest' } as const;
      await house.sandbox[platform].say({ ...stranger, text: 'the launch code is 4711', files: [picture] });
      const [, code = ''] = /people approve (\w{8})/.exec(await said(house, platform, /Your code is/)) ?? [];
      const listed = await people(house, 'list');
      assert.match(listed.out, new RegExp(`${code}  ${platform}:\\S+  shown as .*6?0 min left`));
      const approved = await people(house, 'approve', code, '--name', `guest of ${platform}`);
      assert.equal(approved.code, 0, approved.err);
      assert.match(approved.out, /is admitted as guest of/);
      await said(house, platform, /You have been admitted as guest of/);
      const answer = await house.ask({ platform, ...stranger }, 'hello');
      assert.doesNotMatch(answer, /code|admitted/);
    }),
  );
  assert.match(await house.ask({ platform: 'discord', chat: 'dm', user: 'you' }, 'hello'), /./);
  const { out: everyone } = await people(house);
  assert.match(
    everyone,
    /^Robin {2}owner, of the config\n(?: {2}per_\w+ {2}\w+:\S+ {2}shown as "Robin"\n){3}/m,
  );
  for (const line of everyone.split('\n')) assert.ok(line.length <= 80, line);
  const [, id = ''] = / {2}(per_\w+) {2}discord:\S+ {2}shown as "Guest"/.exec(everyone) ?? [];
  assert.match(id, /^per_/, 'the id that other commands take');
  const file = new Database(join(house.home, 'gateway.sqlite'), { readonly: true });
  const inbox = JSON.stringify(file.prepare('SELECT event FROM inbox').all());
  file.close();
  assert.doesNotMatch(inbox, /launch code|passport/, 'what a stranger said before is nowhere');
});

test('people are admitted while nothing runs too, and informed at the next start; wrong calls are refused with a message', async (t) => {
  const house = await openHouse(t, {
    config: {
      channels: { ...config.channels, discord: { enabled: false }, slack: { enabled: false } },
      people: { boss: ['telegram:1'] },
    },
  });
  await house.ready('telegram');
  await house.sandbox.telegram.say({ chat: 'dm', user: 'guest', text: 'hello?' });
  const [, code = ''] = /people approve (\w{8})/.exec(await said(house, 'telegram', /Your code is/)) ?? [];
  await house.parley.close();
  const wrong: [string[], RegExp][] = [
    [['approve', code], /Who is it\? Expected --name NAME/],
    [['approve', 'NOTACODE', '--name', 'ann'], /"NOTACODE" is not a code that waits/],
    [
      ['approve', code, '--name', 'ann', '--role', 'king'],
      /--role: expected one of owner, member, guest, got "king"/,
    ],
    [
      ['approve', code, '--name', 'Boss'],
      /"boss", which looks like "Boss", already belongs to someone: a member, with telegram:1 [\s\S]*--same-person/,
    ],
    [['approve', code, '--name', 'ann', '--same-person'], /There is nobody of the name "ann"/],
    [['remove', 'boss', '--account', 'telegram:1'], /The config lists telegram:1/],
    [['remove', 'boss', '--account', 'telegram:2'], /boss has no account "telegram:2"/],
    [['show', 'ann'], /There is nobody of the name "ann"/],
    [['role', 'boss', 'guest'], /boss is named in the config/],
    [['bless', 'ann'], /"bless" is not an action/],
  ];
  for (const [words, expected] of wrong) {
    const { code: exit, err } = await people(house, ...words);
    assert.notEqual(exit, 0);
    assert.match(err, expected);
  }
  assert.match(
    (await people(house, 'approve', code, '--name', 'ann')).out,
    /is admitted as ann, a member\.\n.*Nobody is an owner/,
  );
  assert.match((await people(house, 'role', 'ann', 'owner')).out, /ann is an owner now/);
  assert.match((await people(house, 'show', 'ann')).out, /account\s+telegram:\d+, shown as/);
  await house.restart();
  await said(house, 'telegram', /You have been admitted as ann, an owner/);
});

test("next to running channels an account becomes a known person's only by an explicit word, and is removed on its own", async (t) => {
  const house = await openHouse(t, { config: { ...config, people: { boss: ['telegram:1'] } } });
  await house.ready('telegram');
  await house.sandbox.telegram.say({ chat: 'dm', user: 'guest', text: 'hello?' });
  const [, code = ''] = /people approve (\w{8})/.exec(await said(house, 'telegram', /Your code is/)) ?? [];
  const refused = await people(house, 'approve', code, '--name', 'boss');
  assert.notEqual(refused.code, 0);
  assert.match(refused.err, /"boss" already belongs to someone: a member, with telegram:1/);
  const joined = await people(house, 'approve', code, '--name', 'boss', '--same-person');
  assert.match(joined.out, /is admitted as boss, a member/);
  await said(house, 'telegram', /You have been admitted as boss, a member/);
  const account = `telegram:${house.sandbox.telegram.userID('guest')}`;
  assert.match((await people(house, 'show', 'boss')).out, new RegExp(`${account}.*approved`));
  const removed = await people(house, 'remove', 'boss', '--account', account);
  assert.match(removed.out, new RegExp(`^${account} is no account of boss any more`));
  assert.doesNotMatch((await people(house, 'show', 'boss')).out, new RegExp(account));
});

test('while the program ends, people, tokens and deliveries answer as before or with 503, and never with 500', async (t) => {
  const house = await openHouse(t, { config });
  await house.ready('telegram');
  const authorization = `Bearer ${readFileSync(join(house.home, 'token'), 'utf8').trim()}`;
  const seen = new Map<number, number>();
  let ended = false;
  const ask = async (path: string): Promise<void> => {
    while (!ended) {
      const answer = await fetch(house.parley.url + path, { headers: { authorization } }).catch(
        () => undefined,
      );
      if (answer === undefined) return; // it no longer listens
      await answer.text();
      seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
    }
  };
  const asking = ['/people', '/tokens', '/delivery/waiting', '/status', '/channels/status'].map(ask);
  await found('some answers', () => ((seen.get(200) ?? 0) > 20 ? true : undefined));
  await house.parley.close();
  ended = true;
  await Promise.all(asking);
  assert.deepEqual(
    [...seen.keys()].filter((status) => status !== 200 && status !== 503),
    [],
  );
});

test('a blocked account is answered nothing, in private, in a room and by a command, also after a restart, until it is unblocked', async (t) => {
  const open = { directMessages: 'open' } as const;
  const house = await openHouse(t, {
    config: { channels: { discord: open, telegram: { enabled: false }, slack: { enabled: false } } },
  });
  await house.ready('discord');
  const { discord } = house.sandbox;
  const guest = { platform: 'discord', chat: 'dm', user: 'guest' } as const;
  const account = `discord:${discord.userID('guest')}`;
  assert.match(
    (await people(house, 'block', account)).err,
    /No account "discord:\d+" has written to the bot/,
  );
  await house.ask(guest, 'hello');
  const you = `discord:${discord.userID('you')}`;
  assert.match((await people(house, 'block', you)).err, /is an account of Robin/);
  assert.match((await people(house, 'block', account)).out, /is answered nothing any more/);
  const listed = (await people(house)).out;
  assert.match(listed, new RegExp(`Blocked \\(the newest first\\):\\n +per_\\w+ +${account}`));
  assert.doesNotMatch(listed, /Without a name/);

  const shown = (): number =>
    (['dm', 'room'] as const)
      .map((chat) => house.answers({ ...guest, chat }).length)
      .reduce((all, each) => all + each, 0);
  const before = shown();
  const signs = (): number =>
    house.sandbox.discord
      .calls()
      .filter(({ name }) => name === 'DELETE /webhooks/:id/:token/messages/@original').length;
  const bother = async (): Promise<void> => {
    const taken = signs();
    await house.sandbox.discord.say({ chat: 'dm', user: 'guest', text: 'anyone there?' });
    await house.sandbox.discord.say({ chat: 'room', user: 'guest', text: 'and here?', mention: true });
    await house.sandbox.discord.slash({ chat: 'dm', user: 'guest', name: 'status' });
    await found('the sign of the command is gone', () => (signs() > taken ? true : undefined));
    await house.ask({ platform: 'discord', chat: 'dm', user: 'you' }, 'and me?');
  };
  await bother();
  assert.equal(shown(), before);
  await house.restart();
  await house.ready('discord');
  await bother();
  assert.equal(shown(), before, 'after a restart');
  const file = new Database(join(house.home, 'gateway.sqlite'), { readonly: true });
  assert.doesNotMatch(JSON.stringify(file.prepare('SELECT event FROM inbox').all()), /anyone there|and here/);
  file.close();

  assert.match((await people(house, 'unblock', account)).out, /is a stranger again/);
  assert.match((await people(house, 'unblock', account)).err, /No account "discord:\d+" is blocked/);
  assert.match(await house.ask(guest, 'hello again'), /./);
});

test('whoever is blocked instead of admitted gets no further code, and is a person once the config says so', async (t) => {
  const house = await openHouse(t, {
    config: {
      ...config,
      channels: { ...config.channels, discord: { enabled: false }, slack: { enabled: false } },
    },
  });
  await house.ready('telegram');
  await house.sandbox.telegram.say({ chat: 'dm', user: 'guest', text: 'hello?' });
  const [, code = ''] = /people approve (\w{8})/.exec(await said(house, 'telegram', /Your code is/)) ?? [];
  const account = `telegram:${house.sandbox.telegram.userID('guest')}`;
  const blocked = JSON.parse((await people(house, 'block', account, '--json')).out) as { shownAs: string };
  assert.equal(blocked.shownAs, 'Guest');
  assert.match((await people(house, 'approve', code, '--name', 'ann')).err, /is not a code that waits/);
  const answers = () => house.answers({ platform: 'telegram', chat: 'dm', user: 'guest' }).length;
  const before = answers();
  await house.sandbox.telegram.say({ chat: 'dm', user: 'guest', text: 'and now?' });
  await house.ask({ platform: 'telegram', chat: 'dm', user: 'you' }, 'hello');
  assert.equal(answers(), before);
  await house.restart({ ...config, people: { ann: [account] } });
  await house.ready('telegram');
  assert.match(await house.ask({ platform: 'telegram', chat: 'dm', user: 'guest' }, 'hello'), /./);
  assert.doesNotMatch((await people(house)).out, /Blocked/);
});
