// One attempt to call a number over one trunk: INVITE, its responses, CANCEL.

import { type Detail, detailOfError } from '../../common/detail.ts';
import { translatable } from '../../common/translatable-text.ts';
import {
  type AgentContext,
  capabilityHeaders,
  newTag,
  newVia,
  type RunningRequest,
  sdpOf,
  sdpType,
  sendAuthenticated,
  statusText,
} from './agent-context.ts';
import { timers } from './client-transaction.ts';
import { callerDialog } from './dialog.ts';
import { lists, numberUri, parseSeconds, tagOf, uriHost } from './header-values.ts';
import {
  type Header,
  headerOf,
  headersOf,
  type SipRequest,
  type SipResponse,
  sequenceOf,
} from './message.ts';
import { Session } from './session.ts';
import { minSessionSeconds, sessionHeaders, sessionIntervalOf, sessionSeconds } from './session-timer.ts';
import type { Flow } from './transport.ts';
import type { Trunk } from './trunk.ts';
import type { AnsweredCallEvents } from './user-agent.ts';

/** Milliseconds without any response after which the trunk counts as away. */
const firstResponseMs = 2000;
/**
 * Milliseconds after the first response without any progress after which another trunk is tried. Networks that begin to ring
 * later are rare; a chain waits for 30 s.
 */
const progressMs = 12_000;
/** Milliseconds to wait for the final response after CANCEL before the call is reported as ended. */
const cancelMs = 4000;
/** Maximum number of early dialogs of one call that forks. */
const maxBranches = 20;

export interface LegResult {
  status: number | undefined;
  detail: Detail;
  progressed: boolean;
  /** The trunk took the call, and then nothing happened. */
  stalled: boolean;
  retryAfterSeconds: number | undefined;
  /** The way that was tried; undefined if there was none. */
  flow: Flow | undefined;
}

export interface LegCall {
  number: string;
  /** The description to offer, given the address at which the trunk reaches us. */
  describe: (contactAddress: string) => string;
  /** Begins the Call-ID, unless it is empty. */
  id: string;
  /** Whether there is another trunk, so that one where nothing happens may be given up. */
  hasAlternative: () => boolean;
}

export interface LegEvents extends AnsweredCallEvents {
  progress(status: number, sdp: string | null): void;
  answered(session: Session, sdp: string): void;
  failed(result: LegResult): void;
}

interface Branch {
  session: Session;
  /** Description of early media; empty if there was none. */
  earlySdp: string;
  lastRSeq: number;
  acknowledge: (() => void) | undefined;
  /** It answered too late and was hung up. */
  refused: boolean;
}

export class InviteLeg {
  readonly trunk: Trunk;
  private readonly context: AgentContext;
  private readonly number: string;
  private readonly describe: LegCall['describe'];
  private readonly hasAlternative: LegCall['hasAlternative'];
  private readonly events: LegEvents;
  private readonly callId: string;
  private readonly tag: string;
  private readonly branches = new Map<string, Branch>();
  private sequence = 0;
  private running: RunningRequest | undefined;
  private flow: Flow | undefined;
  private sdp = '';
  /** `failed` or `answered` was called. */
  private done = false;
  private canceled = false;
  private cancelSent = false;
  private responded = false;
  private progressed = false;
  private stalled = false;
  private winner: Branch | undefined;
  private sessionSeconds: number = sessionSeconds;
  private minSeconds: number = minSessionSeconds;
  private stopWaiting = () => {};

  constructor(context: AgentContext, trunk: Trunk, call: LegCall, events: LegEvents) {
    const { number, describe, id, hasAlternative } = call;
    this.context = context;
    this.trunk = trunk;
    this.number = number;
    this.describe = describe;
    this.hasAlternative = hasAlternative;
    this.events = events;
    const random = context.random(16).toString('hex');
    this.callId = id === '' ? random : `${id}.${random}`;
    this.tag = newTag(context);
  }

  async start(): Promise<void> {
    try {
      this.flow = await this.trunk.flow();
    } catch (error) {
      return this.fail(undefined, detailOfError(error));
    }
    if (this.canceled) return this.fail(undefined, translatable('pigeon.detail.canceled'));
    this.sdp = this.describe(this.flow.contact.address);
    this.invite();
  }

