// What each search service is asked, and how it answers. Not how it is reached: that is guarded-get.ts.
// Forms: api-dashboard.search.brave.com/app/documentation/web-search, docs.tavily.com/documentation/api-reference/endpoint/search,
// docs.searxng.org/dev/search_api.html.
import { z } from 'zod';
import { modelServices } from './model-services.ts';
import type { Found, SearchService } from './search-service.ts';

export const searchServiceNames = ['brave', 'tavily', 'searxng', 'openai', 'anthropic', 'google'] as const;
export type SearchServiceName = (typeof searchServiceNames)[number];

const text = z.string().nullish();

const braveAnswer = z.object({
  web: z.object({ results: z.array(z.object({ url: text, title: text, description: text })) }).nullish(),
});
const resultsAnswer = z.object({ results: z.array(z.object({ url: text, title: text, content: text })) });

const fromResults = (answer: unknown): Found[] =>
  resultsAnswer.parse(answer).results.map(({ url, title, content }) => ({
    url: url ?? '',
    title: title ?? '',
    snippet: content ?? '',
  }));

export const searchServices: Readonly<Record<SearchServiceName, SearchService>> = {
  ...modelServices,
  brave: {
    title: 'Brave Search',
    address: 'https://api.search.brave.com/res/v1',
    keyName: 'BRAVE_API_KEY',
    request: ({ query, count, key }) => ({
      path: `/web/search?${new URLSearchParams({ q: query, count: String(count), text_decorations: 'false' })}`,
      headers: { 'x-subscription-token': key },
    }),
    // without any result there is no `web`
    read: (answer) =>
      (braveAnswer.parse(answer).web?.results ?? []).map(({ url, title, description }) => ({
        ...{ url: url ?? '', title: title ?? '', snippet: description ?? '' },
      })),
    refusal(status, body) {
      // Brave answers an unknown key with 422, as an invalid field
      if (status === 401 || status === 403 || (status === 422 && body.includes('SUBSCRIPTION_TOKEN')))
        return 'key';
      return status === 402 ? 'quota' : undefined;
    },
  },
  tavily: {
    title: 'Tavily',
    address: 'https://api.tavily.com',
    keyName: 'TAVILY_API_KEY',
    request: ({ query, count, key }) => ({
      path: '/search',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, max_results: count, search_depth: 'basic' }),
    }),
    read: fromResults,
    refusal(status) {
      if (status === 401 || status === 403) return 'key';
      // its own statuses for the limits of a plan
      return status === 432 || status === 433 ? 'quota' : undefined;
    },
  },
  searxng: {
    title: 'SearXNG',
    address: undefined,
    keyName: undefined,
    request: ({ query }) => ({ path: `/search?${new URLSearchParams({ q: query, format: 'json' })}` }),
    read: fromResults,
    // JSON is one of the formats that its operator has to allow
    refusal: (status) => (status === 403 ? 'format' : undefined),
  },
};
