import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../common/clock.ts';
import { detailText } from '../../common/detail.ts';
import { translatable } from '../../common/translatable-text.ts';
import type { CallReport } from '../call-report.ts';
import { type MediaOptions, MediaRefused, type MediaSession } from '../media/media-session.ts';
import type { HasAlternative, OutgoingCallEvents, UserAgent } from '../sip/user-agent.ts';
import { answerPauseMs, type Prompt } from './call-flow.ts';
import { SipCall } from './sip-call.ts';
import { TrunkLimits } from './trunk-limits.ts';
import type { WorkerCall } from './worker-messages.ts';

const prompt = (text: string): Prompt => ({ text, samples: new Int16Array(8000) });

const settle = async () => {
  for (let turn = 0; turn < 40; turn++) await Promise.resolve();
};

/** Address at which each trunk reaches us. */
const contactAddresses: Record<string, string> = { a: '192.0.2.1', b: '198.51.100.1' };

/** A call whose signaling and audio are driven by the test; notes what it requests. */
class Rehearsal {
  readonly clock = new ManualClock();
  readonly log: string[] = [];
  /** One for each phone called, in order. */
  readonly phones: {
    number: string | null;
    sdp: string;
    events: OutgoingCallEvents;
    trunk: string;
    hasAlternative: HasAlternative;
  }[] = [];
  readonly sessions: { security: string; isClosed: boolean; options: MediaOptions }[] = [];
  readonly limits: TrunkLimits;
  referResult = false;
  private readonly call: SipCall;

  constructor(change: Partial<WorkerCall> = {}, options: { refer?: boolean; callsAtOnce?: number } = {}) {
    const { refer = false, callsAtOnce = 10 } = options;
    this.limits = new TrunkLimits(
      this.clock,
      ['a', 'b', 'c'].map((name) => ({ name, callsPerSecond: 10, callsAtOnce })),
    );
    this.call = new SipCall(
      {
        clock: this.clock,
        limits: this.limits,
        rtpPorts: undefined,
        bindAddress: '0.0.0.0',
        securityOf: (trunk) => (trunk === 'b' ? 'required' : 'never'),
        takesRefer: () => refer,
        createMediaSession: async (media) => this.createSession(media),
        userAgent: {
          port: 0,
          ignoredMessages: 0,
          isAddressOf: () => false,
          start: async () => undefined,
          close: async () => undefined,
          trunks: () => [],
          call: (...given) => this.callPhone(...given),
        },
      },
      {
        callId: 'call',
        numbers: [{ trunk: 'a', number: '0300' }],
        language: 'en',
        prompts: { message: prompt('Hello'), noReply: prompt('Bye'), reactions: { 1: null } },
        transfer: null,
        ...change,
      },
      {},
      {
        report: (report) => this.log.push(lineOf(report)),
        finished: (attempted, transferAttempted) =>
          this.log.push(`finished ${attempted.join()} ${transferAttempted.join()}`.trimEnd()),
      },
    );
  }

  async start(): Promise<this> {
    this.call.start();
    await settle();
    return this;
  }

  async pass(seconds: number): Promise<void> {
    for (let tenth = 0; tenth < seconds * 10; tenth++) {
      this.clock.advance(100);
      await settle();
    }
  }

  hangUp(): void {
    this.call.hangUp();
  }

  private callPhone(...[number, sdp, events, , hasAlternative]: Parameters<UserAgent['call']>) {
    const at = this.phones.length;
    const phone = {
      ...{ number: null as string | null, sdp: '', events, trunk: 'a' },
      hasAlternative: hasAlternative!,
    };
    this.phones.push(phone);
    queueMicrotask(() => {
      for (const trunk of ['a', 'b']) {
        phone.number = typeof number === 'string' ? number : number(trunk);
        phone.trunk = trunk;
        if (phone.number !== null) {
          phone.sdp = typeof sdp === 'string' ? sdp : sdp(contactAddresses[trunk]!);
          break;
        }
      }
      if (phone.number === null) events.failed('trunkAway', 'no trunk', true);
    });
    let isAnswered = false;
    const answered = events.answered;
    events.answered = (answer) => {
      isAnswered = true;
      answered.call(events, answer);
    };
    return {
      get trunk() {
        return phone.trunk;
      },
      hangUp: () => {
        this.log.push(`hang up ${at}`);
        queueMicrotask(() =>
          isAnswered ? events.ended('us', 'BYE') : events.failed('noAnswer', '487 Request Terminated', false),
        );
      },
      refer: async (to: string) => {
        this.log.push(`refer ${to}`);
        return this.referResult;
      },
      offer: async () => null,
      sendInfoKey: async () => true,
    };
  }

