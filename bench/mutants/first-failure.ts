// A reporter for Node's test runner: one line of JSON for each test that failed, as it fails. Not for people.
import type { TestEvent } from 'node:test/reporters';

/** What a line says of a test that failed. */
export interface Failure {
  title: string;
  /** The test file, as an absolute path. */
  file: string;
  error: string;
}

// biome-ignore lint/style/noDefaultExport: Node takes a reporter from a module's default export.
export default async function* firstFailure(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    if (event.type !== 'test:fail') continue;
    const { error } = event.data.details;
    const { message } = error.cause instanceof Error ? error.cause : error;
    const failure: Failure = { title: event.data.name, file: event.data.file ?? '', error: message };
    yield `${JSON.stringify(failure)}\n`;
  }
}
