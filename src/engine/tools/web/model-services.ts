// Models that search the web on their provider's side, as search services: what each is asked, and which pages its answer cites. Not the
// model that answers the person: that may be any, also one without a search of its own.
// Forms: platform.openai.com/docs/guides/tools-web-search, docs.claude.com/en/docs/agents-and-tools/tool-use/web-search-tool,
// ai.google.dev/gemini-api/docs/google-search.
import { z } from 'zod';
import { modelOf } from '#engine/providers/calls/settings.ts';
import type { Found, SearchService } from './search-service.ts';

/** Tokens that such a model may write: some sentences for each page. */
const maxTokens = 1_500;
/** Searches that one question may lead to. */
const maxSearches = 3;
/** A model reads what it finds before it answers. */
const totalMs = 60_000;

const text = z.string().nullish();

function question(query: string, count: number): string {
  return `Search the web for: ${query}\nThen say in short sentences what up to ${count} pages say about it, each sentence with its source.`;
}

const openAIAnswer = z.object({
  output: z.array(
    z.object({
      content: z
        .array(
          z.object({
            text,
            annotations: z
              .array(z.object({ url: text, title: text, start_index: z.int().nullish() }))
              .nullish(),
          }),
        )
        .nullish(),
    }),
  ),
});

/** Each cited page with the words before its mark. */
function openAIPages(answer: unknown): Found[] {
  const parts = openAIAnswer.parse(answer).output.flatMap(({ content }) => content ?? []);
  return parts.flatMap(({ text: said, annotations }) => {
    let from = 0;
    return (annotations ?? []).flatMap(({ url, title, start_index: at }) => {
      if (url == null) return []; // another kind of note
      const snippet = (said ?? '').slice(from, at ?? undefined).replace(/[\s([]+$/, '');
      from = Math.max(from, at ?? from);
      return [{ url, title: title ?? '', snippet }];
    });
  });
}

const anthropicResults = z.array(z.object({ url: text, title: text }));
const anthropicAnswer = z.object({
  content: z.array(
    z.object({
      citations: z.array(z.object({ url: text, title: text, cited_text: text })).nullish(),
      // an error is an object in place of the list
      content: z.unknown().optional(),
    }),
  ),
});

/** Cited pages with the words that were cited, then what else was found. */
function anthropicPages(answer: unknown): Found[] {
  const { content } = anthropicAnswer.parse(answer);
  const cited = content.flatMap(({ citations }) => citations ?? []);
  const others = content.flatMap(({ content: results }) => anthropicResults.safeParse(results).data ?? []);
  return [...cited, ...others.map((each) => ({ ...each, cited_text: '' }))].map(
    ({ url, title, cited_text: snippet }) => ({
      ...{ url: url ?? '', title: title ?? '', snippet: snippet ?? '' },
    }),
  );
}

const googleAnswer = z.object({
  candidates: z.array(
    z.object({
      groundingMetadata: z
        .object({
          groundingChunks: z
            .array(z.object({ web: z.object({ uri: text, title: text }).nullish() }))
            .nullish(),
          groundingSupports: z
            .array(
              z.object({
                segment: z.object({ text }).nullish(),
                groundingChunkIndices: z.array(z.int()).nullish(),
              }),
            )
            .nullish(),
        })
        .nullish(),
    }),
  ),
});

/** Each page with all that was said from it. */
function googlePages(answer: unknown): Found[] {
  const [candidate] = googleAnswer.parse(answer).candidates;
  const { groundingChunks, groundingSupports } = candidate?.groundingMetadata ?? {};
  return (groundingChunks ?? []).map(({ web }, index) => ({
    url: web?.uri ?? '',
    title: web?.title ?? '',
    snippet: (groundingSupports ?? [])
      .filter(({ groundingChunkIndices }) => groundingChunkIndices?.includes(index))
      .map(({ segment }) => segment?.text ?? '')
      .join(' '),
  }));
}

const isKey = (status: number): 'key' | undefined => (status === 401 || status === 403 ? 'key' : undefined);
const json = { 'content-type': 'application/json' };

export const modelServices: Readonly<Record<'openai' | 'anthropic' | 'google', SearchService>> = {
  openai: {
    title: "OpenAI's web search",
    address: 'https://api.openai.com/v1',
    keyName: 'OPENAI_API_KEY',
    totalMs,
    request: ({ query, count, key, model = modelOf('openai') }) => ({
      path: '/responses',
      headers: { ...json, authorization: `Bearer ${key}` },
      body: JSON.stringify({
        ...{ model, input: question(query, count), max_output_tokens: maxTokens, store: false },
        ...{ tools: [{ type: 'web_search' }], tool_choice: 'required' },
      }),
    }),
    read: openAIPages,
    refusal: isKey,
  },
  anthropic: {
    title: "Anthropic's web search",
    address: 'https://api.anthropic.com/v1',
    keyName: 'ANTHROPIC_API_KEY',
    totalMs,
    request: ({ query, count, key, model = modelOf('anthropic') }) => ({
      path: '/messages',
      headers: { ...json, 'x-api-key': key, 'anthropic-version': '2023-06-01' },
      body: JSON.stringify({
        ...{ model, max_tokens: maxTokens, messages: [{ role: 'user', content: question(query, count) }] },
        tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: maxSearches }],
      }),
    }),
    read: anthropicPages,
    refusal: isKey,
  },
  google: {
    title: "Google's web search",
    address: 'https://generativelanguage.googleapis.com/v1beta',
    keyName: 'GOOGLE_GENERATIVE_AI_API_KEY',
    totalMs,
    request: ({ query, count, key, model = modelOf('google') }) => ({
      path: `/models/${encodeURIComponent(model)}:generateContent`,
      headers: { ...json, 'x-goog-api-key': key },
      body: JSON.stringify({
        contents: [{ role: 'user', parts: [{ text: question(query, count) }] }],
        tools: [{ google_search: {} }],
        generationConfig: { maxOutputTokens: maxTokens },
      }),
    }),
    read: googlePages,
    // an unknown key is an invalid argument to it
    refusal: (status, body) => (status === 400 && body.includes('API_KEY_INVALID') ? 'key' : isKey(status)),
  },
};