  private createSession(options: MediaOptions): MediaSession {
    const at = this.sessions.length;
    const session = { security: options.security, isClosed: false, options };
    this.sessions.push(session);
    const note = (text: string) => this.log.push(`${text} ${at}`);
    let cancel: (() => void) | undefined;
    return {
      isEncrypted: options.security === 'required',
      offer: (address) => `offer ${options.security} ${address}`,
      accept: (sdp) => {
        if (sdp === 'no audio')
          throw new MediaRefused('noAudio', translatable('pigeon.detail.media.no-audio'));
      },
      answer: () => 'answer',
      play: (samples) =>
        new Promise((resolve) => {
          cancel = this.clock.after(samples.length / 8, () => resolve(true));
        }),
      stopPlaying: () => cancel?.(),
      send: () => undefined,
      playRingingTone: () => note('tone'),
      sendKey: async (key) => void note(`send key ${key}`),
      listen: (listener) => note(listener ? 'joined' : 'separated'),
      statistics: () => ({}) as never,
      close: () => {
        session.isClosed = true;
      },
    };
  }
}

function lineOf(report: CallReport): string {
  if (report.kind === 'event')
    return `${report.event.kind} ${report.event.text ?? ''} ${detailText(report.event.detail ?? '')}`.trimEnd();
  if (report.kind === 'ended') return `ended ${report.reason ?? '-'} ${detailText(report.detail ?? '')}`;
  return report.kind;
}

const transfer = { name: 'Boss', numbers: [{ trunk: 'a', number: '0800' }], failed: prompt('Not connected') };

/** A transfer whose callee has heard the message. */
async function transferring(options: { refer?: boolean; referResult?: boolean } = {}) {
  const call = await new Rehearsal({ transfer }, options).start();
  call.referResult = options.referResult ?? false;
  call.phones[0]!.events.answered('sdp');
  await call.pass(1.5);
  return call;
}

