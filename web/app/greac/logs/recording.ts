// Recorded screens: terminals in asciicast format, version 3 (https://docs.asciinema.org/manual/asciicast/v3/), and
// desktops as frames of RDP in the same kind of lines.

export interface RecordedEvent {
  /** Seconds from the beginning of the first part. */
  time: number;
  /** Output, new size (`80x24`), marker (who typed), or text between clipboards (`pasted 12 Hana`). */
  kind: 'output' | 'resize' | 'marker' | 'clipboard';
  data: string;
}

/** A place where a desktop can be played from. */
export interface KeyFrame {
  /** Index of the event to play first. */
  from: number;
  /** Index of the event before which all of the screen was painted again. */
  complete: number;
  /** Frames with which a client begins there, a byte in each character. */
  opening: string;
}

export interface Recording {
  /** The output is frames of a desktop, a byte in each character. */
  isDesktop: boolean;
  columns: number;
  rows: number;
  events: RecordedEvent[];
  /** In their order; terminals have none. */
  keyFrames: KeyFrame[];
  /** In seconds. */
  duration: number;
  /** Lines that could not be read. */
  unreadable: number;
}

const kinds: Record<string, RecordedEvent['kind']> = {
  o: 'output',
  r: 'resize',
  m: 'marker',
  c: 'clipboard',
};
const maxSize = 1000;

/** Reads the parts of a recording in their order; each begins with a header. */
export function parseRecording(parts: readonly string[]): Recording {
  const recording: Recording = {
    isDesktop: false,
    columns: 80,
    rows: 24,
    events: [],
    keyFrames: [],
    duration: 0,
    unreadable: 0,
  };
  let firstTimestamp: number | null = null;
  for (const [index, part] of parts.entries()) {
    let time = recording.duration;
    let hasHeader = false;
    // The one that is in the making. What lies between two parts may be missing.
    let keyFrame: Omit<KeyFrame, 'complete'> | null = null;
    for (const line of part.split('\n')) {
      if (line === '' || line.startsWith('#')) continue;
      const value = parseLine(line);
      if (!hasHeader && isDesktopHeader(value)) {
        hasHeader = true;
        recording.isDesktop = true;
        firstTimestamp ??= value.timestamp;
        time = Math.max(time, value.timestamp - firstTimestamp);
        // Only of use if what came before is missing.
        const data = index === 0 ? decodeFrames(value.opening) : null;
        if (data) recording.events.push({ time, kind: 'output', data });
      } else if (!hasHeader && isHeader(value)) {
        hasHeader = true;
        const { cols, rows } = value.term;
        const { timestamp } = value;
        if (timestamp !== undefined) firstTimestamp ??= timestamp;
        // The pause between two parts is part of the recording.
        if (timestamp !== undefined && firstTimestamp !== null)
          time = Math.max(time, timestamp - firstTimestamp);
        if (index === 0) Object.assign(recording, clampSize(cols, rows));
        else recording.events.push({ time, kind: 'resize', data: `${cols}x${rows}` });
      } else if (isEvent(value)) {
        const [interval, code, data] = value;
        time += interval;
        if (code === 'k') {
          const { length } = recording.events;
          if (data === 'completed' && keyFrame) recording.keyFrames.push({ ...keyFrame, complete: length });
          const opening = decodeFrames(/^begun (.+)$/.exec(data)?.[1] ?? '');
          keyFrame = opening ? { from: length, opening } : null;
          continue;
        }
        const kind = kinds[code];
        const shown = kind === 'output' && recording.isDesktop ? decodeFrames(data) : data;
        if (shown === null) recording.unreadable += 1;
        else if (kind) recording.events.push({ time, kind, data: shown });
      } else recording.unreadable += 1;
    }
    recording.duration = time;
  }
  return recording;
}

/** The bytes of a desktop's output, of which each character is one. */
export function frameBytes(frames: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(frames.length);
  // By index: a jump is megabytes, and an iterator over characters takes most of its time.
  for (let at = 0; at < frames.length; at += 1) bytes[at] = frames.charCodeAt(at);
  return bytes;
}

