// OpenTelemetry traces: a collector on loopback receives the spans of an exchange, with ids and without words; without its variables nothing is loaded.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { openTracing } from '#app/telemetry/tracing.ts';
import { tracingSettings } from '#app/telemetry/tracing-settings.ts';
import { systemClock } from '#base/clock.ts';
import { found } from '../support/found.ts';
import { quietLog } from '../support/quiet-log.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { openHouse } from './house.ts';

const value = z.object({ stringValue: z.string().optional(), intValue: z.coerce.number().optional() });
const attributes = z.array(z.object({ key: z.string(), value }));
const span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  startTimeUnixNano: z.coerce.bigint(),
  endTimeUnixNano: z.coerce.bigint(),
  attributes,
  status: z.object({ code: z.number().optional() }),
});
const told = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes }),
      scopeSpans: z.array(z.object({ spans: z.array(span) })),
    }),
  ),
});
type Told = z.infer<typeof span>;

const attributeOf = (list: z.infer<typeof attributes>, wanted: string) => {
  const at = list.find(({ key }) => key === wanted)?.value;
  return at?.stringValue ?? at?.intValue;
};

/** A collector that takes JSON; `answer` never comes when it is `silent`. */
async function openCollector(t: TestContext, how: 'takes' | 'silent' = 'takes') {
  const bodies: string[] = [];
  const keys: unknown[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      bodies.push(Buffer.concat(chunks).toString('utf8'));
      keys.push(request.headers['x-key']);
      if (how === 'takes') response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const read = () => bodies.flatMap((body) => told.parse(JSON.parse(body)).resourceSpans);
  return {
    variables: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=of-the-collector',
      OTEL_BSP_SCHEDULE_DELAY: '20',
    },
    bodies,
    keys,
    services: () => read().map(({ resource }) => attributeOf(resource.attributes, 'service.name')),
    spans: (): Told[] => read().flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
  };
}

const dm = { platform: 'discord', chat: 'dm', user: 'you' } as const;

test('an exchange is one trace: message, run, model call and delivery under their turn, with ids and no words', async (t) => {
  const collector = await openCollector(t);
  const house = await openHouse(t, { variables: { ...collector.variables, OTEL_SERVICE_NAME: 'my bot' } });
  await house.ready('discord');
  const answer = await house.ask(dm, 'My bicycle is chartreuse.');
  const spans = await found('the spans', () => {
    const all = collector.spans();
    return all.some(({ name }) => name === 'turn') ? all : undefined;
  });
  const one = (name: string): Told => {
    const [first, ...others] = spans.filter((each) => each.name === name || each.name.startsWith(`${name} `));
    assert.ok(first !== undefined && others.length === 0, `one ${name} in ${spans.map((each) => each.name)}`);
    return first;
  };
  const [turn, message, run, chat, delivery] = ['turn', 'message', 'run', 'chat', 'delivery'].map(one);
  assert.ok(turn && message && run && chat && delivery);
  assert.equal(new Set(spans.map(({ traceId }) => traceId)).size, 1);
  assert.deepEqual(
    [turn, message, run, chat, delivery].map(({ parentSpanId }) => parentSpanId),
    [undefined, turn.spanId, turn.spanId, run.spanId, turn.spanId],
  );
  for (const { startTimeUnixNano, endTimeUnixNano, status } of spans) {
    assert.ok(startTimeUnixNano >= turn.startTimeUnixNano && endTimeUnixNano <= turn.endTimeUnixNano);
    assert.ok(status.code === undefined || status.code === 0);
  }
  const runID = attributeOf(run.attributes, 'parley.run.id');
  assert.match(String(runID), /^run_/);
  assert.equal(attributeOf(delivery.attributes, 'parley.run.id'), runID);
  assert.match(String(attributeOf(message.attributes, 'parley.message.id')), /^inb_/);
  assert.match(String(attributeOf(turn.attributes, 'parley.lane')), /./);
  assert.deepEqual(new Set(collector.services()), new Set(['my bot']));
  assert.deepEqual(new Set(collector.keys), new Set(['of-the-collector']));
  const sent = collector.bodies.join();
  for (const words of [
    'chartreuse',
    answer.slice(0, 20),
    'of-the-collector',
    ...Object.values(house.sandbox.environment).filter((value) => value !== undefined),
  ])
    assert.ok(!sent.includes(words), words);
  assert.equal(
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT,
    undefined,
    'the variables of this process are as before',
  );
});

