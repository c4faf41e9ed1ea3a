// Data of a message for steps and templates, plus the values that steps write.

import { reason } from '../errors/decision-reason.ts';
import { FlowError } from '../errors/flow-error.ts';
import { type BodyData, readBodyData } from './body/body-data.ts';
import { type DataPath, readPath } from './data-path.ts';

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

/** Named roots that steps and templates read, plus the values written by steps. */
export class FlowData {
  readonly root: Record<string, unknown>;

  constructor(roots: Record<string, unknown>) {
    this.root = Object.assign(Object.create(null), roots);
  }

  read(path: DataPath): unknown {
    return readPath(this.root, path);
  }

  /** `name` must have passed `checkName`. */
  write(name: string, value: unknown): void {
    this.root[name] = value;
  }
}

/** Validates a name that a step writes to. Throws FlowError with an empty path. */
export function checkVariableName(name: string): string {
  if (!/^[A-Za-z_][\w-]{0,63}$/.test(name))
    throw new FlowError('', reason('why.name.bad', { name: name.slice(0, 100) }));
  if (reservedRoots.has(name)) throw new FlowError('', reason('why.name.reserved', { name }));
  return name;
}
