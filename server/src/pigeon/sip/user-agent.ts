// Interface of the SIP user agent (RFC 3261): calls over trunks, without media.

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
  failed(failure: CallFailure, detail: string): void;
  /** The dialog ended after the answer. `by` tells who hung up; `detail` is for example "BYE". */
  ended(by: 'us' | 'peer' | 'timer', detail: string): void;
  /** A key received by SIP INFO. */
  infoKey(key: string): void;
  /** The peer changes the session (re-INVITE or UPDATE); returns the local answer. */
  offered(sdp: string): string;
}

/** A call in the making or connected. Methods after its end do nothing. */
export interface OutgoingCall {
  /** Name of the trunk that carries the call. */
  readonly trunk: string;
  /** CANCEL before the answer, BYE after it. */
  hangUp(): void;
  /** Transfers the answered call (RFC 3515); resolves true when the transferee reported success. */
  refer(number: string): Promise<boolean>;
}

export interface IncomingCall {
  readonly from: string;
  readonly to: string;
  readonly sdp: string;
  ring(): void;
  answer(sdp: string, events: Pick<OutgoingCallEvents, 'ended' | 'infoKey' | 'offered'>): OutgoingCall;
  reject(status: number): void;
}

export interface TrunkStatus {
  name: string;
  state: 'registered' | 'unregistered' | 'reachable' | 'unreachable';
  /** Milliseconds since 1970 of the last change. */
  since: number;
  /** SIP status or error of the last attempt, for example "403 Forbidden". */
  detail: string;
}

export interface UserAgent {
  start(): Promise<void>;
  /** Ends all calls, removes the registrations, and closes the sockets. */
  close(): Promise<void>;
  /** Calls a number over the first trunk that is available; tries the next one if it does not answer at all. */
  call(number: string, sdp: string, events: OutgoingCallEvents): OutgoingCall;
  trunks(): TrunkStatus[];
}
