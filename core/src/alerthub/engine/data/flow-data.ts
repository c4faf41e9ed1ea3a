// Data of a message for steps and templates, plus the values that steps write.

import { reason } from '../errors/decision-reason.ts';
import { FlowError } from '../errors/flow-error.ts';
import { type BodyData, readBodyData } from './body/body-data.ts';
import { boundedJson } from './bounded-json.ts';
import { type DataPath, readPath } from './data-path.ts';
import { queryBudget } from './json-path.ts';
import { SelectedList } from './selected-list.ts';
import type { WorkBudget } from './work-budget.ts';

/** A received message as the pipeline passes it. */
export interface MessageSource {
  receivedAt: string;
  receiveSlotId: string;
  receiveSlotKind: string;
  /** `body` is the text; `data` is read from it if absent. */
  content: { body?: string; data?: unknown; [name: string]: unknown };
  metadata: Record<string, unknown>;
  /** Reads the data of a body that is not only text; by default it is read from `content.body`. */
  readData?: () => BodyData;
  /** The cached result of `messageView`. */
  view?: Record<string, unknown>;
}

/** A received message to be evaluated. */
export interface ReceivedMessage extends MessageSource {
  messageId: string;
}

/** Data roots that steps may not overwrite. */
export const reservedRoots: ReadonlySet<string> = new Set([
  'message',
  'relatedMessages',
  'relatedMessagesTruncated',
  'event',
  'scope',
  'scopeSeverities',
  'space',
  'trigger',
  'runbook',
  'runbookRecord',
  'steps',
  '__proto__',
]);

/**
 * The value of `message.…`, built once per message and shared by all rules, runbooks and runs. The body is
 * parsed at most once, on first access to `content.data`.
 */
export function messageView(source: MessageSource): Record<string, unknown> {
  source.view ??= createMessageView(source);
  return source.view;
}

function createMessageView(source: MessageSource): Record<string, unknown> {
  const { receivedAt, receiveSlotId, receiveSlotKind, metadata } = source;
  let read: BodyData | undefined = source.content.data === undefined ? undefined : source.content;
  const content = {
    ...source.content,
    get data(): unknown {
      read ??= source.readData?.() ?? readBodyData(source.content.body, contentTypeOf(metadata));
      return read.data;
    },
  };
  return { content, metadata, receivedAt, receiveSlotId, receiveSlotKind };
}

function contentTypeOf({ headers }: Record<string, unknown>): string {
  if (typeof headers !== 'object' || headers === null) return '';
  const found = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type');
  return typeof found?.[1] === 'string' ? found[1] : '';
}

/** Cost of each query step, and of each value read in addition to its length. The unit is characters. */
const unitsPerQueryStep = 20;
const unitsPerRead = 10;
/** Maximum length as JSON that is counted for one value. */
const maxCountedLength = 1_048_576;

/**
 * Characters after which a flow may parse no more: parsing takes far longer than other work on a text. The first text has
 * the limit of its step alone.
 */
const maxParsedLength = 5_000_000;
/** What a parsed character costs compared to one that is read. */
const unitsPerParsedCharacter = 5;

/** Named roots that steps and templates read, plus the values written by steps. */
export class FlowData {
  readonly root: Record<string, unknown>;
  readonly #budget: WorkBudget | undefined;
  #parsedLength = 0;

  /** `budget` limits the work on this data, in characters; it may be shared. */
  constructor(roots: Record<string, unknown>, budget?: WorkBudget) {
    this.root = Object.assign(Object.create(null), roots);
    this.#budget = budget;
  }

  /** Throws FlowError with an empty path if the path or the budget takes too much work. */
  read(path: DataPath): unknown {
    if (!this.#budget) return readPath(this.root, path);
    const steps = queryBudget();
    const before = steps.left;
    try {
      const value = readPath(this.root, path, steps);
      this.#budget.spend(unitsPerRead + lengthOf(value));
      return value;
    } finally {
      this.#budget.spend((before - steps.left) * unitsPerQueryStep);
    }
  }

  /** Counts work that a step does with what it read. */
  spend(units: number): void {
    this.#budget?.spend(units);
  }

  /**
   * Counts characters before a step parses them. Throws FlowError with an empty path if the steps before have parsed too
   * much.
   */
  spendOnParsing(characters: number, path: DataPath): void {
    if (this.#parsedLength > maxParsedLength)
      throw new FlowError('', reason('why.parse.tooMuchWork', { path: path.text }));
    this.#parsedLength += characters;
    this.#budget?.spend(characters * unitsPerParsedCharacter);
  }

  /** `name` must have passed `checkName`. */
  write(name: string, value: unknown): void {
    if (this.#budget) this.#budget.spend(lengthOf(value));
    this.root[name] = value instanceof SelectedList ? Array.from(value) : value;
  }
}

/** Approximate length of a value as text. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  return boundedJson(value, maxCountedLength).text.length;
}

/** Validates a name that a step writes to. Throws FlowError with an empty path. */
export function checkVariableName(name: string): string {
  if (!/^[A-Za-z_][\w-]{0,63}$/.test(name))
    throw new FlowError('', reason('why.name.bad', { name: name.slice(0, 100) }));
  if (reservedRoots.has(name)) throw new FlowError('', reason('why.name.reserved', { name }));
  return name;
}
