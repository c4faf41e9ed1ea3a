// User agents, trunks and recorders of events for the tests of SIP.
import { randomBytes } from 'node:crypto';
import { systemClock } from '../../../src/common/clock.ts';
import { type Detail, detailText } from '../../../src/common/detail.ts';
import type { LogLine } from '../../../src/common/log.ts';
import { createUserAgent } from '../../../src/pigeon/sip/create-user-agent.ts';
import type { Network } from '../../../src/pigeon/sip/network.ts';
import type {
  OutgoingCallEvents,
  TrunkOptions,
  UserAgent,
  UserAgentOptions,
} from '../../../src/pigeon/sip/user-agent.ts';

export const offer = 'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=offer\r\n';
export const answer = 'v=0\r\no=- 2 1 IN IP4 127.0.0.1\r\ns=answer\r\n';

export function trunkOptions(options: Partial<TrunkOptions> = {}): TrunkOptions {
  return {
    name: 'main',
    transport: 'udp',
    host: '127.0.0.1',
    port: 5060,
    domain: 'carrier.test',
    user: '',
    password: '',
    callerId: '0312345678',
    registers: false,
    expiresSeconds: 600,
    referAllowed: true,
    ...options,
  };
}

export interface TestAgent extends UserAgent {
  logged: LogLine[];
}

export function agent(options: Partial<UserAgentOptions>, network?: Network): TestAgent {
  const logged: LogLine[] = [];
  const created = createUserAgent(
    {
      trunks: [trunkOptions()],
      local: { address: '127.0.0.1', port: 0 },
      clock: systemClock,
      random: (size) => randomBytes(size),
      log: (line) => logged.push(line),
      ...options,
    },
    network,
  );
  return Object.assign(created, { logged });
}

/** Notes each event of a call as a line; `until` resolves when one starts with a text. */
export class CallRecorder implements OutgoingCallEvents {
  readonly lines: string[] = [];
  /** Returned for an offer; empty refuses it. */
  answerSdp = answer;
  referred?: (number: string) => Promise<boolean>;
  private readonly waiting: { start: string; resolve: () => void }[] = [];

  until(start: string): Promise<void> {
    if (this.lines.some((line) => line.startsWith(start))) return Promise.resolve();
    return new Promise((resolve) => this.waiting.push({ start, resolve }));
  }

  progress(status: number, sdp: string | null): void {
    this.note(`progress ${status} ${titleOf(sdp ?? '')}`);
  }
  answered(sdp: string): void {
    this.note(`answered ${titleOf(sdp)}`);
  }
  failed(failure: string, detail: Detail): void {
    this.note(`failed ${failure} ${detailText(detail)}`);
  }
  ended(by: string, detail: Detail): void {
    this.note(`ended ${by} ${detailText(detail)}`);
  }
  infoKey(key: string): void {
    this.note(`key ${key}`);
  }
  offered(sdp: string): string {
    this.note(`offered ${titleOf(sdp)}`);
    if (this.answerSdp === '') throw new Error('refused');
    return this.answerSdp;
  }
  changed(sdp: string): void {
    this.note(`changed ${titleOf(sdp)}`);
  }

  private note(line: string): void {
    this.lines.push(line.trimEnd());
    for (const one of this.waiting) if (line.startsWith(one.start)) one.resolve();
  }
}

/** The session name of a description. */
export const titleOf = (sdp: string): string => /^s=(.*)\r$/m.exec(sdp)?.[1] ?? '';