  /** Hangs up before the answer. */
  cancel(): void {
    if (this.canceled || this.done) return;
    this.canceled = true;
    if (this.running) this.running.canceled = true;
    this.stopWaiting();
    if (this.responded) this.sendCancel();
    // Without a response CANCEL must wait for one (RFC 3261, section 9.1).
    else this.running?.current.stopSending();
    this.stopWaiting = this.context.clock.after(this.responded ? cancelMs : 0, () =>
      this.fail(undefined, translatable('pigeon.detail.canceled')),
    );
  }

  private invite(): void {
    const flow = this.flow!;
    this.running = sendAuthenticated(this.context, {
      flow,
      credentials: this.trunk.credentials,
      build: (credentials) => this.inviteRequest(flow, credentials),
      events: {
        response: (response) => this.take(response),
        failed: (error) => this.fail(undefined, detailOfError(error)),
      },
    });
  }

  /** Each INVITE, also one with credentials, must get a response soon. */
  private expectResponse(): void {
    this.responded = false;
    this.stopWaiting();
    this.stopWaiting = this.context.clock.after(firstResponseMs, () => {
      if (this.running) this.running.canceled = true;
      this.running?.current.stopSending();
      this.canceled = true;
      this.fail(undefined, translatable('pigeon.detail.no-response'));
    });
  }

  /** Ends the wait for a response. */
  private expectProgress(): void {
    this.stopWaiting();
    this.stopWaiting = this.context.clock.after(progressMs, () => {
      if (!this.hasAlternative()) return;
      this.stalled = true;
      this.canceled = true;
      if (this.running) this.running.canceled = true;
      this.sendCancel();
      this.fail(undefined, translatable('pigeon.detail.no-progress', { seconds: progressMs / 1000 }));
    });
  }

  private inviteRequest(flow: Flow, credentials: readonly Header[]): SipRequest {
    const { domain, callerId } = this.trunk.options;
    const uri = numberUri(this.number, domain);
    const transport = flow.transport === 'udp' ? '' : `;transport=${flow.transport}`;
    const proxied = this.trunk.options.outboundProxy !== undefined;
    const route = `<sip:${uriHost(flow.remote.address)}:${flow.remote.port};lr${transport}>`;
    this.sequence += 1;
    this.expectResponse();
    return {
      method: 'INVITE',
      uri,
      headers: [
        { name: 'Via', value: newVia(this.context, flow) },
        { name: 'Max-Forwards', value: '70' },
        ...(proxied ? [{ name: 'Route', value: route }] : []),
        { name: 'From', value: `<${numberUri(callerId, domain)}>;tag=${this.tag}` },
        { name: 'To', value: `<${uri}>` },
        { name: 'Call-ID', value: this.callId },
        { name: 'CSeq', value: `${this.sequence} INVITE` },
        ...capabilityHeaders(flow, this.trunk.user),
        ...sessionHeaders(this.sessionSeconds, this.minSeconds, undefined),
        sdpType,
        ...credentials,
      ],
      body: Buffer.from(this.sdp),
    };
  }

  private take(response: SipResponse): void {
    const { status } = response;
    if (!this.responded) {
      this.responded = true;
      if (!this.done && !this.canceled) this.expectProgress();
    }
    if (status < 200) {
      this.takeProvisional(response);
      return;
    }
    if (status < 300) {
      this.takeAnswer(response);
      return;
    }
    if (status === 422 && !this.canceled && !this.done) {
      const minimum = parseSeconds(headerOf(response, 'Min-SE'));
      if (minimum !== undefined && minimum > this.sessionSeconds && minimum <= 86_400) {
        this.sessionSeconds = minimum;
        this.minSeconds = minimum;
        this.invite();
        return;
      }
    }
    this.fail(response);
  }

  private takeProvisional(response: SipResponse): void {
    if (this.canceled) {
      this.sendCancel();
      return;
    }
    if (response.status === 100 || this.done) return;
    const branch = this.branchOf(response);
    const sdp = sdpOf(response);
    if (branch && lists(response, 'Require', '100rel')) {
      const number = parseSeconds(headerOf(response, 'RSeq'));
      // A repetition, or one that comes too early (RFC 3262, section 4).
      if (number === undefined || (branch.lastRSeq !== 0 && number !== branch.lastRSeq + 1)) return;
      branch.lastRSeq = number;
      void branch.session.requests.acknowledgeProvisional(response);
    }
    if (branch && sdp !== '') branch.earlySdp = sdp;
    this.progressed = true;
    this.stopWaiting();
    this.events.progress(response.status, sdp === '' ? null : sdp);
  }

