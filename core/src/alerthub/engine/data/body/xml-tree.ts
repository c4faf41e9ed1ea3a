// Parses XML to plain data, within limits: each element is an object with its attributes as `@name`, its text
// as `#text`, and its child elements by name; an element that occurs several times is a list.
import { Parser } from 'htmlparser2';
import { reason } from '../../errors/decision-reason.ts';
import { UnreadableBodyError } from './unreadable-body-error.ts';

const maxDepth = 200;
/** Maximum number of elements and attributes. */
const maxNodes = 200_000;
/** Maximum number of attributes of one element. */
const maxAttributes = 1000;
/** Maximum characters of a document, and of the signs among them that begin a tag, a comment or an entity. */
const maxLength = 4_194_304;
const maxSigns = 2 * maxNodes;
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
  /** Of the element that is being read. */
  private attributes = 0;
  private textLength = 0;

  constructor(source: string) {
    this.source = source;
  }

  document(): Record<string, unknown> {
    if (this.source.length > maxLength) throw tooLarge('why.data.tooLong', maxLength);
    if (hasMore(this.source, '<', maxSigns) || hasMore(this.source, '&', maxSigns))
      throw tooLarge('why.data.xmlNodes', maxNodes);
    const parser: Parser = new Parser(
      {
        onopentag: (name, attributes) => this.begin(name, attributes),
        onclosetag: (name, isImplied) => this.end(name, isImplied && !this.isSelfClosing(parser.endIndex)),
        onattribute: () => this.countAttribute(),
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
    this.attributes = 0;
    this.countNode();
    if (this.open.length >= maxDepth) throw tooLarge('why.data.xmlDepth', maxDepth);
    for (const value of Object.values(attributes)) this.countText(value);
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

  private countAttribute(): void {
    this.attributes += 1;
    if (this.attributes > maxAttributes) throw tooLarge('why.data.xmlAttributes', maxAttributes);
    this.countNode();
  }

  private countNode(): void {
    this.nodes += 1;
    if (this.nodes > maxNodes) throw tooLarge('why.data.xmlNodes', maxNodes);
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

/** Whether a text has more than `max` of a character. */
function hasMore(text: string, character: string, max: number): boolean {
  let count = 0;
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) {
    count += 1;
    if (count > max) return true;
  }
  return false;
}

const malformed = (element: string) =>
  new UnreadableBodyError(
    element === ''
      ? reason('why.data.xml')
      : reason('why.data.xmlElement', { element: element.slice(0, 100) }),
  );

const tooLarge = (
  word:
    | 'why.data.tooLong'
    | 'why.data.xmlNodes'
    | 'why.data.xmlAttributes'
    | 'why.data.xmlDepth'
    | 'why.data.xmlText',
  max: number,
) => new UnreadableBodyError(reason(word, { most: max }));
