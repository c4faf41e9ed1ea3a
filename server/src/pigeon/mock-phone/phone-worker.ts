// Worker thread of the mock phone: a SIP user agent that is called from this machine, and its audio.
import { randomUUID } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { maxOpenMockCalls } from '@yagura/core/pigeon/mock-phone';
import { systemClock } from '../../common/clock.ts';
import { createMediaSession } from '../media/create-media-session.ts';
import { createUserAgent } from '../sip/create-user-agent.ts';
import type { IncomingCall } from '../sip/user-agent.ts';
import { PhoneCall } from './phone-call.ts';
import type { PhoneAddress, PhoneMessage, PhoneRequest } from './phone-messages.ts';

const { address, port } = workerData as PhoneAddress;
const parent = parentPort!;
const post = (message: PhoneMessage) => parent.postMessage(message);
const clock = systemClock;
const calls = new Map<string, PhoneCall>();

const userAgent = createUserAgent({
  // Callers are known by their address only. The phone itself answers the OPTIONS sent to this trunk.
  trunks: [
    {
      name: 'loopback',
      ...{ transport: 'udp', host: address, port, domain: address },
      ...{ user: '', password: '', callerId: 'mock-phone', registers: false, referAllowed: false },
      ...{ expiresSeconds: 600, allowedAddresses: ['127.0.0.1', '::1'] },
    },
  ],
  local: { address, port },
  clock,
  // That the trunk is reachable means nothing here.
  log: (line) => line.level !== 'info' && post({ kind: 'log', line }),
  onIncoming: take,
});

function take(incoming: IncomingCall): void {
  const mockCallId = randomUUID();
  const call = new PhoneCall({ clock, createMediaSession, address }, incoming, {
    status: (status) => post({ kind: 'status', mockCallId, status, at: clock.now() }),
    key: (key) => post({ kind: 'key', mockCallId, key }),
  });
  const open = [...calls.values()].filter(({ isOver }) => !isOver).length;
  if (open >= maxOpenMockCalls) {
    call.refuse(486);
    return;
  }
  calls.set(mockCallId, call);
  const { callId: signalingId, from, to } = incoming;
  post({ kind: 'incoming', mockCallId, signalingId, from, to });
}

async function close(): Promise<void> {
  await userAgent.close();
  parent.close();
}

await userAgent.start();
post({ kind: 'started' });
parent.on('message', (request: PhoneRequest) => {
  switch (request.kind) {
    case 'accept':
      calls.get(request.mockCallId)?.accept(request.steps);
      break;
    case 'refuse':
      calls.get(request.mockCallId)?.refuse(404);
      calls.delete(request.mockCallId);
      break;
    case 'act': {
      const { number, mockCallId, command } = request;
      const acting = calls.get(mockCallId)?.act(command) ?? Promise.resolve(false);
      void acting.then((done) => post({ kind: 'acted', number, done }));
      break;
    }
    case 'heard': {
      const audio = calls.get(request.mockCallId)?.heard() ?? null;
      post({ kind: 'heard', number: request.number, audio });
      break;
    }
    case 'forget':
      calls.delete(request.mockCallId);
      break;
    case 'close':
      void close();
  }
});
