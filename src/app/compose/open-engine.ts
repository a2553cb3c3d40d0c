// The engine of this process with its memory, as the config has them. Not its HTTP face.
import { join } from 'node:path';
import { engineSettings } from '#app/engine-settings.ts';
import { chooseModel } from '#app/model.ts';
import { watchMemory } from '#app/watched-memory.ts';
import { createEngine } from '#engine/engine.ts';
import type { EngineService } from '#engine/wire/service.ts';
import { createMemory } from '#memory/memory.ts';
import type { Memory } from '#memory/terms/contract.ts';
import { chooseEmbedder } from './embedder.ts';
import type { Ground } from './ground.ts';

/** Opens both; `deltaMs` is the pause between two pieces of an offline answer. */
export async function openEngine(
  ground: Ground,
  deltaMs: number,
): Promise<{ engine: EngineService; memory: Memory }> {
  const { loaded, clock, newId, log, troubles, version, secrets, uploads, stack } = ground;
  const { config, environment, home, variables } = loaded;
  const settings = engineSettings(config, variables);
  const memoryPath = join(home, 'memory.sqlite');
  const memory = watchMemory(
    createMemory({ path: memoryPath, clock, newId, ...chooseEmbedder(loaded) }),
    memoryPath,
    troubles,
  );
  stack.defer(() => memory.close());
  const engine = await createEngine({
    path: join(home, 'engine.sqlite'),
    clock,
    newId,
    log,
    memory,
    sharing: config.memory.sharing,
    version,
    model: { ...chooseModel(config.model, environment), prices: config.model.prices, deltaMs },
    fallbacks: config.model.fallbacks.map((each) => chooseModel(each, environment)),
    ...settings,
    home,
    readUpload: uploads.read,
    secrets,
    troubles,
  });
  stack.defer(() => engine.close());
  return { engine, memory };
}
