// Reads variables and tables of one device; whatever the device answers, it ends.
import snmp, { type Session, type Varbind } from 'net-snmp';
import type { SnmpRow, SnmpTable, SnmpValue } from '../../read/snmp/values.ts';
import { connectedSockets } from './connected-socket.ts';
import { installDesPrivacy } from './des-privacy.ts';
import type { SnmpAccount } from './snmp-account.ts';
import { codeOf, SnmpFault } from './snmp-fault.ts';
import type { SnmpUsage } from './snmp-limits.ts';
import { isUnsignedResponse } from './unsigned-response.ts';

/** Variables per answer: about as many as fit in one unfragmented packet. */
const variablesPerAnswer = 48;
const maxRepetitions = 48;

export interface TableRequest {
  /** Object identifier of the table's entry. */
  entry: string;
  columns: readonly number[];
  rows?: number;
}

export interface SnmpTarget {
  address: string;
  port: number;
  account: SnmpAccount;
  /** Of SNMP v3. */
  context?: string;
}

export interface SessionDeps {
  /** Resolves when one packet may be sent to the device. */
  admit(): Promise<void>;
  usage: SnmpUsage;
  signal: AbortSignal;
}

installDesPrivacy();

type Callback<T> = (error: Error | null, result?: T) => void;

export class SnmpSession {
  private readonly session: Session;
  private readonly deps: SessionDeps;
  private readonly onAbort: () => void;
  private fail: (error: unknown) => void = () => undefined;
  private isSignedIn = false;
  /** When the last packet was sent. */
  private sentAt = 0;

  constructor({ address, port, account, context = '' }: SnmpTarget, deps: SessionDeps) {
    this.deps = deps;
    const { usage, signal } = deps;
    const isSigned = 'user' in account && account.user.level !== snmp.SecurityLevel.noAuthNoPriv;
    const options = {
      port,
      context,
      retries: 0,
      timeout: usage.limits.timeoutMs,
      dgramModule: connectedSockets({
        address,
        port,
        admit: async () => {
          this.checkUsage();
          await usage.wait(deps.admit).catch(() => {
            throw new SnmpFault('NOT_ALLOWED_BY_SITE', { isFinal: true });
          });
          this.sentAt = usage.now();
        },
        accepts: (answer) => {
          usage.received(answer.length);
          return !isSigned || !isUnsignedResponse(answer);
        },
        onFailure: (error) => this.fail(error),
      }),
    };
    this.session =
      'user' in account
        ? snmp.createV3Session(address, account.user, { ...options, version: snmp.Version3 })
        : snmp.createSession(address, account.community, { ...options, version: snmp.Version2c });
    this.session.on('error', (error: Error) => this.fail(error));
    this.onAbort = () => this.close();
    signal.addEventListener('abort', this.onAbort, { once: true });
  }

  close(): void {
    this.deps.signal.removeEventListener('abort', this.onAbort);
    this.session.close();
    this.fail(new SnmpFault('TIMEOUT', { isFinal: true }));
  }

  /** Whether the device has told its engine, which it does before it knows the user. */
  get isEngineKnown(): boolean {
    return (this.session as { msgSecurityParameters?: object }).msgSecurityParameters !== undefined;
  }

  /** The values by object identifier; absent if the device does not have them. */
  async get(oids: readonly string[]): Promise<Map<string, SnmpValue>> {
    const found = new Map<string, SnmpValue>();
    const varbinds = await this.request<Varbind[]>((done) => this.session.get([...oids], done as never));
    for (const varbind of varbinds) {
      const value = readValue(varbind);
      if (value !== undefined && oids.includes(varbind.oid)) found.set(varbind.oid, value);
    }
    return found;
  }

