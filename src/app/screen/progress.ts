// How far long work has come: a bar on a terminal, elsewhere a plain line now and then. On standard error, so that output stays clean.
import { SingleBar } from 'cli-progress';

interface ProgressBar {
  update(at: { done: number; total: number }): void;
  /** Ends the bar's line. */
  end(): void;
}

/** Between two plain lines: a tenth of the work. */
const plainSteps = 10;

/** Progress in `what` (a plural); `silent` shows none. */
export function showProgress(
  what: string,
  show: 'shown' | 'silent',
  stream: NodeJS.WriteStream = process.stderr,
): ProgressBar {
  if (show === 'silent') return { update() {}, end() {} };
  return stream.isTTY ? bar(what, stream) : plainLines(what, stream);
}

function bar(what: string, stream: NodeJS.WriteStream): ProgressBar {
  const shown = new SingleBar({
    format: `[{bar}] {value} of {total} ${what}`,
    barsize: 30,
    hideCursor: true,
    clearOnComplete: false,
    stream,
  });
  let begun = false;
  return {
    update({ done, total }) {
      if (!begun) shown.start(total, done);
      begun = true;
      shown.update(done);
    },
    end() {
      if (begun) shown.stop();
    },
  };
}

function plainLines(what: string, stream: NodeJS.WriteStream): ProgressBar {
  let printed = 0;
  return {
    update({ done, total }) {
      const step = Math.floor((done / total) * plainSteps);
      if (step === printed) return;
      printed = step;
      stream.write(`${done} of ${total} ${what}\n`);
    },
    end() {},
  };
}
