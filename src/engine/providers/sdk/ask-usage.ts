// Asking a server that imitates OpenAI for the usage of a stream, also where it may not know how.

/**
 * A fetch that takes `stream_options` out of the body once the server has refused it by name (400 or 422), and asks again at
 * once: some servers accept no key that they do not know. What they then use is not counted.
 */
export function askUsage(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  let unknown = false;
  return async (input, init) => {
    const body = init?.body;
    if (typeof body !== 'string') return await fetch(input, init);
    const without = (): typeof init => ({ ...init, body: withoutStreamOptions(body) });
    if (unknown) return await fetch(input, without());
    const response = await fetch(input, init);
    if (response.status !== 400 && response.status !== 422) return response;
    if (!(await response.clone().text()).includes('stream_options')) return response;
    unknown = true;
    await response.body?.cancel();
    return await fetch(input, without());
  };
}

function withoutStreamOptions(body: string): string {
  const { stream_options: _, ...rest }: Record<string, unknown> = JSON.parse(body);
  return JSON.stringify(rest);
}
