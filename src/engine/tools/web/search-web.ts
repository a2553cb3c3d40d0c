// One search of the web by the configured service: asked within the rules of pages, its answer checked and bounded, its refusals in words.
import type { Clock } from '#base/clock.ts';
import { codeOf, errorMessage, ParleyError } from '#base/errors.ts';
import { truncate } from '#base/text.ts';
import { guardedGet, type WebPage, type WebRules } from './guarded-get.ts';
import type { Found } from './search-service.ts';
import { type SearchServiceName, searchServices } from './search-services.ts';

export interface SearchSettings {
  service: SearchServiceName;
  /** Another address than the service's own; needed for SearXNG. */
  baseUrl?: string | undefined;
  /** The model that searches, where a model does; a small current one of its provider when absent. */
  model?: string | undefined;
  /** Empty where it needs none. */
  key: string;
  /** Pages that one search gives at most. */
  results: number;
}

/** For one search. A redirect would take the key to another host. */
const limits: WebRules['limits'] = { totalMs: 15_000, bytes: 2 * 1024 * 1024, redirects: 0 };
const titleChars = 200;
const snippetChars = 600;
const urlChars = 2_000;

/**
 * What the service finds, the best first. Throws a ParleyError `search_failed` that says why there is nothing and what to do; no key and
 * no words of the service are in it.
 */
export async function searchWeb(
  query: string,
  { settings, clock, signal }: { settings: SearchSettings; clock: Clock; signal: AbortSignal },
): Promise<Found[]> {
  const service = searchServices[settings.service];
  const { title } = service;
  const root = (settings.baseUrl ?? service.address ?? '').replace(/\/+$/, '');
  const { path, ...request } = service.request({
    ...{ query, count: settings.results, key: settings.key, model: settings.model },
  });
  // the operator's own server may be in their network
  const privateHosts =
    settings.baseUrl !== undefined && URL.canParse(root)
      ? [new URL(root).hostname.replace(/^\[|\]$/g, '')]
      : [];
  const rules: WebRules = {
    privateHosts,
    limits: { ...limits, totalMs: service.totalMs ?? limits.totalMs },
  };
  let answer: WebPage;
  try {
    answer = await guardedGet(`${root}${path}`, { clock, signal, rules, request });
  } catch (cause) {
    signal.throwIfAborted();
    const why = codeOf(cause) === 'timeout' ? 'It did not answer in time.' : errorMessage(cause);
    throw new ParleyError('search_failed', `${title} cannot be asked. ${why}`, { cause });
  }
  const body = new TextDecoder().decode(answer.body);
  if (answer.status !== 200) throw refused(settings, answer, body);
  try {
    if (answer.cut) throw new Error('the answer is too long');
    return bounded(service.read(JSON.parse(body)), settings.results);
  } catch (cause) {
    throw new ParleyError('search_failed', `${title} answered with something else than results.`, {
      cause,
      hint: `Check the address in \`tools.search\`.`,
    });
  }
}

/** Pages with an address of the web, each once, with bounded texts in which no control characters are. */
function bounded(found: readonly Found[], most: number): Found[] {
  const pages = new Map<string, Found>();
  for (const { url, title, snippet } of found) {
    if (pages.size >= most) break;
    if (url.length > urlChars || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) continue;
    if (pages.has(url)) continue;
    pages.set(url, {
      url,
      title: plain(title === '' ? new URL(url).host : title, titleChars),
      snippet: plain(snippet, snippetChars),
    });
  }
  return [...pages.values()];
}

function plain(text: string, most: number): string {
  return truncate(text.replace(/[\p{Cc}\s]+/gu, ' ').trim(), most);
}

function refused(
  settings: SearchSettings,
  { status, retryAfterSeconds }: WebPage,
  body: string,
): ParleyError {
  const { title, keyName, refusal } = searchServices[settings.service];
  const said = `(status ${status})`;
  switch (status === 429 ? 'rate' : refusal(status, body)) {
    case 'key':
      return new ParleyError('search_failed', `${title} refuses the key ${said}.`, {
        hint: `Set ${keyName} to a key that it takes.`,
      });
    case 'quota':
      return new ParleyError('search_failed', `${title} says that the plan of the key is used up ${said}.`, {
        hint: 'Wait for its next period, or take a larger plan.',
      });
    case 'rate': {
      const wait = retryAfterSeconds === undefined ? 'in a minute' : `in ${retryAfterSeconds} seconds`;
      return new ParleyError('search_failed', `${title} was asked too often ${said}. Try again ${wait}.`);
    }
    case 'format':
      return new ParleyError('search_failed', `${title} gives no JSON ${said}.`, {
        hint: 'Add `json` to `search.formats` in its settings.yml.',
      });
    default:
      return new ParleyError('search_failed', `${title} failed ${said}.`, {
        hint: status === 404 ? 'Check the address in `tools.search.baseUrl`.' : undefined,
      });
  }
}
