// Parses XML to plain data, within limits: each element is an object with its attributes as `@name`, its text
// as `#text`, and its child elements by name; an element that occurs several times is a list.
import { Parser } from 'htmlparser2';
import { reason } from '../../errors/decision-reason.ts';
import { UnreadableBodyError } from './unreadable-body-error.ts';

const maxDepth = 200;
/** Maximum number of elements and attributes. */
const maxNodes = 200_000;
/** Maximum characters of all texts and attributes. */
const maxText = 1_048_576;

interface OpenElement {
  name: string;
  text: string;
  attributes: Record<string, string>;
  children: Map<string, unknown[]>;
}

/**
 * Throws UnreadableBodyError for XML that is malformed, too large, or declares a document type, whose entities
 * would make the size unpredictable.
 */
export function parseXml(text: string): unknown {
  const reader = new XmlReader(text);
  return reader.document();
}

class XmlReader {
  private readonly source: string;
  private readonly open: OpenElement[] = [];
  private root: Record<string, unknown> | undefined;
  private nodes = 0;
  private textLength = 0;

  constructor(source: string) {
    this.source = source;
  }

  document(): Record<string, unknown> {
    const parser: Parser = new Parser(
      {
        onopentag: (name, attributes) => this.begin(name, attributes),
        onclosetag: (name, isImplied) => this.end(name, isImplied && !this.isSelfClosing(parser.endIndex)),
        ontext: (piece) => this.addText(piece),
        onprocessinginstruction: (name) => {
          if (name.startsWith('!')) throw new UnreadableBodyError(reason('why.data.documentType'));
        },
      },
      { xmlMode: true },
    );
    parser.end(this.source);
    if (!this.root) throw malformed('');
    return this.root;
  }

  /** The parser reports the end of `<name/>` as implied. */
  private isSelfClosing(endIndex: number): boolean {
    return this.source.startsWith('/>', endIndex - 1);
  }

  private begin(name: string, attributes: Record<string, string>): void {
    if (this.root) throw malformed(name);
    const values = Object.values(attributes);
    this.nodes += 1 + values.length;
    if (this.nodes > maxNodes) throw tooLarge('why.data.xmlNodes', maxNodes);
    if (this.open.length >= maxDepth) throw tooLarge('why.data.xmlDepth', maxDepth);
    for (const value of values) this.countText(value);
    this.open.push({ name, text: '', attributes, children: new Map() });
  }

  private end(name: string, isImplied: boolean): void {
    const element = this.open.pop();
    if (!element || element.name !== name || isImplied) throw malformed(name);
    const value = toObject(element);
    const parent = this.open.at(-1);
    if (!parent) {
      this.root = Object.fromEntries([[name, value]]);
      return;
    }
    const siblings = parent.children.get(name);
    if (siblings) siblings.push(value);
    else parent.children.set(name, [value]);
  }

  private addText(piece: string): void {
    this.countText(piece);
    const element = this.open.at(-1);
    if (element) element.text += piece;
    else if (piece.trim() !== '') throw malformed('');
  }

  private countText({ length }: string): void {
    this.textLength += length;
    if (this.textLength > maxText) throw tooLarge('why.data.xmlText', maxText);
  }
}

function toObject({ text, attributes, children }: OpenElement): Record<string, unknown> {
  const trimmed = text.trim();
  // Entries, because an assignment to a member called `__proto__` would not create it.
  return Object.fromEntries([
    ...Object.entries(attributes).map(([name, value]) => [`@${name}`, value]),
    ...(trimmed === '' ? [] : [['#text', trimmed]]),
    ...[...children].map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  ]);
}

const malformed = (element: string) =>
  new UnreadableBodyError(
    element === ''
      ? reason('why.data.xml')
      : reason('why.data.xmlElement', { element: element.slice(0, 100) }),
  );

const tooLarge = (word: 'why.data.xmlNodes' | 'why.data.xmlDepth' | 'why.data.xmlText', max: number) =>
  new UnreadableBodyError(reason(word, { most: max }));
