import test from 'node:test';
import { writeFileSync } from 'node:fs';
import { openWarmProgram } from './warm-trace.scratch.ts';
test('list', async (t) => {
  const p = await openWarmProgram(t);
  const { statements, counts } = await p.exchanges('discord', 150);
  console.log([...statements.values()].reduce((a,b)=>a+b,0), JSON.stringify(counts));
});
