// What people have of Discord: files of DiscordChatExporter, or Discord's own data package. Finds which; each is read in a separate file.
import { ParleyError } from '#base/errors.ts';
import { type ArchiveFile, openArchive } from '#memory/import/items/archive.ts';
import { type ImportContext, type Item, limitsOf } from '#memory/import/items/item.ts';
import { exportedChannel } from './discord-exporter.ts';
import { packageChannels } from './discord-package.ts';

/** The channels at the path. Throws a ParleyError `nothing_to_import` that says what to do when there are none. */
export async function discordItems(
  path: string,
  reading: ImportContext,
): Promise<{ items: Item[]; close: () => void }> {
  const isWanted = (name: string): boolean => /\.(?:json|html?|csv|txt)$/i.test(name);
  const { files, close } = await openArchive(path, { ...limitsOf(reading), isWanted });
  try {
    const packaged = await packageChannels(files, reading);
    if (packaged !== undefined) return { items: packaged, close };
    const exported = files.filter(({ name }) => /\.json$/i.test(name));
    if (exported.length === 0) throw noHistory(path, files);
    return { items: exported.map((file) => exportedChannel(file, reading)), close };
  } catch (error) {
    close();
    throw error;
  }
}

function noHistory(path: string, files: readonly ArchiveFile[]): ParleyError {
  const other = files.find(({ name }) => /\.(?:html?|csv|txt)$/i.test(name));
  const what =
    other === undefined
      ? `${path} holds neither JSON of DiscordChatExporter nor a data package of Discord`
      : `${other.path} and the like are for reading: they do not name the channel by its id`;
  return new ParleyError('nothing_to_import', `${what}.`, {
    hint: 'Export again with DiscordChatExporter and --format Json, or name the zip that Discord sent ("Request all of my data").',
  });
}
