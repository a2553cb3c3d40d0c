// A program that reads what the page "Now" reads, as often, and draws nothing: `node light-reader.ts URL`, with the token in PARLEY_TOKEN.
const [url = ''] = process.argv.slice(2);
const headers = { authorization: `Bearer ${process.env.PARLEY_TOKEN}` };

const read = async (path: string): Promise<void> => {
  const response = await fetch(`${url}${path}`, { headers });
  if (!response.ok) throw new Error(`${path} is answered with ${response.status}.`);
  for await (const chunk of response.body ?? []) void chunk;
};

const dayMs = 24 * 3_600_000;
/** The routes of the page, and how often it reads them while runs come and go, in milliseconds. */
const routes: readonly (readonly [path: () => string, everyMs: number])[] = [
  [() => '/status', 2_000],
  [() => `/usage/series?from_ms=${Date.now() - dayMs}&until_ms=${Date.now()}&step_ms=1800000`, 10_000],
  [() => '/permission', 15_000],
  [() => '/question', 15_000],
  [() => '/doctor', 30_000],
];
for (const [path, everyMs] of routes) setInterval(() => void read(path()), everyMs);
await Promise.all(routes.map(([path]) => read(path())));
process.send?.('ready');
await read('/event?gather_ms=50');
