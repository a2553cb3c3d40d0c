// What OpenTelemetry's standard environment variables ask for, as far as it is not the library's own to read. Pure.
import { z } from 'zod';
import { decodedPart } from '#base/text.ts';

type Variables = Readonly<Record<string, string | undefined>>;

export interface TracingSettings {
  protocol: 'http/json' | 'http/protobuf';
  /** All traces, none, or this share of them. */
  sampler: 'all' | 'none' | number;
  batch: {
    scheduledDelayMillis: number | undefined;
    maxQueueSize: number | undefined;
    maxExportBatchSize: number | undefined;
    exportTimeoutMillis: number | undefined;
  };
}

const address = z.url({ protocol: /^https?$/ });

/** Undefined unless an endpoint is set; `problem` says what is set and does not exist. */
export function tracingSettings(variables: Variables): TracingSettings | { problem: string } | undefined {
  const value = (name: string): string | undefined => {
    const text = variables[name]?.trim();
    return text === '' ? undefined : text;
  };
  const ofTraces = (name: string): { name: string; text: string | undefined } => {
    const own = `OTEL_EXPORTER_OTLP_TRACES_${name}`;
    const shared = `OTEL_EXPORTER_OTLP_${name}`;
    return { name: value(own) === undefined ? shared : own, text: value(own) ?? value(shared) };
  };
  const endpoint = ofTraces('ENDPOINT');
  if (endpoint.text === undefined || value('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return undefined;
  if (!address.safeParse(endpoint.text).success)
    return { problem: `${endpoint.name} expects an address that begins with http:// or https://.` };
  const exporters = (value('OTEL_TRACES_EXPORTER') ?? 'otlp').split(',').map((each) => each.trim());
  if (exporters.every((each) => each === 'none')) return undefined;
  if (!exporters.includes('otlp'))
    return { problem: `OTEL_TRACES_EXPORTER expects "otlp" or "none", got "${exporters.join(',')}".` };
  const protocol = ofTraces('PROTOCOL');
  const { text: spoken = 'http/protobuf' } = protocol;
  if (spoken !== 'http/json' && spoken !== 'http/protobuf')
    return { problem: `${protocol.name} expects "http/protobuf" or "http/json", got "${spoken}".` };
  const sampler = samplerOf(value('OTEL_TRACES_SAMPLER'), value('OTEL_TRACES_SAMPLER_ARG'));
  if (typeof sampler === 'object') return sampler;
  const number = (name: string): number | undefined => {
    const text = value(name);
    return text !== undefined && /^\d{1,9}$/.test(text) && Number(text) > 0 ? Number(text) : undefined;
  };
  return {
    protocol: spoken,
    sampler,
    batch: {
      scheduledDelayMillis: number('OTEL_BSP_SCHEDULE_DELAY'),
      maxQueueSize: number('OTEL_BSP_MAX_QUEUE_SIZE'),
      maxExportBatchSize: number('OTEL_BSP_MAX_EXPORT_BATCH_SIZE'),
      exportTimeoutMillis: number('OTEL_BSP_EXPORT_TIMEOUT'),
    },
  };
}

/** Every trace begins here, so that a sampler that asks the parent is the same as one that does not. */
function samplerOf(
  name = 'parentbased_always_on',
  share: string | undefined,
): TracingSettings['sampler'] | { problem: string } {
  switch (name.replace(/^parentbased_/, '')) {
    case 'always_on':
      return 'all';
    case 'always_off':
      return 'none';
    case 'traceidratio': {
      const ratio = Number(share ?? 1);
      if (ratio >= 0 && ratio <= 1) return ratio;
      return { problem: `OTEL_TRACES_SAMPLER_ARG expects a number from 0 to 1, got "${share}".` };
    }
    default:
      return {
        problem: `OTEL_TRACES_SAMPLER expects "always_on", "always_off" or "traceidratio", also after "parentbased_", got "${name}".`,
      };
  }
}

/** The secrets in these variables: the values of headers, which are often keys. */
export function tracingSecrets(variables: Variables): string[] {
  return ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS']
    .flatMap((name) => (variables[name] ?? '').split(','))
    .map((pair) => pair.slice(pair.indexOf('=') + 1).trim())
    .flatMap((value) => [value, decodedPart(value) ?? value]) // they may be percent-encoded there
    .filter((value) => value !== '');
}