describe('a call over SIP', () => {
  test('uses early audio when the answer has no description, and reports the end', async () => {
    const call = await new Rehearsal().start();
    call.phones[0]!.events.progress(183, 'early');
    call.phones[0]!.events.answered('');
    await call.pass(0.5);
    call.phones[0]!.events.ended('peer', 'BYE');
    await settle();
    expect(call.log).toEqual([
      'ringing',
      'answered',
      'reading Hello',
      'ended - BYE (hung up by the other party)',
      'finished a',
    ]);
    expect(call.sessions[0]!.isClosed).toBe(true);
  });

  test.each([
    ['no audio', 'the session description has no audio, or refuses it'],
    ['', 'the answer has no session description'],
  ])('hangs up on an answer without audio: %j', async (sdp, why) => {
    const call = await new Rehearsal().start();
    call.phones[0]!.events.answered(sdp);
    await settle();
    expect(call.log).toEqual(['hang up 0', `ended lineFailed ${why}`, 'finished a']);
  });

  test('may give a trunk up as long as there is another one, with another encryption too', async () => {
    const numbers = ['a', 'b'].map((trunk) => ({ trunk, number: '0300' }));
    const call = await new Rehearsal({ numbers }).start();
    expect(call.phones[0]!.hasAlternative(['b'], ['a', 'b'])).toBe(true);
    expect(call.phones[0]!.hasAlternative([], ['a'])).toBe(false);
    call.phones[0]!.events.failed('trunkAway', 'took the call', true);
    await settle();
    expect(call.phones[1]!.hasAlternative([], ['a', 'b'])).toBe(false);
  });

  test('keeps a trunk where nothing happens while no other has room', async () => {
    const numbers = ['a', 'b'].map((trunk) => ({ trunk, number: '0300' }));
    const call = await new Rehearsal({ numbers }, { callsAtOnce: 1 }).start();
    const end = call.limits.take('b')!;
    expect(call.phones[0]!.hasAlternative(['b'], ['a', 'b'])).toBe(false);
    end();
    expect(call.phones[0]!.hasAlternative(['b'], ['a', 'b'])).toBe(true);
  });

  test('comes to a trunk with the same encryption only once', async () => {
    const numbers = ['a', 'c'].map((trunk) => ({ trunk, number: '0300' }));
    const call = await new Rehearsal({ numbers }).start();
    const available = ['a', 'b', 'c'];
    expect(call.phones[0]!.hasAlternative(['b', 'c'], available)).toBe(true);
    // It was passed over, or has no number for the call.
    expect(call.phones[0]!.hasAlternative([], available)).toBe(false);
    expect(call.phones[0]!.hasAlternative(['b'], available)).toBe(false);
  });

  test('offers the next trunk its own address and encryption when the first is away', async () => {
    const call = await new Rehearsal({
      numbers: [
        { trunk: 'a', number: '0300' },
        { trunk: 'b', number: '+81300' },
      ],
    }).start();
    call.phones[0]!.events.failed('trunkAway', 'connection refused', true);
    await settle();
    call.clock.advance(0);
    await settle();
    expect(call.phones.map(({ number, sdp }) => [number, sdp])).toEqual([
      ['0300', 'offer never 192.0.2.1'],
      ['+81300', 'offer required 198.51.100.1'],
    ]);
    // The sockets take what arrives over either network.
    expect(call.sessions.map(({ options }) => options.bindAddress)).toEqual(['0.0.0.0', '0.0.0.0']);
    call.phones[1]!.events.failed('busy', '486 Busy Here', false);
    await settle();
    expect(call.log).toEqual(['ended busy 486 Busy Here', 'finished a,b']);
  });

  const onBoth = {
    numbers: [
      { trunk: 'a', number: '0300' },
      { trunk: 'b', number: '+81300' },
    ],
  };

  test.each([
    ['unreachable', '408 Request Timeout', true, ['0300', '+81300']],
    ['trunkAway', '503 Service Unavailable', false, ['0300']],
  ] as const)(
    'offers the next trunk with another encryption what it may try: %s %s %s',
    async (reason, why, mayTryOthers, called) => {
      const call = await new Rehearsal(onBoth).start();
      call.phones[0]!.events.failed(reason, why, mayTryOthers);
      await settle();
      expect(call.phones.map(({ number }) => number)).toEqual(called);
    },
  );

  test('uses at once a trunk with another encryption when the first has no room', async () => {
    const call = new Rehearsal(onBoth, { callsAtOnce: 1 });
    call.limits.take('a');
    await call.start();
    expect(call.phones.map(({ number }) => number)).toEqual([null, '+81300']);
    call.phones[1]!.events.failed('trunkAway', 'connection refused', true);
    await call.pass(21);
    expect(call.log).toEqual(['ended rateLimited connection refused', 'finished b']);
  });

  test('waits for room on the trunk, and fails after 20 seconds', async () => {
    const call = new Rehearsal({}, { callsAtOnce: 1 });
    const release = call.limits.take('a');
    await call.start();
    await call.pass(5);
    expect(call.phones).toEqual([]);
    release!();
    await call.pass(0.1);
    expect(call.phones).toHaveLength(1);

    const other = new Rehearsal({}, { callsAtOnce: 1 });
    other.limits.take('a');
    await other.start();
    await other.pass(21);
    expect(other.log).toEqual(['ended rateLimited all trunks are at their limit', 'finished']);
  });

  test('is canceled while it waits, and while the phone rings', async () => {
    const waiting = new Rehearsal({}, { callsAtOnce: 1 });
    waiting.limits.take('a');
    await waiting.start();
    waiting.hangUp();
    await waiting.pass(30);
    expect(waiting.log).toEqual(['ended noAnswer canceled', 'finished']);

    const ringing = await new Rehearsal().start();
    ringing.phones[0]!.events.progress(180, null);
    ringing.hangUp();
    await settle();
    expect(ringing.log).toEqual([
      'ringing',
      'hang up 0',
      'ended noAnswer 487 Request Terminated',
      'finished a',
    ]);
  });

  test('counts a key by SIP INFO', async () => {
    const call = await new Rehearsal().start();
    call.phones[0]!.events.answered('sdp');
    await call.pass(answerPauseMs / 1000);
    call.phones[0]!.events.infoKey('1');
    await settle();
    expect(call.log.slice(2)).toEqual([
      'key',
      'readingStopped Hello',
      'hang up 0',
      'ended - BYE (hung up by the server)',
      'finished a',
    ]);
  });
});

