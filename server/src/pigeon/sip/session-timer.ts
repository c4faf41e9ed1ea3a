// Session timers (RFC 4028): a call whose peer is gone ends although no BYE arrives.
import type { Clock } from '../../common/clock.ts';
import { lists, parseParams, parseSeconds } from './header-values.ts';
import { type Header, headerOf, type SipMessage } from './message.ts';

/** Proposed interval, and the shortest that is accepted, in seconds. */
export const sessionSeconds = 1800;
export const minSessionSeconds = 90;
/** Longest interval taken from a peer, in seconds. */
const maxSessionSeconds = 86_400;

export interface SessionInterval {
  seconds: number;
  /** Role in the transaction that set it. */
  refresher: 'uac' | 'uas' | undefined;
}

export function sessionIntervalOf(message: SipMessage): SessionInterval | undefined {
  const [value = '', ...params] = (headerOf(message, 'Session-Expires') ?? '').split(';');
  const seconds = parseSeconds(value);
  if (seconds === undefined) return undefined;
  const refresher = parseParams(params).get('refresher')?.toLowerCase();
  return {
    seconds: Math.min(seconds, maxSessionSeconds),
    refresher: refresher === 'uac' || refresher === 'uas' ? refresher : undefined,
  };
}

/** Headers of a request that proposes or keeps a session timer. */
export function sessionHeaders(
  seconds: number,
  minSeconds: number,
  refresher: 'uac' | 'uas' | undefined,
): Header[] {
  return [
    { name: 'Session-Expires', value: `${seconds}${refresher ? `;refresher=${refresher}` : ''}` },
    { name: 'Min-SE', value: String(minSeconds) },
  ];
}

/** Whether the interval of a request is below the minimum of a server that supports timers (422). */
export function isIntervalTooSmall(request: SipMessage): boolean {
  const interval = sessionIntervalOf(request);
  return (
    interval !== undefined && interval.seconds < minSessionSeconds && lists(request, 'Supported', 'timer')
  );
}

/** What the answer to a request says about the session timer; none if the request does not ask for one. */
export function answeredInterval(
  request: SipMessage,
): { interval: SessionInterval; headers: Header[] } | undefined {
  const requested = sessionIntervalOf(request);
  if (!requested) return undefined;
  const supported = lists(request, 'Supported', 'timer');
  const refresher = supported ? (requested.refresher ?? 'uac') : 'uas';
  const seconds = Math.max(requested.seconds, minSessionSeconds);
  return {
    interval: { seconds, refresher },
    headers: [
      ...(refresher === 'uac' ? [{ name: 'Require', value: 'timer' }] : []),
      { name: 'Session-Expires', value: `${seconds};refresher=${refresher}` },
    ],
  };
}

export class SessionTimer {
  private readonly clock: Clock;
  private readonly refresh: () => void;
  private readonly expire: () => void;
  private cancel = () => {};
  /** Undefined without a timer. */
  seconds: number | undefined;
  weRefresh = false;

  constructor(clock: Clock, work: { refresh: () => void; expire: () => void }) {
    this.clock = clock;
    this.refresh = work.refresh;
    this.expire = work.expire;
  }

  /** Starts again after a transaction that set or kept the interval; undefined ends the timer. */
  restart(interval: SessionInterval | undefined, ourRole: 'uac' | 'uas'): void {
    this.stop();
    this.seconds = interval?.seconds;
    if (!interval) return;
    this.weRefresh = (interval.refresher ?? 'uac') === ourRole;
    const end = (interval.seconds - Math.min(32, interval.seconds / 3)) * 1000;
    const stopExpiry = this.clock.after(end, () => this.expire());
    const stopRefresh = this.weRefresh
      ? this.clock.after(interval.seconds * 500, () => this.refresh())
      : () => {};
    this.cancel = () => {
      stopExpiry();
      stopRefresh();
    };
  }

  stop(): void {
    this.cancel();
    this.cancel = () => {};
  }
}
