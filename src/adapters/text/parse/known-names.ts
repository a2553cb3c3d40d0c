// The names of definitions and footnotes that stand in another piece of a text, for the parser of this one.
import type { Nodes, Root } from 'mdast';
import type { Options } from 'mdast-util-from-markdown';

export interface KnownNames {
  definitions: readonly string[];
  footnotes: readonly string[];
}

type Extension = NonNullable<NonNullable<Options['extensions']>[number]>;

/** The names that these trees define, in the form in which the parser compares them. */
export function definedIn(roots: readonly Root[]): KnownNames {
  const definitions: string[] = [];
  const footnotes: string[] = [];
  const look = (node: Nodes): void => {
    if (node.type === 'definition') definitions.push(compared(node.identifier));
    else if (node.type === 'footnoteDefinition') footnotes.push(compared(node.identifier));
    if ('children' in node) for (const child of node.children) look(child);
  };
  for (const root of roots) look(root);
  return { definitions, footnotes };
}

/** An extension of the parser by which it takes references to these names for what they are. */
export function knowing({ definitions, footnotes }: KnownNames): Extension {
  let added: object | undefined;
  return {
    document: {
      // asked at the beginning of each line and never a match: the first time the names are added
      null: {
        name: 'knownNames',
        tokenize(_effects, _ok, nok) {
          const { parser } = this;
          if (added === parser) return nok;
          added = parser;
          parser.defined.push(...definitions);
          parser.gfmFootnotes = [...(parser.gfmFootnotes ?? []), ...footnotes];
          return nok;
        },
      },
    },
  };
}

function compared(identifier: string): string {
  return identifier.toLowerCase().toUpperCase();
}
