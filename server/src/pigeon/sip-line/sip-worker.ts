// Worker thread of the sip line: owns signaling and audio, so that the intake of messages cannot delay a packet.
import { parentPort, workerData } from 'node:worker_threads';
import type { VoiceLanguage } from '@yagura/core/speech/spoken-text';
import { systemClock } from '../../common/clock.ts';
import { createMediaSession } from '../media/create-media-session.ts';
import { createUserAgent } from '../sip/create-user-agent.ts';
import { raiseThreadPriority } from '../thread/raise-priority.ts';
import type { FlowPrompts } from './call-flow.ts';
import { SipCall } from './sip-call.ts';
import type { SipSettings, TrunkSettings } from './sip-settings.ts';
import { TrunkLimits } from './trunk-limits.ts';
import { toUserAgentOptions } from './user-agent-options.ts';
import type { WorkerCall, WorkerMessage, WorkerRequest } from './worker-messages.ts';

const settings = workerData as SipSettings;
const port = parentPort!;
const post = (message: WorkerMessage) => port.postMessage(message);
const refusal = raiseThreadPriority();
if (refusal !== null)
  post({
    kind: 'log',
    line: { level: 'info', message: 'the thread of the sip line keeps its normal priority', error: refusal },
  });
const clock = systemClock;
const trunks = new Map<string, TrunkSettings>(settings.trunks.map((trunk) => [trunk.name, trunk]));
const userAgent = createUserAgent({
  ...toUserAgentOptions(settings),
  clock,
  log: (line) => post({ kind: 'log', line }),
});
const limits = new TrunkLimits(
  clock,
  settings.trunks.map(({ name, limits: { callsPerSecond, callsAtOnce } }) => ({
    name,
    callsPerSecond,
    callsAtOnce,
  })),
);
const calls = new Map<string, SipCall>();
const keys = new Map<VoiceLanguage, FlowPrompts['keys']>();
const callDeps = {
  ...{ userAgent, limits, clock, createMediaSession },
  bindAddress: settings.local.address,
  rtpPorts: settings.rtpPorts,
  securityOf: (trunk: string) => trunks.get(trunk)?.srtp ?? 'never',
  takesRefer: (trunk: string) => trunks.get(trunk)?.refer ?? false,
};

function dial(order: WorkerCall): void {
  const { callId } = order;
  const call = new SipCall(callDeps, order, keys.get(order.language) ?? {}, {
    report: (report) => post({ kind: 'report', callId, report }),
    finished: (attempted, transferAttempted) => {
      calls.delete(callId);
      post({ kind: 'finished', callId, attempted, transferAttempted });
    },
  });
  calls.set(callId, call);
  call.start();
}

async function close(): Promise<void> {
  limits.close();
  await userAgent.close();
  post({ kind: 'closed' });
  port.close();
}

await userAgent.start();
port.on('message', (request: WorkerRequest) => {
  switch (request.kind) {
    case 'dial':
      dial(request.call);
      break;
    case 'keys':
      keys.set(request.language, request.keys);
      break;
    case 'hangUp':
      calls.get(request.callId)?.hangUp();
      break;
    case 'trunks':
      post({ kind: 'trunks', number: request.number, trunks: userAgent.trunks() });
      break;
    case 'close':
      void close();
  }
});
