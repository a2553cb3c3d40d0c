// An operation of the engine, declared once: routes, their document, the typed client, the remote engine and the audit derive from it. Shapes only.
import type { ZodObject, ZodPipe, ZodTransform, ZodType, z } from 'zod';

/** Fields, and what is made of them where the engine takes them in another form than they are sent. */
export type Fields = ZodObject | ZodPipe<ZodObject, ZodTransform>;

/** What one operation is, to every face of the engine. */
export interface Operation<
  Input extends Fields = Fields,
  Output extends ZodType = ZodType,
  Call extends string = string,
  First extends string | undefined = string | undefined,
  Counted extends string | undefined = string | undefined,
> {
  effect: 'read' | 'add' | 'change' | 'remove';
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `:name` for a field of the input. The other fields are the query of a GET or a DELETE, and the body of the rest. */
  path: string;
  summary: string;
  /** What the answer holds, for the document. */
  about: string;
  input: Input;
  output: Output;
  /** The field of the answer that holds the output: a list beside its `count`, anything else beside `ok: true`. The whole answer when absent. */
  under?: string;
  /**
   * The field of the output that is the whole answer: a list, with the output's `total`, where it has one, in the header
   * `x-total-count`.
   */
  counted?: Counted;
  /** What clients read over HTTP in place of the output. */
  shown?(output: z.output<Output>): z.output<Output>;
  /** What the status 403 says: an output of this shape, which has `ok: false`. */
  denied?: { about: string; schema: ZodType };
  /** The status of an answer; 200 when absent. */
  status?: 201;
  /** The status of each refusal by its code, where no other operation has it. */
  errors?: Readonly<Record<string, 400 | 404 | 409>>;
  /** True where `Idempotency-Key` makes a repeated request safe. */
  startsWork?: true;
  /** The name that the typed client has for it. */
  call: Call;
  /** The field that the client's call takes alone, before the others. */
  first?: First;
  /**
   * Why an owner's look leaves no line in the audit of memory. Every other operation that reads an audience, or concerns a session or a run,
   * leaves a line for each person whose words it shows (`audited-engine.ts`); so does a change whose result has words of somebody.
   */
  unaudited?: 'shows no words' | 'gives back what was sent';
  /** A change of one audience that gives back words of it: an owner's leaves a line, as a look does. */
  showsWords?: true;
  /** What an id in the path names, like `memory`: an id that none can have is a 404 without a question. */
  named?: string;
  /** A body that may be larger than others, in bytes. */
  bodyLimitBytes?: number;
  /** A client waits for it as long as it takes. */
  takesLong?: true;
  /** The same, and nothing is lost where the engine closes while something waits: its signal aborts then. */
  waits?: true;
}

export type Operations = Readonly<Record<string, Operation>>;

/** The declaration as it is, with the types of its schemas. */
export function operation<
  Input extends Fields,
  Output extends ZodType,
  const Call extends string,
  const First extends string | undefined = undefined,
  const Counted extends string | undefined = undefined,
>(declared: Operation<Input, Output, Call, First, Counted>): Operation<Input, Output, Call, First, Counted> {
  return declared;
}

/** What comes with a call beside its input. */
export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Of an operation that starts work: the same key begins nothing a second time. */
  idempotencyKey?: string | undefined;
}

/** The operations as the engine has them: the checked input in, what the output's schema says out. */
export type ServiceOf<Table extends Operations> = {
  [Name in keyof Table]: (
    ...call: z.output<Table[Name]['input']> extends Record<string, never>
      ? [input?: Record<string, never>, how?: CallOptions]
      : [input: z.output<Table[Name]['input']>, how?: CallOptions]
  ) => Promise<z.output<Table[Name]['output']>>;
};

/** The names of the operations. */
export function operationNames<Table extends Operations>(table: Table): (keyof Table & string)[] {
  return Object.keys(table);
}

/** The fields as they are sent. */
export function fieldsOf({ input }: Pick<Operation, 'input'>): ZodObject {
  return 'shape' in input ? input : input.in;
}

/** The names in a path that a request fills in. */
export function pathFields(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
}

/** Whether the fields that the path has not are a body; a query otherwise. */
export function hasBody({ method }: Pick<Operation, 'method'>): boolean {
  return method !== 'GET' && method !== 'DELETE';
}