/** Null for a text that is no size. */
export function parseSize(data: string): { columns: number; rows: number } | null {
  const match = /^(\d{1,5})x(\d{1,5})$/.exec(data);
  return match && clampSize(Number(match[1]), Number(match[2]));
}

/** Null for what is no such event. */
export function parseClipboard(
  data: string,
): { direction: 'copied' | 'pasted'; count: number; name: string } | null {
  const match = /^(copied|pasted) (\d{1,7}) (.*)$/s.exec(data);
  if (!match) return null;
  return { direction: match[1] as 'copied' | 'pasted', count: Number(match[2]), name: match[3]! };
}

export interface RecordedMatch {
  time: number;
  text: string;
}

/** Finds text in the output, without control sequences; at most `limit` places. */
export function searchRecording({ events }: Recording, query: string, limit = 200): RecordedMatch[] {
  const outputs = events.filter(({ kind }) => kind === 'output');
  const ends: number[] = [];
  let raw = '';
  for (const { data } of outputs) {
    raw += data;
    ends.push(raw.length);
  }
  const { plain, offsets } = stripSequences(raw);
  const haystack = plain.toLowerCase();
  const needle = query.toLowerCase();
  const found: RecordedMatch[] = [];
  for (let at = haystack.indexOf(needle); at >= 0 && found.length < limit && needle !== ''; ) {
    const event = lowerBound(ends, rawOffset(offsets, at) + 1);
    const text = plain.slice(Math.max(0, at - 20), at + query.length + 40).replace(/\s+/g, ' ');
    found.push({ time: outputs[event]!.time, text });
    at = haystack.indexOf(needle, at + needle.length);
  }
  return found;
}

interface Offsets {
  plain: number[];
  raw: number[];
}

/** Control sequences (ECMA-48) and control characters other than line breaks. */
const sequences =
  /\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[PX^_][^\x1b]*\x1b\\|\x1b[ -/]*[0-~]|[\0-\x09\x0b-\x1f\x7f]/g;

function stripSequences(raw: string): { plain: string; offsets: Offsets } {
  const offsets: Offsets = { plain: [0], raw: [0] };
  let plain = '';
  let from = 0;
  for (const match of raw.matchAll(sequences)) {
    plain += raw.slice(from, match.index);
    from = match.index + match[0].length;
    offsets.plain.push(plain.length);
    offsets.raw.push(from);
  }
  return { plain: plain + raw.slice(from), offsets };
}

function rawOffset({ plain, raw }: Offsets, at: number): number {
  const index = lowerBound(plain, at + 1) - 1;
  return raw[index]! + at - plain[index]!;
}

/** Index of the first value that is at least `wanted`. */
export function lowerBound(sorted: readonly number[], wanted: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

function clampSize(columns: number, rows: number) {
  const clamp = (size: number, least: number) => Math.min(Math.max(Math.floor(size), least), maxSize);
  return { columns: clamp(columns, 2), rows: clamp(rows, 1) };
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** Null for what is not base64. */
function decodeFrames(base64: string): string | null {
  try {
    return atob(base64);
  } catch {
    return null;
  }
}

function isDesktopHeader(value: unknown): value is { timestamp: number; opening: string } {
  const header = value as {
    format?: unknown;
    version?: unknown;
    timestamp?: unknown;
    opening?: unknown;
  } | null;
  return (
    header?.format === 'rdp' &&
    header.version === 1 &&
    Number.isFinite(header.timestamp) &&
    typeof header.opening === 'string'
  );
}

function isHeader(value: unknown): value is {
  version: 3;
  term: { cols: number; rows: number };
  timestamp?: number;
} {
  const header = value as {
    version?: unknown;
    term?: { cols?: unknown; rows?: unknown };
    timestamp?: unknown;
  } | null;
  return (
    header?.version === 3 &&
    Number.isFinite(header.term?.cols) &&
    Number.isFinite(header.term?.rows) &&
    (header.timestamp === undefined || Number.isFinite(header.timestamp))
  );
}

function isEvent(value: unknown): value is [number, string, string] {
  return (
    Array.isArray(value) &&
    Number.isFinite(value[0]) &&
    value[0] >= 0 &&
    typeof value[1] === 'string' &&
    (typeof value[2] === 'string' || value[1] === 'x')
  );
}
