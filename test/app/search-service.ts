// A server on loopback that answers as the search services do: whichever is asked for by its path. Not a test.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

export interface AskedSearch {
  method: string;
  path: string;
  query: string;
  headers: IncomingHttpHeaders;
}

interface ServedPage {
  url: string;
  title: string;
  text: string;
}

/** An answer that is not the usual one: its status, its body as it is sent, more headers. */
export interface OddAnswer {
  status?: number;
  body?: string;
  headers?: Record<string, string>;
}

/** `odd` says how the next answers differ; without it the pages are given in the form of the service that was asked. */
export async function startSearchService(t: TestContext, pages: readonly ServedPage[]) {
  const asked: AskedSearch[] = [];
  let odd: OddAnswer | undefined;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', headers } = request;
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
      const sent = chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString('utf8'));
      const asking =
        sent.query ?? sent.input ?? sent.messages?.[0].content ?? sent.contents?.[0].parts[0].text;
      asked.push({ method, path: pathname, query: searchParams.get('q') ?? asking, headers });
      const { status = 200, body = JSON.stringify(answerOf(pathname, pages)) } = odd ?? {};
      response.writeHead(status, { 'content-type': 'application/json', ...odd?.headers }).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    answerWith(answer: OddAnswer | undefined): void {
      odd = answer;
    },
  };
}

/** The pages as the service has them that has this path; as Tavily and SearXNG have them under any other. */
function answerOf(path: string, pages: readonly ServedPage[]): object {
  if (path === '/web/search') {
    const results = pages.map(({ url, title, text }) => ({
      type: 'search_result',
      url,
      title,
      description: text,
    }));
    return {
      type: 'search',
      query: {},
      ...(results.length === 0 ? {} : { web: { type: 'search', results } }),
    };
  }
  if (path === '/responses') {
    const text = pages.map((page) => `${page.text} (source)`).join(' ');
    const annotations = pages.map(({ url, title, ...page }) => ({
      ...{ type: 'url_citation', url, title, start_index: text.indexOf(page.text) + page.text.length + 2 },
    }));
    const content = [{ type: 'output_text', text, annotations }];
    return {
      output: [
        { type: 'web_search_call', status: 'completed' },
        { type: 'message', content },
      ],
    };
  }
  if (path === '/messages') {
    const citations = pages.map(({ url, title, text }) => ({
      ...{ type: 'web_search_result_location', url, title, cited_text: text, encrypted_index: 'x' },
    }));
    const found = pages.map(({ url, title }) => ({ type: 'web_search_result', url, title, page_age: null }));
    return {
      content: [
        { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
        { type: 'web_search_tool_result', tool_use_id: 's', content: found },
        { type: 'text', text: 'So it is.', citations },
      ],
    };
  }
  if (path.endsWith(':generateContent')) {
    const groundingMetadata = {
      groundingChunks: pages.map(({ url, title }) => ({ web: { uri: url, title } })),
      groundingSupports: pages.map(({ text }, index) => ({
        ...{ segment: { text }, groundingChunkIndices: [index] },
      })),
    };
    return { candidates: [{ content: { parts: [{ text: 'So it is.' }] }, groundingMetadata }] };
  }
  const results = pages.map(({ url, title, text }) => ({ url, title, content: text, score: 0.9 }));
  return { query: '', answer: null, number_of_results: 0, unresponsive_engines: [], images: [], results };
}
