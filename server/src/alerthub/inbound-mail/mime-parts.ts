// Splits a mail into its MIME parts in one pass with a stack of boundaries; time and memory are bounded for
// any input.
import { parseHeaderFields, type RawHeaderField } from './header-fields.ts';
import { type HeaderParameters, parseHeaderParameters } from './header-parameters.ts';

/** A leaf part. */
export interface MimePart {
  type: HeaderParameters;
  disposition: HeaderParameters;
  /** In lower case. */
  encoding: string;
  contentId: string;
  /** Raw body, still transfer-encoded. */
  body: Buffer;
  /** Set inside `multipart/alternative` or `multipart/related`, whose parts are shown as one. */
  isWithin: 'alternative' | 'related' | null;
}

export interface ParsedMime {
  fields: RawHeaderField[];
  parts: MimePart[];
  /** What was omitted because the mail exceeds the limits. */
  cut: ('header' | 'parts' | 'depth')[];
}

const maxDepth = 20;
const maxParts = 1000;
/** Maximum characters of a boundary; RFC 2046 allows 70. */
const maxBoundaryLength = 200;
/** Maximum lines that may be delimiters; beyond it, everything is body. */
const maxDashes = 200_000;
const newline = 0x0a;

interface OpenMultipart {
  boundary: string;
  kind: string;
}

export function parseMimeParts(raw: Buffer): ParsedMime {
  const reader = new MimeReader(raw);
  reader.run();
  return { fields: reader.fields, parts: reader.parts, cut: [...reader.cut] };
}

class MimeReader {
  readonly parts: MimePart[] = [];
  readonly cut = new Set<ParsedMime['cut'][number]>();
  fields: RawHeaderField[] = [];
  private readonly raw: Buffer;
  private readonly open: OpenMultipart[] = [];
  private at = 0;
  private bodyStart = 0;
  private dashes = 0;

  constructor(raw: Buffer) {
    this.raw = raw;
  }

  run(): void {
    this.readEntity(true);
    const bodyStart = this.bodyStart;
    while (this.at < this.raw.length && this.open.length > 0) {
      if (this.parts.length >= maxParts) {
        this.cut.add('parts');
        return;
      }
      this.readEntity(false);
    }
    if (this.parts.length === 0) this.parts.push(plainPart(this.raw.subarray(bodyStart)));
  }

  /** Reads a header and its body; the position is then after the delimiter line that ended it. */
  private readEntity(isFirst: boolean): void {
    const { fields, isCut } = parseHeaderFields(this.takeHeader());
    this.bodyStart = this.at;
    if (isCut) this.cut.add('header');
    if (isFirst) this.fields = fields;
    const value = (name: string) => fields.find((field) => field.name === name)?.value ?? '';
    const type = parseHeaderParameters(value('content-type'));
    const isMultipart = type.value.startsWith('multipart/');
    const boundary = type.params.get('boundary')?.trimEnd() ?? '';
    const isContainer = isMultipart && boundary !== '' && boundary.length <= maxBoundaryLength;
    if (isContainer && this.open.length >= maxDepth) this.cut.add('depth');
    if (isContainer && this.open.length < maxDepth) {
      this.open.push({ boundary, kind: type.value.slice(10) });
      // The preamble is for readers without MIME support.
      this.skipToDelimiter();
      return;
    }
    const kinds = this.open.map((one) => one.kind);
    const isWithin = (['alternative', 'related'] as const).find((kind) => kinds.includes(kind)) ?? null;
    const body = this.skipToDelimiter();
    this.parts.push({
      // Nothing separates parts, so there is one: rules can read its text.
      type: isMultipart && !isContainer ? plainText() : type,
      disposition: parseHeaderParameters(value('content-disposition')),
      encoding: value('content-transfer-encoding').split(';')[0]!.trim().toLowerCase(),
      contentId: value('content-id').replace(/^<|>$/g, ''),
      body,
      isWithin,
    });
  }

  /** Reads the header block; a delimiter line also ends it. */
  private takeHeader(): Buffer {
    const start = this.at;
    while (this.at < this.raw.length) {
      const lineStart = this.at;
      const found = this.raw.indexOf(newline, lineStart);
      const end = found < 0 ? this.raw.length : found;
      const isBlank = end === lineStart || (end === lineStart + 1 && this.raw[lineStart] === 0x0d);
      const isDelimiter = this.raw[lineStart] === 0x2d && this.delimiterAt(lineStart) !== null;
      if (isDelimiter) return this.raw.subarray(start, lineStart);
      this.at = end + 1;
      if (isBlank) return this.raw.subarray(start, lineStart);
    }
    return this.raw.subarray(start);
  }

  /**
   * Returns the bytes up to the next delimiter line of any open part, moves past it, and closes the parts
   * that it closes.
   */
  private skipToDelimiter(): Buffer {
    const start = this.at;
    let line = start;
    while (line >= 0 && line < this.raw.length && this.open.length > 0) {
      const found = this.raw[line] === 0x2d && this.raw[line + 1] === 0x2d ? this.delimiterAt(line) : null;
      if (found) {
        this.at = found.end;
        this.open.length = found.level + 1;
        const body = this.raw.subarray(start, beforeLineEnd(this.raw, start, line));
        if (found.closes) {
          this.open.length = found.level;
          // The epilogue is ignored.
          this.skipToDelimiter();
        }
        return body;
      }
      const next = this.raw.indexOf('\n--', line);
      if (this.dashes > maxDashes) this.cut.add('parts');
      line = next < 0 || this.dashes > maxDashes ? -1 : next + 1;
    }
    this.at = this.raw.length;
    return this.raw.subarray(start);
  }

  private delimiterAt(line: number): { level: number; closes: boolean; end: number } | null {
    if (this.open.length === 0 || this.raw[line + 1] !== 0x2d) return null;
    this.dashes++;
    const found = this.raw.indexOf(newline, line);
    const end = found < 0 ? this.raw.length : found;
    const text = this.raw.toString('latin1', line + 2, Math.min(end, line + 300)).trimEnd();
    for (let level = this.open.length - 1; level >= 0; level--) {
      const { boundary } = this.open[level]!;
      if (text === boundary || text === `${boundary}--`)
        return { level, closes: text !== boundary, end: Math.min(end + 1, this.raw.length) };
    }
    return null;
  }
}

/** A multipart mail without any part is read as plain text. */
function plainPart(body: Buffer): MimePart {
  const disposition = { value: '', params: new Map<string, string>() };
  return { type: plainText(), disposition, encoding: '', contentId: '', body, isWithin: null };
}

const plainText = () => ({ value: 'text/plain', params: new Map<string, string>() });

/** The line break before a delimiter belongs to the delimiter. */
function beforeLineEnd(raw: Buffer, start: number, line: number): number {
  let end = line;
  if (end > start && raw[end - 1] === newline) end--;
  if (end > start && raw[end - 1] === 0x0d) end--;
  return end;
}
