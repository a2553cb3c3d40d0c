// The small faults that can be made in one source file, found in its syntax tree.
import { type Node, type SourceFile, SyntaxKind } from 'typescript/unstable/ast';

export interface Mutant {
  /** From the root of the project. */
  file: string;
  /** The line that is changed, from 1. */
  line: number;
  /** What the whole line says, without the space around it. */
  words: string;
  /** What is done, and the text before and after. */
  what: string;
  start: number;
  end: number;
  /** A test runs the mutant when it runs this place: of an operator that is the beginning of its left side. */
  at: number;
  /** What is between `start` and `end` instead. */
  text: string;
}

/** Operators and what takes their place. Bounds move by one; equality and logic turn around. */
const swapped: ReadonlyMap<SyntaxKind, string> = new Map([
  [SyntaxKind.AmpersandAmpersandToken, '||'],
  [SyntaxKind.BarBarToken, '&&'],
  [SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [SyntaxKind.LessThanToken, '<='],
  [SyntaxKind.LessThanEqualsToken, '<'],
  [SyntaxKind.GreaterThanToken, '>='],
  [SyntaxKind.GreaterThanEqualsToken, '>'],
  [SyntaxKind.PlusToken, '-'],
  [SyntaxKind.MinusToken, '+'],
]);

/** Conditions inside of SQL that a statement can lose, as they are written in this project. */
const sqlCondition =
  /\bAND\s+(?:NOT\s+)?[a-z_.]+\s*(?:=|<>|<=|>=|<|>)\s*(?:\?|'[a-z ]*'|[@:][a-z_A-Z]+|[a-z_.]+)/g;

/** Every mutant of the file, in the order of the text. Types, imports and logging are left alone: no test is to notice them. */
export function mutantsOf(file: string, source: SourceFile): Mutant[] {
  const { text } = source;
  const found: Mutant[] = [];
  const add = (
    node: { start: number; end: number },
    what: string,
    instead: string,
    at = node.start,
  ): void => {
    const line = text.slice(0, node.start).split('\n').length;
    const before = text.slice(node.start, node.end);
    const change = `${what}: ${short(before)} -> ${short(instead)}`;
    const words = text.split('\n')[line - 1]?.trim() ?? '';
    found.push({ file, line, words, what: change, ...node, at, text: instead });
  };
  const place = (node: Node) => ({ start: node.getStart(source), end: node.end });
  const visit = (node: Node): void => {
    if (leftAlone(node, text)) return;
    const parts = partsOf(node);
    const whole = place(node);
    if (node.kind === SyntaxKind.BinaryExpression && parts.operatorToken !== undefined) {
      const instead = swapped.get(parts.operatorToken.kind);
      if (instead !== undefined) add(place(parts.operatorToken), 'operator', instead, whole.start);
    }
    if (node.kind === SyntaxKind.IfStatement && parts.expression !== undefined) {
      const at = place(parts.expression);
      add(at, 'condition', `!(${text.slice(at.start, at.end)})`);
    }
    if (node.kind === SyntaxKind.ConditionalExpression && parts.condition !== undefined) {
      const at = place(parts.condition);
      add(at, 'condition', `!(${text.slice(at.start, at.end)})`);
    }
    if (node.kind === SyntaxKind.ExpressionStatement) add(whole, 'statement', ';');
    if (node.kind === SyntaxKind.AwaitExpression && parts.expression !== undefined) {
      const at = place(parts.expression);
      add(whole, 'await', text.slice(at.start, at.end));
    }
    if (node.kind === SyntaxKind.TrueKeyword) add(whole, 'constant', 'false');
    if (node.kind === SyntaxKind.FalseKeyword) add(whole, 'constant', 'true');
    if (node.kind === SyntaxKind.NumericLiteral)
      add(whole, 'constant', `(${text.slice(whole.start, whole.end)} + 1)`);
    if (isText(node))
      for (const match of text.slice(whole.start, whole.end).matchAll(sqlCondition)) {
        const start = whole.start + match.index;
        add({ start, end: start + match[0].length }, 'SQL', '');
      }
    node.forEachChild((child) => {
      visit(child);
    });
  };
  source.forEachChild((child) => {
    visit(child);
  });
  return found.sort((a, b) => a.start - b.start);
}

/** The parts of a node that mutants look at; the tree gives them by these names. */
function partsOf(node: Node): { operatorToken?: Node; expression?: Node; condition?: Node } {
  return node as { operatorToken?: Node; expression?: Node; condition?: Node }; // absent on nodes of other kinds
}

function leftAlone(node: Node, text: string): boolean {
  switch (node.kind) {
    case SyntaxKind.ImportDeclaration:
    case SyntaxKind.ExportDeclaration:
    case SyntaxKind.InterfaceDeclaration:
    case SyntaxKind.TypeAliasDeclaration:
    case SyntaxKind.TypeReference:
    case SyntaxKind.LiteralType:
      return true;
    case SyntaxKind.ExpressionStatement:
      return /^\s*(?:\w+\.)?log\.\w+\(/.test(text.slice(node.pos, node.end));
    default:
      return false;
  }
}

function isText(node: Node): boolean {
  return (
    node.kind === SyntaxKind.StringLiteral ||
    node.kind === SyntaxKind.NoSubstitutionTemplateLiteral ||
    node.kind === SyntaxKind.TemplateExpression
  );
}

/** The text on one line of at most 60 characters. */
function short(text: string): string {
  const most = 60;
  const line = text.replace(/\s+/g, ' ');
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}
