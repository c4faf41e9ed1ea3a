// Tolerant linear-time HTML tokenizer that removes elements and extracts text without building a tree.

/** Elements whose content is not readable text. */
export const defaultRemovedElements = ['script', 'style', 'head'] as const;

/** Maximum length of a tag in characters; longer tags are dropped where the nesting is limited. */
const maxTagLength = 262_144;

interface Token {
  kind: 'text' | 'open' | 'close' | 'other';
  /** Lower-case element name of `open` and `close`. */
  name: string;
  start: number;
  end: number;
}

const voidElements = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);
const rawElements = new Set(['script', 'style', 'textarea', 'title', 'xmp', 'noscript', 'iframe']);
const blocks = new Set(
  'address article aside blockquote body br dd div dl dt fieldset footer form h1 h2 h3 h4 h5 h6 header hr html li main nav ol p pre section table tr ul'.split(
    ' ',
  ),
);

/** Removes the named elements (lower case) with their content. */
export function removeElements(html: string, names: ReadonlySet<string>): string {
  let kept = '';
  for (const token of keptTokens(html, names)) kept += html.slice(token.start, token.end);
  return kept;
}

/**
 * Extracts the text without the named elements (lower case); block elements end lines, whitespace is
 * collapsed.
 */
export function htmlToPlainText(html: string, names: ReadonlySet<string>): string {
  let text = '';
  for (const token of keptTokens(html, names)) {
    if (token.kind === 'text')
      text += decodeEntities(html.slice(token.start, token.end)).replace(/[\t\n\f\r ]+/g, ' ');
    else if (blocks.has(token.name)) text += '\n';
    else if (token.name === 'td' || token.name === 'th') text += ' ';
  }
  const lines = text.split('\n').map((line) => line.replace(/ +/g, ' ').trim());
  return lines
    .filter((line, index) => line !== '' || (index > 0 && lines[index - 1] !== ''))
    .join('\n')
    .trim();
}

/** Elements whose end tag is optional, and the open elements that each of them closes. */
const endedBy: Readonly<Record<string, readonly string[]>> = {
  p: ['p'],
  li: ['li'],
  dt: ['dt', 'dd'],
  dd: ['dt', 'dd'],
  option: ['option'],
  tr: ['tr', 'td', 'th'],
  td: ['td', 'th'],
  th: ['td', 'th'],
};

/**
 * Removes the tags of elements nested deeper than `max`, because building a tree takes time in proportion to
 * its depth.
 */
export function limitNesting(html: string, max: number): string {
  const kept: string[] = [];
  const open: string[] = [];
  /** Open elements beyond the maximum depth. */
  let beyond = 0;
  let isRaw = false;
  for (const token of tokens(html)) {
    // The content of a dropped script or style is not readable text.
    if (isRaw && token.kind === 'text') continue;
    isRaw = false;
    const isElement = token.kind === 'open' || token.kind === 'close';
    if (token.kind === 'open' && !voidElements.has(token.name)) {
      while (beyond === 0 && open.length > 0 && endedBy[token.name]?.includes(open.at(-1)!)) open.pop();
      if (open.length < max) open.push(token.name);
      else {
        beyond += 1;
        isRaw = rawElements.has(token.name);
        continue;
      }
    } else if (token.kind === 'close' && beyond > 0) {
      beyond -= 1;
      continue;
    } else if (token.kind === 'close') {
      const at = open.lastIndexOf(token.name);
      // A parser would search all open elements for the start tag of an unmatched end tag.
      if (at < 0) continue;
      open.length = at;
    }
    if (!isElement || token.end - token.start <= maxTagLength) kept.push(html.slice(token.start, token.end));
  }
  return kept.join('');
}

function* keptTokens(html: string, names: ReadonlySet<string>): Generator<Token> {
  let dropping = '';
  let depth = 0;
  for (const token of tokens(html)) {
    if (dropping === '') {
      const dropped = names.has(token.name) && (token.kind === 'open' || token.kind === 'close');
      if (!dropped) yield token;
      else if (token.kind === 'open' && !voidElements.has(token.name)) {
        dropping = token.name;
        depth = 1;
      }
    } else if (token.name === dropping && token.kind === 'open') depth += 1;
    else if (token.name === dropping && token.kind === 'close') {
      depth -= 1;
      if (depth === 0) dropping = '';
    } else if (dropping === 'head' && token.name === 'body') {
      // The end tag of head is optional; body closes it.
      dropping = '';
      yield token;
    }
  }
}

function* tokens(html: string): Generator<Token> {
  let at = 0;
  /** Where the text begins that no token was made of yet. */
  let text = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open < 0) break;
    const token = readMarkup(html, open);
    if (token === undefined) break;
    if (token === 'text') {
      at = open + 1;
      continue;
    }
    if (open > text) yield { kind: 'text', name: '', start: text, end: open };
    yield token;
    at = token.end;
    if (token.kind === 'open' && rawElements.has(token.name)) {
      const end = rawEnd(html, at, token.name);
      if (end > at) yield { kind: 'text', name: '', start: at, end };
      at = end;
    }
    text = at;
  }
  if (text < html.length) yield { kind: 'text', name: '', start: text, end: html.length };
}

/**
 * Reads the tag, comment or declaration at a `<`; `text` if it is none of these, undefined if it is not
 * terminated.
 */
function readMarkup(html: string, start: number): Token | 'text' | undefined {
  if (html.startsWith('<!--', start)) return other(start, html.indexOf('-->', start + 4), 3);
  if (html[start + 1] === '!' || html[start + 1] === '?') return other(start, html.indexOf('>', start), 1);
  const name = /<(\/?)([A-Za-z][^\t\n\f\r />]{0,63})/y;
  name.lastIndex = start;
  const match = name.exec(html);
  if (!match) return 'text';
  const end = tagEnd(html, name.lastIndex);
  if (end === undefined) return undefined;
  return { kind: match[1] === '/' ? 'close' : 'open', name: match[2]!.toLowerCase(), start, end };
}

function other(start: number, found: number, length: number): Token | undefined {
  return found < 0 ? undefined : { kind: 'other', name: '', start, end: found + length };
}

/** Index after the `>` of a tag; quoted attribute values may contain one. */
function tagEnd(html: string, from: number): number | undefined {
  const special = /[>"']/g;
  special.lastIndex = from;
  while (true) {
    const match = special.exec(html);
    if (!match) return undefined;
    if (match[0] === '>') return special.lastIndex;
    const close = html.indexOf(match[0], special.lastIndex);
    if (close < 0) return undefined;
    special.lastIndex = close + 1;
  }
}

function rawEnd(html: string, from: number, name: string): number {
  const close = new RegExp(`</${name}(?=[\\t\\n\\f\\r />])`, 'gi');
  close.lastIndex = from;
  return close.exec(html)?.index ?? html.length;
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  copy: '©',
  reg: '®',
  trade: '™',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  middot: '·',
  bull: '•',
  deg: '°',
  yen: '¥',
  euro: '€',
};

function decodeEntities(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,8}));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined)
      return Object.hasOwn(entities, name.toLowerCase()) ? entities[name.toLowerCase()]! : whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    const valid = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    return valid ? String.fromCodePoint(code) : '\ufffd';
  });
}
