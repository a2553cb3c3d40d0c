// Which models a provider offers, asked of the provider itself.
import { z } from 'zod';
import { cutBody } from '#base/body-limit.ts';
import type { Clock } from '#base/clock.ts';
import { errorMessage } from '#base/errors.ts';
import { withTimeout } from '#base/waiting/async.ts';
import { type ModelSettings, type ProviderName, providerReach } from '#engine/providers/calls/settings.ts';
import type { ProviderList } from '#engine/wire/runs/provider.ts';
import { offlineModelID } from './offline/model.ts';

type Entry = ProviderList['all'][number];

const limitMs = 5_000;
/** Bytes of an answer, and names in it. */
const maxBytes = 2_000_000;
const maxModels = 1_000;

const byID = z.object({ data: z.array(z.object({ id: z.string() })) });
const byName = z.object({ models: z.array(z.object({ name: z.string() })) });

/** Asks each provider for its models, at most 5 s; one that cannot be asked is listed with the reason and without its key. */
export async function listProviders(
  settings: readonly [ModelSettings, ...ModelSettings[]],
  clock: Clock,
): Promise<ProviderList> {
  const all = await Promise.all(settings.map((each) => entryOf(each, clock)));
  const [first] = all;
  return {
    all,
    default: { providerID: first?.id ?? 'offline', modelID: first?.model ?? offlineModelID },
    connected: all.flatMap(({ id, models }) => (models === undefined ? [] : [id])),
  };
}

async function entryOf(settings: ModelSettings, clock: Clock): Promise<Entry> {
  const { provider } = settings;
  if (provider === 'offline') return { id: provider, model: offlineModelID, models: [offlineModelID] };
  const { modelID, baseUrl, apiKey } = providerReach(settings, provider);
  const base = { id: provider, model: modelID };
  try {
    const models = await withTimeout({ clock, ms: limitMs, what: 'The list of models' }, (signal) =>
      ask(provider, { baseUrl, apiKey, signal }),
    );
    return { ...base, models };
  } catch (error) {
    const words = errorMessage(error);
    return { ...base, problem: apiKey === '' ? words : words.replaceAll(apiKey, '[key]') };
  }
}

async function ask(
  provider: Exclude<ProviderName, 'offline'>,
  { baseUrl, apiKey, signal }: { baseUrl: string; apiKey: string; signal: AbortSignal },
): Promise<string[]> {
  const root = baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`;
  const { query, headers } = how(provider, apiKey);
  const answered = await fetch(new URL(`models${query}`, root), { headers, signal });
  const response = cutBody(answered, maxBytes + 1);
  if (!response.ok) throw new Error(`The provider answered with status ${response.status}.`);
  const text = await response.text();
  if (text.length > maxBytes) throw new Error('The list is too long.');
  const value: unknown = JSON.parse(text);
  const names =
    provider === 'google'
      ? byName.parse(value).models.map(({ name }) => name.replace(/^models\//, ''))
      : byID.parse(value).data.map(({ id }) => id);
  return names.slice(0, maxModels).sort();
}

function how(
  provider: Exclude<ProviderName, 'offline'>,
  key: string,
): { query: string; headers: Record<string, string> } {
  switch (provider) {
    case 'openai':
    case 'openai-compatible':
      return { query: '', headers: key === '' ? {} : { authorization: `Bearer ${key}` } };
    case 'anthropic':
      return { query: '?limit=1000', headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01' } };
    case 'google':
      return { query: '?pageSize=1000', headers: { 'x-goog-api-key': key } };
  }
}
