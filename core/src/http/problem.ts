// The API's error type, and the table of its kinds: HTTP status, CLI exit code and client reaction.

/** Client reaction to a problem: navigate to a page, mark form fields, or show a toast. */
export type ProblemReactionKind = 'forbidden-page' | 'not-found-page' | 'fields' | 'sign-in' | 'toast';

interface KindMeta {
  /** HTTP status (RFC 9110). */
  status: number;
  /** Exit code of a CLI command that ends with this problem. */
  exit: 1 | 2 | 4 | 5;
  reaction: ProblemReactionKind;
  title: string;
}

/** All kinds of problems. On the wire, `type` is `urn:yagura:problem:<kind>`. */
export const problemKinds = {
  invalid: { status: 400, exit: 2, reaction: 'fields', title: 'Invalid request' },
  'sign-in-required': { status: 401, exit: 4, reaction: 'sign-in', title: 'Sign-in required' },
  forbidden: { status: 403, exit: 5, reaction: 'forbidden-page', title: 'Forbidden' },
  'not-found': { status: 404, exit: 1, reaction: 'not-found-page', title: 'Not found' },
  'method-not-allowed': { status: 405, exit: 1, reaction: 'toast', title: 'Method not allowed' },
  conflict: { status: 409, exit: 1, reaction: 'toast', title: 'Conflict' },
  'not-possible': { status: 409, exit: 1, reaction: 'toast', title: 'Not possible at the moment' },
  changed: { status: 412, exit: 1, reaction: 'toast', title: 'Changed by somebody else' },
  'too-large': { status: 413, exit: 1, reaction: 'toast', title: 'Too large' },
  'unsupported-media-type': { status: 415, exit: 1, reaction: 'toast', title: 'Unsupported media type' },
  misdirected: { status: 421, exit: 1, reaction: 'toast', title: 'Misdirected request' },
  'too-many-requests': { status: 429, exit: 1, reaction: 'toast', title: 'Too many requests' },
  'header-too-large': { status: 431, exit: 1, reaction: 'toast', title: 'Request header fields too large' },
  internal: { status: 500, exit: 1, reaction: 'toast', title: 'Internal error' },
  unavailable: { status: 503, exit: 1, reaction: 'toast', title: 'Temporarily unavailable' },
  unreachable: { status: 503, exit: 1, reaction: 'toast', title: 'The server cannot be reached' },
  rejected: { status: 409, exit: 1, reaction: 'toast', title: 'Failed to register task' },
  'chain-rejected': { status: 409, exit: 1, reaction: 'toast', title: 'Failed to invoke chain' },
} as const satisfies Record<string, KindMeta>;

export type ProblemKind = keyof typeof problemKinds;

/** An invalid field: `name` is its dotted path in the request body. */
export interface InvalidParam {
  name: string;
  reason: string;
}

/** The wire form (RFC 9457). */
export interface ProblemBody {
  type: string;
  title: string;
  detail?: string;
  status?: number;
  instance?: string;
  invalidParams?: InvalidParam[];
}

const prefix = 'urn:yagura:problem:';

/** Part of a 403 detail that identifies an IP restriction. */
export const ipBlockedDetail = 'Your IP address is not permitted';

export class Problem extends Error {
  readonly kind: ProblemKind;
  readonly type: string;
  readonly title: string;
  readonly detail: string | undefined;
  readonly status: number;
  readonly instance: string | undefined;
  readonly invalidParams: InvalidParam[];
  /** Seconds until a retry makes sense (Retry-After), if known. */
  readonly retryAfter: number | undefined;

  constructor(
    kind: ProblemKind,
    options: {
      type?: string;
      title?: string;
      detail?: string;
      status?: number;
      instance?: string;
      invalidParams?: InvalidParam[];
      retryAfter?: number;
      cause?: unknown;
    } = {},
  ) {
    const title = options.title ?? problemKinds[kind].title;
    super(options.detail ? `${title}: ${options.detail}` : `error: ${title}`, { cause: options.cause });
    this.name = 'Problem';
    this.kind = kind;
    this.type = options.type ?? prefix + kind;
    this.title = title;
    this.detail = options.detail;
    this.status = options.status ?? problemKinds[kind].status;
    this.instance = options.instance;
    this.invalidParams = options.invalidParams ?? [];
    this.retryAfter = options.retryAfter;
  }

  get reaction(): ProblemReactionKind {
    if (this.kind === 'invalid' && this.invalidParams.length === 0) return 'toast';
    // A field that requests more than the caller may grant is marked in the form.
    if (this.kind === 'forbidden' && this.invalidParams.length > 0) return 'fields';
    return problemKinds[this.kind].reaction;
  }

  get exitCode(): number {
    return problemKinds[this.kind].exit;
  }

  /** True if the space's IP restriction caused a 403. */
  get ipBlocked(): boolean {
    return this.kind === 'forbidden' && (this.detail?.includes(ipBlockedDetail) ?? false);
  }

  toJSON(): ProblemBody {
    return {
      type: this.type,
      title: this.title,
      ...(this.detail === undefined ? {} : { detail: this.detail }),
      status: this.status,
      ...(this.instance === undefined ? {} : { instance: this.instance }),
      ...(this.invalidParams.length === 0 ? {} : { invalidParams: this.invalidParams }),
    };
  }
}

/** A 400 problem for one field. */
export function invalidField(name: string, reason: string): Problem {
  return new Problem('invalid', { invalidParams: [{ name, reason }] });
}

/**
 * Converts a reply to a problem. Bodies in another format get the kind of their status; those without a detail
 * get the one given.
 */
export function problemFromReply(
  status: number,
  body: unknown,
  options: { retryAfter?: number; instance?: string; detail?: string | undefined } = {},
): Problem {
  const parts = isProblemBody(body) ? body : undefined;
  const kind = kindOf(parts?.type, status);
  return new Problem(kind, {
    status,
    type: parts?.type,
    title: parts?.title,
    detail:
      parts?.detail ??
      options.detail ??
      (typeof body === 'string' && body.length > 0 && body.length < 300 ? body : undefined),
    instance: parts?.instance ?? options.instance,
    invalidParams: parts?.invalidParams,
    retryAfter: options.retryAfter,
  });
}

/** Whether the text is the `type` of a kind of problem. */
export function isProblemType(text: string): boolean {
  return text.startsWith(prefix) && Object.hasOwn(problemKinds, text.slice(prefix.length));
}

function kindOf(type: string | undefined, status: number): ProblemKind {
  if (type !== undefined && isProblemType(type)) return type.slice(prefix.length) as ProblemKind;
  for (const [kind, meta] of Object.entries(problemKinds)) {
    if (meta.status === status) return kind as ProblemKind;
  }
  return status >= 400 && status < 500 ? 'invalid' : 'internal';
}

function isProblemBody(body: unknown): body is ProblemBody {
  return typeof body === 'object' && body !== null && typeof (body as ProblemBody).title === 'string';
}
