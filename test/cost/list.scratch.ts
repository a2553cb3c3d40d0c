import { writeFileSync } from 'node:fs';
import test from 'node:test';
import { openWarmProgram } from './warm-program.ts';

test('list', async (t) => {
  const p = await openWarmProgram(t);
  const out: string[] = [];
  for (const platform of ['discord', 'telegram', 'slack'] as const) {
    const { statements, counts } = await p.exchanges(platform, 20);
    const total = [...statements.values()].reduce((a, b) => a + b, 0);
    out.push(`${platform}: ${total} statements`, JSON.stringify(counts, null, 1));
    for (const [l, n] of [...statements].sort((a, b) => b[1] - a[1]))
      out.push(`${n.toFixed(2)} ${l.slice(0, 260)}`);
    console.log(
      out.filter((x) => /statements|\{/.test(x) && x.startsWith(platform)).at(-1),
      JSON.stringify(counts),
    );
  }
  writeFileSync('/tmp/cost-list.txt', out.join('\n'));
});
