// A tool whose calls leave a line each, and a program that ends in the middle, as people on Telegram meet it.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startScripted } from '../engine/teams/team-kit.ts';
import { found, until } from '../support/found.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { onlyTelegram, openHouse } from './house.ts';

const server = join(import.meta.dirname, '..', 'engine', 'support', 'paying-server.ts');
const talk = { platform: 'telegram', chat: 'dm', user: 'you' } as const;

/** A chat in this language, whose model calls `tool` after `pay`. */
async function openBank(t: TestContext, { tool, locale }: { tool: 'wire' | 'ship'; locale: string }) {
  const ledger = join(tempFolder(t), 'ledger');
  writeFileSync(ledger, '');
  const model = await startScripted(t, async ({ results }) => {
    if (results.length === 0) return { calls: [{ name: 'mcp_bank_pay', args: { what: '100' } }] };
    if (results.length === 1) return { calls: [{ name: `mcp_bank_${tool}`, args: { what: 'bike' } }] };
    return { text: `The results: ${results.join(', ')}` };
  });
  const { provider, model: name, baseUrl } = model.settings;
  const house = await openHouse(t, {
    config: {
      channels: onlyTelegram,
      model: { provider, name, baseUrl },
      agent: { tools: ['mcp_bank_*'] },
      mcp: { bank: { command: process.execPath, args: [server], env: { LEDGER: ledger } } },
      tools: { policy: { mcp_bank_pay: 'allow', mcp_bank_wire: 'allow', mcp_bank_ship: 'ask' } },
    },
    platforms: { telegram: { locale } },
  });
  await house.ready('telegram');
  await until('the bank', async () => /mcp_bank_pay/.test(await house.ask(talk, '/tools')));
  await house.sandbox.telegram.say({ chat: 'dm', user: 'you', text: 'Pay 100, then the bike.' });
  const shown = (wanted: RegExp) =>
    found(String(wanted), () => house.answers(talk).find(({ text }) => wanted.test(text)));
  const lines = () => readFileSync(ledger, 'utf8').split('\n').slice(0, -1);
  return { house, shown, lines };
}

const words = {
  en: {
    asked: /The program stopped while I used the tool .?mcp_bank_wire.? with this, and the call may have run/,
    options: ['Try again', 'Skip it', 'Stop'],
    settled: /answered: (Try again|Skip it)/i,
  },
  de: {
    asked: /Das Programm wurde beendet, während ich das Werkzeug .?mcp_bank_wire.? hiermit benutzt habe/,
    options: ['Noch einmal versuchen', 'Auslassen', 'Aufhören'],
    settled: /beantwortet: (Noch einmal versuchen|Auslassen)/i,
  },
};

for (const [locale, { asked, options, settled }] of Object.entries(words))
  for (const [chosen, how, expected, lines] of [
    [0, 'by a button', /transferred bike/, ['pay 100', 'wire bike', 'wire bike']],
    [1, 'in words', /not known whether it was carried out/, ['pay 100', 'wire bike']],
  ] as const)
    test(`a call that may have run is asked about on Telegram in the person's language (${locale}), and "${options[chosen]}" ${how} is obeyed`, async (t) => {
      const bank = await openBank(t, { tool: 'wire', locale });
      await until('the call', () => bank.lines().length === 2);
      await bank.house.restart();
      const question = await bank.shown(asked);
      assert.match(question.text, /"what": "bike"/);
      assert.deepEqual(question.buttons, options);
      assert.deepEqual(bank.lines(), ['pay 100', 'wire bike'], 'nothing is repeated before the answer');
      const { telegram } = bank.house.sandbox;
      if (how === 'by a button') telegram.pressButton({ id: question.id, user: 'you', at: chosen });
      else await telegram.say({ chat: 'dm', user: 'you', text: (options[chosen] ?? '').toLowerCase() });
      await bank.shown(settled);
      await bank.shown(expected);
      assert.deepEqual(bank.lines(), lines);
    });

test('a request for approval is answered on Telegram after a restart, and what was paid before is not paid again', async (t) => {
  const bank = await openBank(t, { tool: 'ship', locale: 'en' });
  await bank.shown(/May I use the tool .?mcp_bank_ship/);
  for (let times = 0; times < 2; times += 1) await bank.house.restart();
  await bank.house.ready('telegram');
  const request = await bank.shown(/May I use the tool .?mcp_bank_ship/);
  assert.deepEqual(bank.lines(), ['pay 100'], 'a restart alone repeats nothing');
  bank.house.sandbox.telegram.pressButton({ id: request.id, user: 'you', at: 0 });
  await bank.shown(/The results: .*paid 100.*shipped bike/s);
  assert.deepEqual(bank.lines(), ['pay 100', 'ship bike']);
});
