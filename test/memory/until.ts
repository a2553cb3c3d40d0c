// Waits in a test for what comes about on its own. Not a test.
import assert from 'node:assert/strict';

export async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 20_000; Date.now() < end; ) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  assert.fail('it did not come about');
}