describe('a transfer', () => {
  test('joins two phones, and ends when one hangs up', async () => {
    const call = await transferring();
    expect(call.log.slice(2)).toEqual(['transferring Boss', 'tone 0']);
    call.phones[1]!.events.answered('sdp');
    call.phones[1]!.events.infoKey('5');
    call.phones[1]!.events.ended('peer', 'BYE');
    await settle();
    expect(call.log.slice(4)).toEqual([
      'joined 0',
      'joined 1',
      'transferred Boss a',
      'send key 5 0',
      'separated 0',
      'separated 1',
      'hang up 0',
      'ended - BYE (hung up by the server)',
      'finished a a',
    ]);
    expect(call.sessions.map(({ isClosed }) => isClosed)).toEqual([true, true]);
  });

  test('hangs up the destination when the callee does', async () => {
    const call = await transferring();
    call.phones[1]!.events.answered('sdp');
    call.phones[0]!.events.ended('peer', 'BYE');
    await settle();
    expect(call.log.slice(-5)).toEqual([
      'ended - BYE (hung up by the other party)',
      'hang up 1',
      'separated 0',
      'separated 1',
      'finished a a',
    ]);
  });

  test('stops calling the destination when the callee hangs up before', async () => {
    const call = await transferring();
    call.phones[0]!.events.ended('peer', 'BYE');
    await settle();
    expect(call.log.slice(-3)).toEqual([
      'ended transferFailed BYE (hung up by the other party)',
      'hang up 1',
      'finished a a',
    ]);
  });

  test.each([
    [
      'busy',
      'busy',
      (call: Rehearsal) => call.phones[1]!.events.failed('busy', '486 Busy Here', false),
      'Busy: 486 Busy Here',
    ],
    [
      'not answered',
      'noAnswer',
      async (call: Rehearsal) => call.pass(30),
      'No answer: 487 Request Terminated',
    ],
  ])('says so when the destination is %s', async (_what, reason, act, why) => {
    const call = await transferring();
    await act(call);
    await call.pass(1.5);
    expect(call.log.filter((line) => line !== 'hang up 1').slice(-4)).toEqual([
      'reading Not connected',
      'hang up 0',
      `ended ${reason} BYE (hung up by the server); transfer: ${why}`,
      'finished a a',
    ]);
  });

  test('says so when no trunk may call the destination', async () => {
    const call = await new Rehearsal({ transfer: { ...transfer, numbers: [] } }).start();
    call.phones[0]!.events.answered('sdp');
    await call.pass(3);
    expect(call.log.slice(2)).toEqual([
      'transferring Boss',
      'reading Not connected',
      'hang up 0',
      'ended notAllowed BYE (hung up by the server); transfer: The number is not allowed',
      'finished a',
    ]);
  });

  test('is left to a trunk that takes REFER, and done by us when it refuses', async () => {
    const taken = await transferring({ refer: true, referResult: true });
    expect(taken.log.slice(2)).toEqual([
      'transferring Boss',
      'refer 0800',
      'transferred Boss REFER',
      'hang up 0',
      'ended - BYE (hung up by the server)',
      'finished a',
    ]);
    const refused = await transferring({ refer: true });
    expect(refused.log.slice(2)).toEqual(['transferring Boss', 'refer 0800', 'tone 0']);
    expect(refused.phones).toHaveLength(2);
  });
});