  /**
   * Reads columns of a table, at most as many rows as are asked for. An order that goes backwards or repeats is a fault,
   * because what follows would never end.
   */
  async table({ entry, columns, rows = this.deps.usage.limits.rows }: TableRequest): Promise<SnmpTable> {
    const table = new Map<string, Record<number, SnmpValue | undefined>>();
    let left = columns.map((column) => ({
      column,
      prefix: `${entry}.${column}.`,
      last: [] as number[],
      count: 0,
    }));
    let repetitions = maxRepetitions;
    while (left.length > 0) {
      const oids = left.map(({ prefix, last }) => `${prefix}${last.join('.')}`.replace(/\.$/, ''));
      const answer = await this.bulk(
        oids,
        Math.min(repetitions, Math.ceil(variablesPerAnswer / left.length)),
      );
      repetitions = answer.repetitions;
      let hasNew = false;
      left = left.filter((one, at) => {
        for (const varbind of answer.columns[at] ?? []) {
          if (snmp.isVarbindError(varbind) || !varbind.oid.startsWith(one.prefix)) return false;
          if (one.count >= rows) return false;
          const index = varbind.oid.slice(one.prefix.length);
          const arcs = index.split('.').map(Number);
          if (!follows(arcs, one.last)) throw new SnmpFault('SNMP_OUT_OF_ORDER');
          one.last = arcs;
          one.count++;
          hasNew = true;
          const value = readValue(varbind);
          if (value === undefined) continue;
          const row = table.get(index) ?? {};
          row[one.column] = value;
          table.set(index, row);
        }
        return true;
      });
      if (!hasNew && left.length > 0) throw new SnmpFault('SNMP_MALFORMED');
    }
    return table satisfies ReadonlyMap<string, SnmpRow>;
  }

  /** Asks for less after a silence or a complaint: large answers come in fragments, which firewalls drop. */
  private async bulk(
    oids: string[],
    wanted: number,
  ): Promise<{ columns: (Varbind[] | undefined)[]; repetitions: number }> {
    for (let repetitions = wanted; ; repetitions = Math.ceil(repetitions / 4)) {
      const isLast = repetitions === 1;
      try {
        const columns = await this.request<Varbind[][]>(
          (done) => this.session.getBulk(oids, 0, repetitions, done as never),
          isLast ? this.deps.usage.limits.attempts : 1,
        );
        // Once it had to be less, it stays so.
        return { columns, repetitions: repetitions === wanted ? maxRepetitions : repetitions };
      } catch (error) {
        const isTooMuch = error instanceof SnmpFault && ['TIMEOUT', 'SNMP_TOO_BIG'].includes(error.code);
        if (!isTooMuch || isLast || this.deps.usage.exceeded()) throw error;
      }
    }
  }

  private async request<T>(
    send: (done: Callback<T>) => unknown,
    attempts = this.isSignedIn ? this.deps.usage.limits.attempts : this.deps.usage.limits.firstAttempts,
  ): Promise<T> {
    const { answerTime, now } = this.deps.usage;
    for (let attempt = 0; attempt < attempts; attempt++) {
      try {
        // Read by the library for each request.
        (this.session as { timeout?: number }).timeout = answerTime.timeoutMs(attempt);
        const result = await new Promise<T>((resolve, reject) => {
          this.deps.signal.throwIfAborted();
          this.checkUsage();
          this.fail = reject;
          send((error, value) =>
            error || value === undefined ? reject(error ?? new Error()) : resolve(value),
          );
        });
        this.isSignedIn = true;
        answerTime.answered(now() - this.sentAt, attempt);
        return result;
      } catch (error) {
        this.deps.signal.throwIfAborted();
        const code = codeOf(error);
        if (code !== undefined) throw error instanceof SnmpFault ? error : new SnmpFault(code);
      }
    }
    throw new SnmpFault('TIMEOUT');
  }

  private checkUsage(): void {
    const exceeded = this.deps.usage.exceeded();
    if (exceeded) throw new SnmpFault(exceeded, { isFinal: true });
  }
}

/** Whether an index comes after another one. */
function follows(arcs: readonly number[], last: readonly number[]): boolean {
  for (let at = 0; at < arcs.length; at++) {
    const before = last[at] ?? -1;
    if (arcs[at] !== before) return arcs[at]! > before;
  }
  return false;
}

function readValue(varbind: Varbind): SnmpValue | undefined {
  if (snmp.isVarbindError(varbind)) return undefined;
  const { value } = varbind as { value?: unknown };
  if (typeof value === 'number' || typeof value === 'string') return value;
  return value instanceof Uint8Array ? value : undefined;
}
