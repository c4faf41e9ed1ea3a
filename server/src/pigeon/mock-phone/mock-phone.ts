// The mock phone: takes the calls of this server's SIP line, and shows each to the space that placed it.
import {
  type MockCall,
  type MockCallStatus,
  maxEndedMockCalls,
  mockPhone,
  type PhoneScript,
} from '@yagura/core/pigeon/mock-phone';
import { type PhoneStep, parsePhoneScript } from '@yagura/core/pigeon/phone-script';
import type { Item } from '@yagura/core/resource/define-resource';
import { type Clock, isoTime } from '../../common/clock.ts';
import { errorFields, type Log } from '../../common/log.ts';
import type { ChangePublisher } from '../../db/change-bus.ts';
import type { Queryable } from '../../db/database.ts';
import { pcmu } from '../media/g711.ts';
import type { PhoneAddress, PhoneCommand } from './phone-messages.ts';
import { type PhoneReport, PhoneThread } from './phone-thread.ts';

export interface MockPhoneDeps {
  address: PhoneAddress;
  database: Queryable;
  clock: Clock;
  log: Log;
  changes: ChangePublisher;
}

interface SpaceCall {
  spaceId: string;
  call: MockCall;
}

/** A call of the SIP line begins its Call-ID with its id. */
const callIdPattern = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\./;
const open: ReadonlySet<MockCallStatus> = new Set(['ringing', 'answered']);

export class MockPhone {
  private readonly deps: MockPhoneDeps;
  private readonly thread: PhoneThread;
  /** By id, oldest first. */
  private readonly calls = new Map<string, SpaceCall>();
  private readonly scripts = new Map<string, readonly PhoneScript[]>();

  constructor(deps: MockPhoneDeps) {
    this.deps = deps;
    this.thread = new PhoneThread(deps, {
      report: (report) => this.take(report),
      lost: () => this.failCalls(),
    });
  }

  start(): void {
    this.thread.start();
  }

  close(): Promise<void> {
    return this.thread.close();
  }

  status(spaceId: string): Item<typeof mockPhone> {
    const { address, port } = this.deps.address;
    return {
      address: `${address.includes(':') ? `[${address}]` : address}:${port}`,
      problem: this.thread.problem,
      calls: [...this.calls.values()]
        .filter((one) => one.spaceId === spaceId)
        .map(({ call }) => call)
        .reverse(),
      scripts: [...(this.scripts.get(spaceId) ?? [])],
    };
  }

  setScripts(spaceId: string, scripts: readonly PhoneScript[]): void {
    if (scripts.length === 0) this.scripts.delete(spaceId);
    else this.scripts.set(spaceId, scripts);
    this.publish(spaceId, 'scripts');
  }

  /** Returns undefined for a call that the space does not have, and null if that is not possible at the moment. */
  async act(
    spaceId: string,
    mockCallId: string,
    command: PhoneCommand,
  ): Promise<MockCall | null | undefined> {
    const found = this.find(spaceId, mockCallId);
    return found && ((await this.thread.act(mockCallId, command)) ? found : null);
  }

  /** Samples of what was heard; undefined for a call that the space does not have, or whose audio is gone. */
  async heard(spaceId: string, mockCallId: string): Promise<Int16Array | undefined> {
    if (!this.find(spaceId, mockCallId)) return undefined;
    const audio = await this.thread.heard(mockCallId);
    return audio ? pcmu.decode(audio) : undefined;
  }

  private find(spaceId: string, mockCallId: string): MockCall | undefined {
    const found = this.calls.get(mockCallId);
    return found?.spaceId === spaceId ? found.call : undefined;
  }

  private take(report: PhoneReport): void {
    const { mockCallId } = report;
    if (report.kind === 'incoming') {
      this.admit(report).catch((error) => {
        this.deps.log({ level: 'warn', message: 'a call to the mock phone failed', ...errorFields(error) });
        this.thread.post({ kind: 'refuse', mockCallId });
      });
      return;
    }
    const found = this.calls.get(mockCallId);
    if (!found) return;
    const { call, spaceId } = found;
    if (report.kind === 'key') call.keys = (call.keys + report.key).slice(-100);
    else {
      const at = isoTime(report.at);
      call.status = report.status;
      if (report.status === 'answered') call.answeredAt = at;
      if (!open.has(report.status)) {
        call.endedAt = at;
        this.dropOldCalls(spaceId);
      }
    }
    this.publish(spaceId, mockCallId);
  }

  /** Rings for the space whose call it is; a call of nobody is refused. */
  private async admit(report: Extract<PhoneReport, { kind: 'incoming' }>): Promise<void> {
    const { mockCallId, signalingId, from, to } = report;
    const { database, clock, log } = this.deps;
    const callId = callIdPattern.exec(signalingId)?.[1];
    const { rows } = await database.query<{ space_id: string; result_id: string }>(
      'select space_id, result_id from pigeon_call where call_id = $1 and ended_at is null',
      [callId ?? null],
    );
    const owner = rows[0];
    // The worker may have ended meanwhile.
    if (this.thread.problem !== null) return;
    if (!owner) {
      log({ level: 'warn', message: 'the mock phone refused a call that this server did not place' });
      this.thread.post({ kind: 'refuse', mockCallId });
      return;
    }
    this.calls.set(mockCallId, {
      spaceId: owner.space_id,
      call: {
        ...{ mockCallId, status: 'ringing', phoneNumber: to.slice(0, 255), callerNumber: from.slice(0, 255) },
        ...{ resultId: owner.result_id, keys: '', startedAt: isoTime(clock.now()) },
        ...{ answeredAt: null, endedAt: null },
      },
    });
    this.thread.post({ kind: 'accept', mockCallId, steps: this.stepsFor(owner.space_id, to) });
  }

  private stepsFor(spaceId: string, number: string): readonly PhoneStep[] {
    const scripts = this.scripts.get(spaceId) ?? [];
    const script =
      scripts.find(({ phoneNumber }) => phoneNumber === number) ??
      scripts.find(({ phoneNumber }) => phoneNumber === '');
    const parsed = script && parsePhoneScript(script.steps);
    return parsed && 'steps' in parsed ? parsed.steps : [];
  }

  private dropOldCalls(spaceId: string): void {
    const ended = [...this.calls].filter(([, one]) => one.spaceId === spaceId && one.call.endedAt !== null);
    for (const [mockCallId] of ended.slice(0, -maxEndedMockCalls)) {
      this.calls.delete(mockCallId);
      this.thread.post({ kind: 'forget', mockCallId });
    }
  }

  /** The worker has ended: its calls are over, and what was heard is gone. */
  private failCalls(): void {
    const at = isoTime(this.deps.clock.now());
    for (const [mockCallId, { spaceId, call }] of this.calls) {
      if (!open.has(call.status)) continue;
      Object.assign(call, { status: 'failed', endedAt: at });
      this.publish(spaceId, mockCallId);
    }
  }

  private publish(spaceId: string, id: string): void {
    const at = isoTime(this.deps.clock.now());
    this.deps.changes.publish([{ spaceId, resource: mockPhone.name, id, op: 'update', at }]);
  }
}
