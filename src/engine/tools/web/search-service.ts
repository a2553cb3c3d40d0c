// What a service that searches the web is to the tool: how it is asked and how its answer is read. Shapes only.
import type { WebRequest } from './guarded-get.ts';

/** A page that was found. */
export interface Found {
  url: string;
  title: string;
  snippet: string;
}

export interface SearchService {
  /** As people call it. */
  title: string;
  /** Its public address; undefined for one that everybody runs on their own. */
  address: string | undefined;
  /** The variable with its key; undefined for one that needs none. */
  keyName:
    | 'BRAVE_API_KEY'
    | 'TAVILY_API_KEY'
    | 'OPENAI_API_KEY'
    | 'ANTHROPIC_API_KEY'
    | 'GOOGLE_GENERATIVE_AI_API_KEY'
    | undefined;
  /** How long one search may take, where it takes longer than usual. */
  totalMs?: number | undefined;
  request(asked: {
    query: string;
    count: number;
    key: string;
    /** The model that searches, where one does. */
    model?: string | undefined;
  }): WebRequest & { path: string };
  /** What it found, of an answer as JSON; throws a ZodError for another form. */
  read(answer: unknown): Found[];
  /** What to do where it answers with this; undefined where nothing better than its status is known. */
  refusal(status: number, body: string): 'key' | 'quota' | 'format' | undefined;
}
