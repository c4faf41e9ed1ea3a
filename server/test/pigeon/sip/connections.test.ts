// Connections to a trunk that stay open although the other side is gone, on the loopback interface.
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { ManualClock } from '../../../src/common/clock.ts';
import {
  headerOf,
  isRequest,
  printMessage,
  type SipRequest,
  type SipResponse,
} from '../../../src/pigeon/sip/message.ts';
import { systemNetwork } from '../../../src/pigeon/sip/network.ts';
import { responseTo } from '../../../src/pigeon/sip/server-transaction.ts';
import { StreamFramer } from '../../../src/pigeon/sip/stream-framer.ts';
import { agent, answer, CallRecorder, offer, type TestAgent, trunkOptions } from './support.ts';

/** For a busy machine. */
const within = { timeout: 10_000 };

/** A trunk over TCP that answers requests and keep-alives only as long as the test wants. */
class StreamPeer {
  readonly requests: SipRequest[] = [];
  readonly responses: SipResponse[] = [];
  pings = 0;
  answers = true;
  answersPings = false;
  private socket: Socket | undefined;
  private readonly server: Server;

  constructor() {
    this.server = createServer((socket) => {
      this.socket = socket;
      const framer = new StreamFramer({
        onMessage: (message) => {
          if (!isRequest(message)) this.responses.push(message);
          else {
            this.requests.push(message);
            if (this.answers && message.method !== 'ACK') this.accept(message);
          }
        },
        onMalformed: (error) => expect.unreachable(error.message),
        onPing: () => {
          this.pings += 1;
          if (this.answersPings) socket.write('\r\n');
        },
      });
      socket.on('error', () => undefined);
      socket.on('data', (bytes) => framer.push(bytes));
    });
  }

  async listen(address: string, port = 0): Promise<number> {
    await new Promise<void>((resolve) => this.server.listen(port, address, resolve));
    return (this.server.address() as AddressInfo).port;
  }

  get isConnected(): boolean {
    return this.socket !== undefined && !this.socket.destroyed;
  }

  got(method: string): SipRequest[] {
    return this.requests.filter((request) => request.method === method);
  }

  /** Sends a request in the dialog of a call, or outside one. */
  request(method: string, invite?: SipRequest): void {
    const { address, port } = this.server.address() as AddressInfo;
    const request = {
      method,
      uri: `sip:agent@${address}`,
      headers: [
        { name: 'Via', value: `SIP/2.0/TCP ${address}:${port};branch=z9hG4bK${method}` },
        { name: 'From', value: invite ? `${headerOf(invite, 'To')};tag=peer` : '<sip:peer@a>;tag=peer' },
        { name: 'To', value: invite ? headerOf(invite, 'From')! : '<sip:agent@a>' },
        { name: 'Call-ID', value: invite ? headerOf(invite, 'Call-ID')! : method },
        { name: 'CSeq', value: `1 ${method}` },
      ],
      body: Buffer.alloc(0),
    };
    this.socket!.write(printMessage(request));
  }

  close(): void {
    this.socket?.destroy();
    this.server.close();
  }

  private accept(request: SipRequest): void {
    const invited = request.method === 'INVITE';
    const headers = invited
      ? [
          { name: 'Contact', value: '<sip:peer@127.0.0.1>' },
          { name: 'Content-Type', value: 'application/sdp' },
        ]
      : [];
    const body = invited ? answer : '';
    this.socket!.write(printMessage(responseTo(request, 200, { tag: 'peer', headers, body })));
  }
}

let peers: StreamPeer[] = [];
let caller: TestAgent;
afterEach(async () => {
  for (const peer of peers) peer.close();
  await caller.close();
});

/** A caller that is connected to the first of two addresses of its trunk. */
async function connected() {
  const [first, second] = [new StreamPeer(), new StreamPeer()];
  peers = [first, second];
  const port = await first.listen('127.0.0.1');
  await second.listen('127.0.0.2', port);
  const clock = new ManualClock();
  caller = agent(
    { clock, trunks: [trunkOptions({ transport: 'tcp', host: 'carrier.test', port })] },
    { ...systemNetwork, lookupAddresses: async () => ['127.0.0.1', '127.0.0.2'] },
  );
  await caller.start();
  await expect.poll(() => caller.trunks()[0]?.state, within).toBe('reachable');
  return { first, second, clock };
}

function call() {
  const events = new CallRecorder();
  caller.call('1', offer, events);
  return events;
}

test('a call without a response leaves the connection to the next address, and it is closed', async () => {
  const { first, second, clock } = await connected();
  first.answers = false;
  const lost = call();
  await expect.poll(() => first.got('INVITE').length, within).toBe(1);
  clock.advance(2000);
  await lost.until('failed trunkAway no response');
  await call().until('answered');
  expect(second.got('INVITE')).toHaveLength(1);
  // A late response is still awaited.
  expect(first.isConnected).toBe(true);
  clock.advance(32_000);
  await call().until('answered');
  await expect.poll(() => first.isConnected, within).toBe(false);
  expect(second.got('INVITE')).toHaveLength(2);
});

test('a call goes on over its connection when a later ping there gets no response', async () => {
  const { first, second, clock } = await connected();
  const events = call();
  await events.until('answered');
  first.answers = false;
  clock.advance(30_000);
  await expect.poll(() => first.got('OPTIONS').length, within).toBe(2);
  clock.advance(4000);
  await expect.poll(() => caller.trunks()[0]?.detail, within).toEqual({ word: 'pigeon.detail.no-response' });
  clock.advance(2000);
  await expect.poll(() => caller.trunks()[0]?.state, within).toBe('reachable');
  expect(second.got('OPTIONS')).toHaveLength(1);
  first.request('BYE', first.got('INVITE')[0]);
  await events.until('ended peer BYE');
});

test('a connection that no longer answers keep-alives is closed; one that never did is not', async () => {
  const { first, clock } = await connected();
  /** Resolves when the caller has processed everything that was sent before. */
  const processed = async () => {
    const count = first.responses.length;
    first.request('OPTIONS');
    await expect.poll(() => first.responses.length, within).toBe(count + 1);
  };
  const pass = async (seconds: number, counts: { pings: number; checks: number }) => {
    clock.advance(seconds * 1000);
    await expect
      .poll(() => ({ pings: first.pings, checks: first.got('OPTIONS').length }), within)
      .toEqual(counts);
    await processed();
  };
  await pass(25, { pings: 1, checks: 1 });
  await pass(10, { pings: 1, checks: 2 });
  first.answersPings = true;
  await pass(15, { pings: 2, checks: 2 });
  await pass(15, { pings: 2, checks: 3 });
  first.answersPings = false;
  clock.advance(10_000);
  await expect.poll(() => first.pings, within).toBe(3);
  clock.advance(10_000);
  await expect
    .poll(() => caller.trunks()[0]?.detail, within)
    .toEqual({ word: 'pigeon.detail.connection-closed' });
});
