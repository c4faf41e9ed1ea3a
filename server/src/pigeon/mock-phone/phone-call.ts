// One call of the mock phone in the worker: rings, is answered by hand or by its script, and keeps what it heard.
import type { MockCallStatus } from '@yagura/core/pigeon/mock-phone';
import type { PhoneStep } from '@yagura/core/pigeon/phone-script';
import type { Clock } from '../../common/clock.ts';
import { pcmu } from '../media/g711.ts';
import {
  type CreateMediaSession,
  MediaRefused,
  type MediaSession,
  sampleRate,
} from '../media/media-session.ts';
import type { IncomingCall, OutgoingCall } from '../sip/user-agent.ts';
import type { PhoneCommand } from './phone-messages.ts';

/** What is heard later than this is not kept. */
export const maxHeardSeconds = 180;

export interface PhoneCallDeps {
  clock: Clock;
  createMediaSession: CreateMediaSession;
  /** Of the audio. */
  address: string;
}

export interface PhoneCallEvents {
  status(status: MockCallStatus): void;
  key(key: string): void;
}

type State = 'offered' | 'ringing' | 'answering' | 'answered' | 'over';

const endStatuses = { us: 'hungUp', peer: 'callerHungUp', timer: 'failed' } as const;
const refusals = { busy: 486, decline: 603 } as const;

export class PhoneCall {
  private readonly deps: PhoneCallDeps;
  private readonly incoming: IncomingCall;
  private readonly events: PhoneCallEvents;
  private state: State = 'offered';
  private session: MediaSession | undefined;
  private call: OutgoingCall | undefined;
  private readonly heardFrames: Buffer[] = [];
  private heardLength = 0;
  private cancelPause = () => {};
  /** Resolves when the last key is sent; later while the caller holds the call. */
  private keySent: Promise<void> = Promise.resolve();

  constructor(deps: PhoneCallDeps, incoming: IncomingCall, events: PhoneCallEvents) {
    this.deps = deps;
    this.incoming = incoming;
    this.events = events;
    incoming.onCancel(() => this.end('callerGaveUp'));
  }

  get isOver(): boolean {
    return this.state === 'over';
  }

  /** Rings, and then does what the steps say. */
  accept(steps: readonly PhoneStep[]): void {
    if (this.isOver) this.events.status('callerGaveUp');
    if (this.state !== 'offered') return;
    this.state = 'ringing';
    this.incoming.ring();
    this.events.status('ringing');
    void this.run(steps);
  }

  /** Ends a call that was never accepted; reports nothing. */
  refuse(status: number): void {
    if (this.state !== 'offered') return;
    this.state = 'over';
    this.incoming.reject(status);
  }

  /** Resolves whether that was possible. */
  async act({ action, key = '' }: PhoneCommand): Promise<boolean> {
    switch (action) {
      case 'answer':
        return this.answer();
      case 'busy':
      case 'decline':
        if (this.state !== 'ringing') return false;
        this.incoming.reject(refusals[action]);
        this.end(action === 'busy' ? 'busy' : 'declined');
        return true;
      case 'press':
        if (this.state !== 'answered') return false;
        this.events.key(key);
        this.keySent = this.session!.sendKey(key);
        return true;
      case 'hangUp':
        if (this.state !== 'answered') return false;
        this.call?.hangUp();
        return true;
    }
  }

  /** What was heard so far, as µ-law. */
  heard(): Buffer {
    return Buffer.concat(this.heardFrames);
  }

  private async run(steps: readonly PhoneStep[]): Promise<void> {
    for (const step of steps) {
      if (this.isOver) return;
      // A person may have done something else meanwhile: the script ends there.
      if (!(await this.runStep(step))) return;
    }
  }

  private async runStep(step: PhoneStep): Promise<boolean> {
    if (step.kind === 'pause') {
      await this.pause(step.milliseconds);
      return true;
    }
    const key = step.kind === 'press' ? step.key : undefined;
    const isDone = await this.act({ action: step.kind, key });
    if (step.kind === 'press') await this.keySent;
    return isDone;
  }

  private pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.deps.clock.after(milliseconds, resolve);
      this.cancelPause = () => {
        cancel();
        resolve();
      };
    });
  }

  private async answer(): Promise<boolean> {
    if (this.state !== 'ringing') return false;
    this.state = 'answering';
    const { address, createMediaSession } = this.deps;
    try {
      const session = await createMediaSession({
        bindAddress: address,
        publicAddress: address,
        security: 'offered',
        events: { key: () => undefined, audio: (samples) => this.hear(samples) },
      });
      // The caller may have given up meanwhile.
      if (this.isOver) {
        session.close();
        return false;
      }
      this.session = session;
      const sdp = this.incoming.sdp ? session.answer(this.incoming.sdp) : session.offer();
      this.call = this.incoming.answer(sdp, {
        ended: (by) => this.end(endStatuses[by]),
        infoKey: () => undefined,
        offered: (offer) => (offer ? session.answer(offer) : session.offer()),
        changed: (answer) => session.accept(answer),
      });
      this.state = 'answered';
      this.events.status('answered');
      return true;
    } catch (error) {
      this.incoming.reject(error instanceof MediaRefused ? 488 : 500);
      this.end('failed');
      return false;
    }
  }

  private hear(samples: Int16Array): void {
    if (this.heardLength >= maxHeardSeconds * sampleRate) return;
    this.heardFrames.push(pcmu.encode(samples));
    this.heardLength += samples.length;
  }

  private end(status: MockCallStatus): void {
    if (this.isOver) return;
    const wasAccepted = this.state !== 'offered';
    this.state = 'over';
    this.cancelPause();
    this.session?.close();
    if (wasAccepted) this.events.status(status);
  }
}
