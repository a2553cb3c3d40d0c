// OpenTelemetry traces, where its standard environment variables ask for them; nothing of it is loaded otherwise.
import { createHash } from 'node:crypto';
import type { Context, SpanContext, Tracer } from '@opentelemetry/api';
import type { Clock } from '#base/clock.ts';
import { errorMessage } from '#base/errors.ts';
import { defined } from '#base/json.ts';
import type { Log } from '#base/log/log.ts';
import { proxyEnvironment } from '#base/network/proxy.ts';
import type { Parent, Span, SpanOptions, Tracing } from '#base/tracing.ts';
import { withTimeout } from '#base/waiting/async.ts';
import { type TracingSettings, tracingSettings } from './tracing-settings.ts';

interface OpenTracing extends Tracing {
  /** Sends what is left, for as long as a stop may wait for that; never rejects. */
  close(): Promise<void>;
}

/** A stop waits so long for a collector. */
const closeMs = 2_000;

type Variables = Readonly<Record<string, string | undefined>>;

/** Opens tracing as the variables say. Undefined when they want none, or when it cannot be opened, which it logs. Never throws. */
export async function openTracing({
  variables,
  version,
  clock,
  log,
}: {
  variables: Variables;
  version: string;
  clock: Clock;
  log: Log;
}): Promise<OpenTracing | undefined> {
  const settings = tracingSettings(variables);
  if (settings === undefined) return undefined;
  if ('problem' in settings) {
    log.warn({ words: settings.problem }, 'no traces are sent');
    return undefined;
  }
  try {
    const { provider, ids, api } = await makeProvider(settings, { variables, version, log });
    const tracer = provider.getTracer('parley', version);
    return {
      ...createTracing({ tracer, ids, api, clock }),
      async close() {
        const limit = { clock, ms: closeMs, what: 'The sending of the last traces' };
        await withTimeout(limit, () => provider.shutdown()).catch((error: unknown) =>
          log.warn({ words: errorMessage(error) }, 'the last traces were not sent'),
        );
      },
    };
  } catch (error) {
    log.warn({ words: errorMessage(error) }, 'no traces are sent');
    return undefined;
  }
}

/** Ids that are laid down for the span that is begun next; others are random. */
interface NextIDs {
  traceId?: string | undefined;
  spanId?: string | undefined;
}

async function makeProvider(
  { protocol, sampler, batch }: TracingSettings,
  { variables, version, log }: { variables: Variables; version: string; log: Log },
) {
  const [api, sdk, resources, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/resources'),
    protocol === 'http/json'
      ? import('@opentelemetry/exporter-trace-otlp-http')
      : import('@opentelemetry/exporter-trace-otlp-proto'),
  ]);
  const proxyEnv = proxyEnvironment(); // the exporter makes its own agent
  const { exporter, resource } = withVariables(variables, () => ({
    exporter: new OTLPTraceExporter(
      defined({ httpAgentOptions: proxyEnv === undefined ? undefined : { keepAlive: true, proxyEnv } }),
    ),
    resource: resources
      .resourceFromAttributes({ 'service.name': 'parley', 'service.version': version })
      .merge(resources.detectResources({ detectors: [resources.envDetector] })),
  }));
  const random = new sdk.RandomIdGenerator();
  const ids: NextIDs = {};
  let refused = '';
  const provider = new sdk.TracerProvider({
    resource,
    // Every span of a trace is sampled as its trace id says, wherever it is begun: no parent has to be asked.
    sampler:
      sampler === 'all'
        ? new sdk.AlwaysOnSampler()
        : sampler === 'none'
          ? new sdk.AlwaysOffSampler()
          : new sdk.TraceIdRatioBasedSampler(sampler),
    idGenerator: {
      generateTraceId: () => ids.traceId ?? random.generateTraceId(),
      generateSpanId: () => ids.spanId ?? random.generateSpanId(),
    },
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        ...defined(batch),
        exporter: {
          export: (spans, done) =>
            exporter.export(spans, (result) => {
              const words = result.code === 0 ? '' : errorMessage(result.error ?? 'no reason was given');
              // once for each problem: a collector that is down is asked every few seconds
              if (words !== '' && words !== refused) log.warn({ words }, 'traces could not be sent');
              refused = words;
              done({ code: 0 }); // what was not sent is dropped, and nobody waits for it
            }),
          shutdown: () => exporter.shutdown(),
        },
      }),
    ],
  });
  return { provider, ids, api };
}

/** The library reads only the process's variables; for as long as it does, those of `.env` are among them. */
function withVariables<T>(variables: Variables, make: () => T): T {
  const ours = Object.keys(variables).filter(
    (name) => name.startsWith('OTEL_') && process.env[name] === undefined,
  );
  for (const name of ours) process.env[name] = variables[name];
  try {
    return make();
  } finally {
    for (const name of ours) delete process.env[name];
  }
}

function createTracing({
  tracer,
  ids,
  api,
  clock,
}: {
  tracer: Tracer;
  ids: NextIDs;
  api: typeof import('@opentelemetry/api');
  clock: Clock;
}): Tracing {
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } = api;
  const kinds = { consumer: SpanKind.CONSUMER, client: SpanKind.CLIENT };
  const digest = (text: string, length: number): string =>
    createHash('sha256').update(text).digest('hex').slice(0, length);
  const contextOf = (key: string): SpanContext => ({
    traceId: digest(`trace ${key}`, 32),
    spanId: digest(`span ${key}`, 16),
    traceFlags: TraceFlags.SAMPLED,
    isRemote: true,
  });
  const begin = (name: string, { startedAtMs, attributes, kind }: SpanOptions, parent: Context): Span => {
    const startTime = startedAtMs ?? clock.now();
    const options = { startTime, attributes: defined(attributes ?? {}) };
    const span = tracer.startSpan(
      name,
      { ...options, kind: kind === undefined ? SpanKind.INTERNAL : kinds[kind] },
      parent,
    );
    return {
      ...parentIn(trace.setSpan(ROOT_CONTEXT, span)),
      set: (more) => void span.setAttributes(defined(more)),
      end(failure) {
        if (failure !== undefined) {
          span.setStatus({ code: SpanStatusCode.ERROR });
          span.setAttribute('error.type', failure);
        }
        span.end(Math.max(startTime, clock.now()));
      },
    };
  };
  const parentIn = (context: Context): Parent => ({
    child: (name, options = {}) => begin(name, options, context),
  });
  return {
    root(name, { key, ...options }) {
      Object.assign(ids, contextOf(key));
      try {
        return begin(name, options, ROOT_CONTEXT);
      } finally {
        Object.assign(ids, { traceId: undefined, spanId: undefined });
      }
    },
    under: (key) => parentIn(trace.setSpanContext(ROOT_CONTEXT, contextOf(key))),
  };
}