test('a collector that is down or silent stops nothing, and is complained of once', async (t) => {
  const silent = await openCollector(t, 'silent');
  const house = await openHouse(t, { variables: silent.variables });
  await house.ready('discord');
  for (const text of ['one', 'two']) assert.match(await house.ask(dm, text), /./);
  await found('a request', () => silent.bodies[0]);
  await house.parley.close(); // within the 2 s that a stop waits for it

  const { log, lines } = quietLog();
  const variables = {
    ...silent.variables,
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
    OTEL_EXPORTER_OTLP_TIMEOUT: '50',
  };
  const tracing = await openTracing({ variables, version: '1', clock: systemClock, log });
  assert.ok(tracing !== undefined);
  for (const key of ['a', 'b']) {
    tracing.root('turn', { key }).end();
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
  await tracing.close();
  assert.equal(lines.filter((line) => line.includes('traces could not be sent')).length, 1, lines.join());
});

test('a span of another process, or from before a restart, is the parent all the same; a share of traces is a share of whole ones', async (t) => {
  const collector = await openCollector(t);
  const open = async (more: object) => {
    const variables = { ...collector.variables, ...more };
    const tracing = await openTracing({ variables, version: '1', clock: systemClock, log: quietLog().log });
    assert.ok(tracing !== undefined);
    return tracing;
  };
  const half = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.5' };
  const [channels, engine] = [await open(half), await open(half)];
  for (let key = 0; key < 40; key += 1) {
    engine.under(`trn_${key}`).child('run').end('PROVIDER_SERVER_ERROR');
    channels.root('turn', { key: `trn_${key}` }).end();
  }
  await Promise.all([channels.close(), engine.close()]);
  const spans = collector.spans();
  const turns = spans.filter(({ name }) => name === 'turn');
  const runs = spans.filter(({ name }) => name === 'run');
  assert.ok(turns.length > 5 && turns.length < 35, `${turns.length} of 40`);
  assert.deepEqual(
    runs.map(({ traceId, parentSpanId }) => `${traceId} ${parentSpanId}`).sort(),
    turns.map(({ traceId, spanId }) => `${traceId} ${spanId}`).sort(),
  );
  assert.deepEqual(
    [runs[0]?.status.code, attributeOf(runs[0]?.attributes ?? [], 'error.type')],
    [2, 'PROVIDER_SERVER_ERROR'],
  );
});

test('without an endpoint, or switched off, nothing of OpenTelemetry is loaded', (t) => {
  const url = (path: string): string =>
    JSON.stringify(pathToFileURL(join(import.meta.dirname, '../..', path)).href);
  const script = `
    import { registerHooks } from 'node:module';
    let seen = [];
    registerHooks({ resolve(name, context, next) {
      if (name.startsWith('@opentelemetry/')) seen.push(name);
      return next(name, context);
    } });
    const { startParley } = await import(${url('src/app/compose/compose.ts')});
    const { loadConfig } = await import(${url('src/app/config/load.ts')});
    const { systemClock } = await import(${url('src/base/clock.ts')});
    const start = async (variables) => {
      const loaded = loadConfig({ folder: ${JSON.stringify(tempFolder(t))}, variables });
      loaded.config.engine.port = 0;
      const parley = await startParley(loaded, { clock: systemClock });
      await parley.close();
      return seen.length;
    };
    const at = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' };
    console.log(JSON.stringify([
      await start({ OTEL_SERVICE_NAME: 'x' }),
      await start({ ...at, OTEL_SDK_DISABLED: 'true' }),
      await start({ ...at, OTEL_TRACES_EXPORTER: 'none' }),
      await start(at) > 0,
    ]));
    process.exit();`;
  const args = ['--input-type=module', '--eval', script];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  assert.equal(stdout.trim(), '[0,0,0,true]', stderr);
});

test('what the variables ask for and is not there is reported', () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318' };
  const problem = (more: Record<string, string>): string => {
    const settings = tracingSettings({ ...endpoint, ...more });
    return settings !== undefined && 'problem' in settings ? settings.problem : JSON.stringify(settings);
  };
  assert.match(
    problem({ OTEL_EXPORTER_OTLP_ENDPOINT: 'c:4318' }),
    /^OTEL_EXPORTER_OTLP_ENDPOINT expects an address/,
  );
  assert.match(
    problem({ OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'grpc' }),
    /^OTEL_EXPORTER_OTLP_TRACES_PROTOCOL expects .*"grpc"/,
  );
  assert.match(problem({ OTEL_TRACES_EXPORTER: 'zipkin' }), /^OTEL_TRACES_EXPORTER expects "otlp" or "none"/);
  assert.match(problem({ OTEL_TRACES_SAMPLER: 'jaeger_remote' }), /^OTEL_TRACES_SAMPLER expects/);
  assert.match(
    problem({ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '7' }),
    /from 0 to 1, got "7"/,
  );
  assert.equal(tracingSettings({}), undefined);
  assert.equal(
    problem({ OTEL_TRACES_SAMPLER: 'always_off' }),
    JSON.stringify({ protocol: 'http/protobuf', sampler: 'none', batch: {} }),
  );
});
