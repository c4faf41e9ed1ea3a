// Interface of the SIP user agent (RFC 3261): calls over trunks, without media. Implemented by createUserAgent.
import type { Clock } from '../../common/clock.ts';
import type { Detail } from '../../common/detail.ts';
import type { Log } from '../../common/log.ts';

export type SipTransport = 'udp' | 'tcp' | 'tls';

export interface TrunkOptions {
  /** Identifies the trunk in its status and in calls. */
  name: string;
  transport: SipTransport;
  /** Name or address. A name without a port is looked up as an SRV record first. */
  host: string;
  port?: number;
  /** Domain of the numbers called and of the account. */
  domain: string;
  /** Account for digest authentication; empty for trunks that know the caller by address. */
  user: string;
  password: string;
  /** Number or user shown to the callee. */
  callerId: string;
  /** False for a trunk without registration, which is pinged by OPTIONS instead. */
  registers: boolean;
  /** Duration of a registration, and interval of the session timer at least 90 s. */
  expiresSeconds: number;
  /** Address and port of a proxy to which everything is sent instead, for example "sbc.example:5060". */
  outboundProxy?: string;
  /** Addresses besides the resolved ones from which requests are accepted. */
  allowedAddresses?: readonly string[];
  /** Certificates in PEM trusted instead of the system's (TLS). */
  ca?: string;
  /** Name in the certificate, if it is not `host` (TLS). */
  servername?: string;
  /** Whether an answered call may be transferred by REFER. */
  referAllowed: boolean;
}

export interface UserAgentOptions {
  /** In the order in which they are tried. */
  trunks: readonly TrunkOptions[];
  /** Local address and port; port 0 takes any. The address may be "0.0.0.0" or "::". */
  local: { address: string; port: number };
  /** Address and port that the trunks see, if there is network address translation in between. */
  public?: { address: string; port?: number };
  clock: Clock;
  /** Random bytes for tags, branches and call ids. */
  random?: (size: number) => Buffer;
  log: Log;
  /** Called for an INVITE of a trunk; without it such a call is declined with 603. */
  onIncoming?: (call: IncomingCall) => void;
  /** Accepts connections over TCP or TLS at the local address; only for a user agent that is called. */
  listen?: { transport: 'tcp' } | { transport: 'tls'; key: string; cert: string };
}

/** Why a call was not answered. */
export type CallFailure =
  | 'busy'
  | 'rejected'
  | 'wrongNumber'
  | 'noAnswer'
  | 'unreachable'
  | 'rateLimited'
  | 'trunkAway';

export interface OutgoingCallEvents {
  /** A provisional response; `sdp` is set for early media. */
  progress(status: number, sdp: string | null): void;
  /** Answered; `sdp` is the session description of the other party, empty if it sent none. */
  answered(sdp: string): void;
  /** `mayTryOthers` tells whether the phone may be called over a trunk that was not among those tried. */
  failed(failure: CallFailure, detail: Detail, mayTryOthers: boolean): void;
  /** The dialog ended after the answer. `by` tells who hung up; `detail` is for example "BYE". */
  ended(by: 'us' | 'peer' | 'timer', detail: Detail): void;
  /** A key received by SIP INFO. */
  infoKey(key: string): void;
  /**
   * The peer changes the session (re-INVITE or UPDATE); returns the local answer. Empty if the peer requests an
   * offer: returns the local description then. An error it throws refuses the change (488), the call continues.
   */
  offered(sdp: string): string;
  /** The peer answered a description that `offered` returned for an empty one. */
  changed?(sdp: string): void;
  /** The peer transfers the call (REFER) to this number; resolves whether that succeeded. Declined if absent. */
  referred?(number: string): Promise<boolean>;
}

/** A call in the making or connected. Methods after its end do nothing. */
export interface OutgoingCall {
  /** Name of the trunk that carries the call; changes when the next trunk is tried. */
  readonly trunk: string;
  /** CANCEL before the answer, BYE after it. */
  hangUp(): void;
  /**
   * Transfers the answered call (RFC 3515); resolves true when the transferee reported success, false at once if
   * the trunk does not allow it.
   */
  refer(number: string): Promise<boolean>;
  /** Changes the session (re-INVITE); resolves with the answer of the peer, or null if it was refused. */
  offer(sdp: string): Promise<string | null>;
  /** Sends a key by SIP INFO; resolves whether the peer accepted it. */
  sendInfoKey(key: string): Promise<boolean>;
}

export interface IncomingCall {
  readonly from: string;
  readonly to: string;
  /** Call-ID of the signaling. */
  readonly callId: string;
  /** Empty if the caller expects the offer in the answer; its description arrives by `changed` then. */
  readonly sdp: string;
  /** Reports ringing; a description makes it early media (183). */
  ring(sdp?: string): void;
  answer(sdp: string, events: AnsweredCallEvents): OutgoingCall;
  reject(status: number): void;
  /** Runs `work` if the caller hangs up before the answer. */
  onCancel(work: () => void): void;
}

export type AnsweredCallEvents = Pick<
  OutgoingCallEvents,
  'ended' | 'infoKey' | 'offered' | 'changed' | 'referred'
>;

export interface TrunkStatus {
  name: string;
  state: 'registered' | 'unregistered' | 'reachable' | 'unreachable';
  /** Milliseconds since 1970 of the last change. */
  since: number;
  /** SIP status or error of the last attempt, for example "403 Forbidden". */
  detail: Detail;
}

/**
 * Whether the call could go over another trunk, given the names of the available trunks that this call has not come to yet,
 * and of all available ones.
 */
export type HasAlternative = (ahead: readonly string[], available: readonly string[]) => boolean;

export interface UserAgent {
  /** Opens the sockets and begins to register; does not wait for the registrations. */
  start(): Promise<void>;
  /** Local port of the sockets, once started. */
  readonly port: number;
  /** Ends all calls, removes the registrations, and closes the sockets. */
  close(): Promise<void>;
  /**
   * Calls a number over the first trunk that is available; tries the next one if it does not answer at all, or takes the
   * call and then does nothing although there is another one: `hasAlternative` decides, by
   * default whether an available one is left.
   * A function returns the number for a trunk whose turn has come, or null if it must not carry the call; another one
   * the description, given the address at which that trunk reaches us. Exactly one of `failed` and `ended` is called at
   * the end, never before this returns. After `hangUp` before the answer it is `failed` with noAnswer. The Call-ID of
   * each attempt begins with `id`, if there is one.
   */
  call(
    number: string | ((trunk: string) => string | null),
    sdp: string | ((contactAddress: string) => string),
    events: OutgoingCallEvents,
    id?: string,
    hasAlternative?: HasAlternative,
  ): OutgoingCall;
  trunks(): TrunkStatus[];
  /** Whether requests from that address are taken as those of the trunk with that name. */
  isAddressOf(trunk: string, address: string): boolean;
  /** Messages and connections ignored because they are not of a trunk. */
  readonly ignoredMessages: number;
}