  private takeAnswer(response: SipResponse): void {
    const branch = this.branchOf(response);
    if (!branch) {
      // Without tag or Contact nothing can be sent in the dialog.
      if (!this.winner) this.fail(undefined, translatable('pigeon.detail.invalid-answer'));
      return;
    }
    branch.acknowledge ??= branch.session.requests.acknowledge(this.running!.current.request, this.flow!);
    branch.acknowledge();
    if (branch === this.winner || branch.refused) return;
    if (this.winner || this.canceled || this.done) {
      // Another phone was answered as well, or this one after CANCEL.
      branch.refused = true;
      branch.session.discard();
      branch.session.sendBye();
      if (!this.winner) this.fail(undefined, translatable('pigeon.detail.canceled'));
      return;
    }
    this.stopWaiting();
    this.done = true;
    this.winner = branch;
    for (const other of this.branches.values()) if (other !== branch) other.session.discard();
    branch.session.peerUpdates = headersOf(response, 'Allow').some((value) => /\bUPDATE\b/i.test(value));
    branch.session.confirm(sessionIntervalOf(response));
    this.events.answered(branch.session, sdpOf(response) || branch.earlySdp);
  }

  /** The dialog of a response. */
  private branchOf(response: SipResponse): Branch | undefined {
    const tag = tagOf(response, 'To');
    const existing = this.branches.get(tag);
    const request = this.running!.current.request;
    if (existing) {
      if (!existing.session.confirmed) {
        // The final response decides on the route (RFC 3261, section 13.2.2.4).
        const dialog = callerDialog(request, response);
        if (dialog) {
          existing.session.dialog.target = dialog.target;
          existing.session.dialog.routes = dialog.routes;
        }
      }
      return existing;
    }
    if (this.branches.size >= maxBranches) return undefined;
    const dialog = callerDialog(request, response);
    if (!dialog || sequenceOf(response).number !== sequenceOf(request).number) return undefined;
    const session = new Session({
      ...{ context: this.context, trunk: this.trunk, dialog, flow: this.flow! },
      caller: true,
      localSdp: this.sdp,
      events: this.events,
    });
    const branch: Branch = { session, earlySdp: '', lastRSeq: 0, acknowledge: undefined, refused: false };
    this.branches.set(tag, branch);
    return branch;
  }

  private sendCancel(): void {
    if (this.cancelSent) return;
    this.cancelSent = true;
    const invite = this.running!.current.request;
    const copied = ['Via', 'Max-Forwards', 'Route', 'From', 'To', 'Call-ID'];
    const cancel: SipRequest = {
      method: 'CANCEL',
      uri: invite.uri,
      headers: [
        ...invite.headers.filter(({ name }) => copied.includes(name)),
        { name: 'CSeq', value: `${sequenceOf(invite).number} CANCEL` },
      ],
      body: Buffer.alloc(0),
    };
    const transaction = this.running!.current;
    const { transactions, finalRequests } = this.context;
    const answered = new Promise<void>((resolve) => {
      const events = { response: () => resolve(), failed: () => resolve() };
      transactions.send(cancel, this.flow!, events);
    });
    finalRequests.add(answered);
    void answered.then(() => finalRequests.delete(answered));
    // A peer that never answers the INVITE is forgotten.
    transaction.endWithin(timers.timeout);
  }

  private fail(response: SipResponse | undefined, reason: Detail = ''): void {
    if (this.done) return;
    this.done = true;
    this.stopWaiting();
    for (const { session } of this.branches.values()) session.discard();
    this.events.failed({
      status: response?.status,
      detail: response ? statusText(response) : reason,
      progressed: this.progressed,
      stalled: this.stalled,
      retryAfterSeconds: response ? parseSeconds(headerOf(response, 'Retry-After')) : undefined,
      flow: this.flow,
    });
  }
}
