// The parts of a mail, found in one pass over its bytes with one stack of boundaries: bounded whatever the mail holds.
import { parseHeaderFields, type RawHeaderField } from './header-fields.ts';
import { type HeaderParameters, parseHeaderParameters } from './header-parameters.ts';

/** A part that holds no other parts. */
export interface MimePart {
  type: HeaderParameters;
  disposition: HeaderParameters;
  /** Lower case. */
  encoding: string;
  contentId: string;
  /** Its body as it is in the mail, still encoded. */
  body: Buffer;
  /** True inside `multipart/alternative` or `multipart/related`, which are one thing to the reader. */
  isWithin: 'alternative' | 'related' | null;
}

export interface ParsedMime {
  fields: RawHeaderField[];
  parts: MimePart[];
  /** What was not read, because the mail holds more than a reader bears. */
  cut: ('header' | 'parts' | 'depth')[];
}

const maxDepth = 20;
const maxParts = 1000;
/** Lines that look like the beginning of a part; what follows more of them is body. */
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

  /** Reads a header and what belongs to it, and stands behind the delimiter line that ended it. */
  private readEntity(isFirst: boolean): void {
    const { fields, isCut } = parseHeaderFields(this.takeHeader());
    this.bodyStart = this.at;
    if (isCut) this.cut.add('header');
    if (isFirst) this.fields = fields;
    const value = (name: string) => fields.find((field) => field.name === name)?.value ?? '';
    const type = parseHeaderParameters(value('content-type'));
    const boundary = type.params.get('boundary')?.trimEnd() ?? '';
    const isContainer = type.value.startsWith('multipart/') && boundary !== '' && boundary.length <= 200;
    if (isContainer && this.open.length >= maxDepth) this.cut.add('depth');
    if (isContainer && this.open.length < maxDepth) {
      this.open.push({ boundary, kind: type.value.slice(10) });
      // What stands before the first part is for readers without MIME.
      this.skipToDelimiter();
      return;
    }
    const kinds = this.open.map((one) => one.kind);
    const isWithin = (['alternative', 'related'] as const).find((kind) => kinds.includes(kind)) ?? null;
    const body = this.skipToDelimiter();
    this.parts.push({
      type,
      disposition: parseHeaderParameters(value('content-disposition')),
      encoding: value('content-transfer-encoding').split(';')[0]!.trim().toLowerCase(),
      contentId: value('content-id').replace(/^<|>$/g, ''),
      body,
      isWithin,
    });
  }

  /** The header block; a delimiter line ends it too. */
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

  /** The bytes up to the next delimiter line of any open part; stands behind it, and closes what it closes. */
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
          // What follows the last part, up to the next one of the part around it, belongs to nobody.
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

/** A mail that says it has parts, and has none, is still read. */
function plainPart(body: Buffer): MimePart {
  const type = { value: 'text/plain', params: new Map<string, string>() };
  const disposition = { value: '', params: new Map<string, string>() };
  return { type, disposition, encoding: '', contentId: '', body, isWithin: null };
}

/** The line break before a delimiter belongs to it. */
function beforeLineEnd(raw: Buffer, start: number, line: number): number {
  let end = line;
  if (end > start && raw[end - 1] === newline) end--;
  if (end > start && raw[end - 1] === 0x0d) end--;
  return end;
}
