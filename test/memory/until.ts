// Waits in a test for what comes about on its own. Not a test.
import assert from 'node:assert/strict';

export async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 2_000; turn += 1) {
    if (await isSo()) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.fail('it did not come about');
}
