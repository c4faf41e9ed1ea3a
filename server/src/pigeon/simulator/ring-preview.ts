// Runs the state machine of a chain against simulated callees, without a line and without waiting.
import { isFinalStatus } from '@yagura/core/pigeon/call-constants';
import { maxPreviewCalls, type PreviewCall, type RingPreview } from '@yagura/core/pigeon/ring-preview';
import { parseSimulatedCallee } from '@yagura/core/pigeon/simulated-callee';
import { toCallOrder } from '../call-order.ts';
import {
  type CallReport,
  type ChainCall,
  type ChainInput,
  type ChainPlan,
  dueAt,
  initialChainState,
  type PlannedStop,
  stepChain,
} from '../chain-state.ts';
import { scriptCall } from './simulated-line.ts';

export interface RingAssumptions {
  /** What a callee does, as parsed by `parseSimulatedCallee`; the destination of a transfer always answers. */
  assume: string;
  phones: readonly { position: number; assume: string }[];
}

export function previewRings(
  plan: ChainPlan,
  { assume, phones }: RingAssumptions,
): Omit<RingPreview, 'rejection'> {
  const assumed = new Map(phones.map(({ position, assume: own }) => [position, own]));
  const positions = new Map(plan.stops.map((stop, index) => [stop, index + 1]));
  const calls = new Map<string, ChainCall>();
  let state = initialChainState();
  let now = 0;
  let lastId = 0;
  let pending: { at: number; report: CallReport }[] = [];
  const apply = (input: ChainInput) => {
    const step = stepChain(plan, state, input, now, () => String(++lastId));
    state = step.state;
    for (const call of step.calls) calls.set(call.callId, call);
    if (step.hangUp.length > 0) pending = [];
    if (!step.dial) return;
    const order = toCallOrder({ spaceId: '', resultId: '', plan }, step.dial);
    const callee = parseSimulatedCallee(assumed.get(positionOf(step.dial.stop, positions)) ?? assume)!;
    const dialedAt = now;
    pending = scriptCall({ order, callee, destination: { kind: 'noInput' }, dialedAt }).map(
      ({ at, report }) => ({ at: dialedAt + at * 1000, report }),
    );
  };
  apply({ kind: 'start' });
  while (!isFinalStatus(state.status) && state.call && calls.size <= maxPreviewCalls) {
    const due = dueAt(state)!;
    const [next] = pending;
    if (next && next.at <= due) {
      pending = pending.slice(1);
      now = next.at;
      apply({ kind: 'report', callId: state.call.callId, report: next.report });
    } else {
      now = due;
      apply({ kind: 'tick' });
    }
  }
  const shown = [...calls.values()].filter(({ endedAt }) => endedAt !== null).slice(0, maxPreviewCalls);
  return {
    calls: shown.map((call) => previewCall(call, positionOf(call.stop, positions))),
    status: state.status,
    reason: state.reason,
    endsAt: now / 1000,
    isCut: calls.size > shown.length,
  };
}

function positionOf(stop: PlannedStop, positions: ReadonlyMap<PlannedStop, number>): number {
  return positions.get(stop)!;
}

function previewCall(call: ChainCall, position: number): PreviewCall {
  const seconds = (at: number | null) => (at === null ? null : at / 1000);
  const ringing = call.script?.find(({ kind }) => kind === 'ringing');
  return {
    startsAt: call.startedAt / 1000,
    ringsAt: ringing ? Date.parse(ringing.at) / 1000 : null,
    answeredAt: seconds(call.answeredAt),
    endsAt: call.endedAt! / 1000,
    loop: call.loop,
    position,
    contact: { contactId: call.stop.contactId, displayName: call.stop.displayName },
    phoneNumber: call.stop.phoneNumber ?? '',
    transfer: call.transfer,
    keyInput: call.keyInput,
    behavior: call.behavior,
    readings: call.readings,
    status: call.status,
    reason: call.reason,
  };
}
