// A TCP proxy that passes bytes between two programs and, when told, treats a connection badly: late, cut, silent, twice. Not when.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { systemClock } from '#base/clock.ts';
import { createPostReader, type PostReader } from './post-reader.ts';

/** What can be done to one connection. */
export type Harm =
  /** What comes next, each way, is passed on `ms` later. */
  | { kind: 'late'; ms: number }
  /** Both ends are reset. */
  | { kind: 'cut' }
  /** From this moment the bytes of both ends are dropped, and neither end sees that the other has closed. */
  | { kind: 'silent' }
  /** What is asked next is passed on, and the connection is cut when the answer begins. */
  | { kind: 'answer cut' }
  /** The same, except that the answer is swallowed. */
  | { kind: 'answer silent' }
  /** The next POST is sent once more, over another connection, `ms` after the first; what that answers is dropped. */
  | { kind: 'twice'; ms: number };

/** A connection that brought no more answers from `at` on; `port` is the one that the answering program saw. */
export interface Broken {
  port: number;
  at: number;
}

export interface Link {
  /** Of 127.0.0.1. */
  port: number;
  /** Harms one of the open connections, chosen by `pick` of their number; false when none is open or that one cannot be harmed more. */
  harm(harm: Harm, pick: (count: number) => number): boolean;
  /** Resets both ends of every open connection; new ones are well. */
  cutAll(): void;
  /** Until `until` resolves, each piece of every connection is passed on `ms` later, each way. */
  goSlow(ms: number, until: Promise<void>): void;
  /** Until `until` resolves, every connection is silent, the new ones too. */
  goSilent(until: Promise<void>): void;
  broken: readonly Broken[];
  close(): Promise<void>;
}

/** The far end notices a dead connection on its own, after so long. */
const lingerMs = 5_000;

interface Pair {
  near: Socket;
  far: Socket;
  state: 'well' | 'silent';
  /** Until when what comes is held back, once each way. */
  lateMs: { out: number; back: number };
  onAnswer: 'pass' | 'cut' | 'silent';
  /** Reads the next POST, to send it again. */
  again: { reader: PostReader; ms: number } | undefined;
}

/** Listens on a free port of 127.0.0.1 and passes everything on to `target`, a port of the same host. */
export async function startLink(target: () => number): Promise<Link> {
  const pairs = new Set<Pair>();
  const broken: Broken[] = [];
  let isSilent = false;
  let slowMs = 0;

  const breakOff = (pair: Pair): void => {
    const port = pair.far.localPort;
    if (port !== undefined) broken.push({ port, at: Date.now() });
  };
  const cut = (pair: Pair): void => {
    breakOff(pair);
    pair.near.resetAndDestroy();
    pair.far.resetAndDestroy();
  };
  const silence = (pair: Pair): void => {
    if (pair.state === 'silent') return;
    breakOff(pair);
    pair.state = 'silent';
  };

  const carry = (pair: Pair, way: 'out' | 'back'): void => {
    const [from, to] = way === 'out' ? [pair.near, pair.far] : [pair.far, pair.near];
    const pass = (bytes: Buffer): void => {
      if (pair.state === 'silent') return;
      if (way === 'back' && pair.onAnswer !== 'pass') pair.onAnswer === 'cut' ? cut(pair) : silence(pair);
      else to.write(bytes);
      const { again } = pair;
      if (way === 'back' || again?.reader.take(bytes) === undefined) return;
      pair.again = undefined;
      sendAgain(target(), again.reader.bytes(), again.ms);
    };
    from.on('data', (bytes: Buffer) => {
      const ms = Math.max(pair.lateMs[way], slowMs);
      pair.lateMs[way] = 0;
      if (ms === 0) return pass(bytes);
      from.pause();
      void systemClock.sleep(ms).then(() => {
        pass(bytes);
        from.resume();
      });
    });
    from.on('error', () => undefined); // its close follows
    from.on('close', () => {
      if (pair.state === 'well') to.destroySoon();
      else if (way === 'out') setTimeout(() => to.destroy(), lingerMs).unref();
      if (way === 'out') pairs.delete(pair);
    });
  };

  const server = createServer((near) => {
    const far = connect(target(), '127.0.0.1');
    const late = { out: 0, back: 0 };
    const pair: Pair = { near, far, state: 'well', lateMs: late, onAnswer: 'pass', again: undefined };
    if (isSilent) silence(pair);
    pairs.add(pair);
    carry(pair, 'out');
    carry(pair, 'back');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo; // a listening TCP server has one
  return {
    port,
    broken,
    harm(harm, pick) {
      const well = [...pairs].filter(({ state }) => state === 'well');
      const pair = well[pick(well.length)];
      if (pair === undefined) return false;
      switch (harm.kind) {
        case 'late':
          pair.lateMs = { out: harm.ms, back: harm.ms };
          break;
        case 'cut':
          cut(pair);
          break;
        case 'silent':
          silence(pair);
          break;
        case 'answer cut':
        case 'answer silent':
          pair.onAnswer = harm.kind === 'answer cut' ? 'cut' : 'silent';
          break;
        case 'twice':
          pair.again = { reader: createPostReader(), ms: harm.ms };
      }
      return true;
    },
    cutAll() {
      for (const pair of pairs) if (pair.state === 'well') cut(pair);
    },
    goSlow(ms, until) {
      slowMs = ms;
      void until.then(() => {
        slowMs = 0;
      });
    },
    goSilent(until) {
      isSilent = true;
      for (const pair of pairs) silence(pair);
      void until.then(() => {
        isSilent = false;
      });
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const { near, far } of pairs) {
        near.destroy();
        far.destroy();
      }
      await closed;
    },
  };
}

/** Nobody waits for the answer; it is read, as a network would carry it, and dropped. */
function sendAgain(port: number, bytes: Buffer, ms: number): void {
  void systemClock.sleep(ms).then(() => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined); // nobody is there: it was lost
    socket.on('data', () => setTimeout(() => socket.destroy(), lingerMs).unref());
    socket.setTimeout(lingerMs * 2, () => socket.destroy());
    socket.write(bytes);
  });
}
