// A network in memory, and a SIP peer on it that does what the test says.

import { createHash } from 'node:crypto';
import type { Header, SipRequest, SipResponse } from '../../../src/pigeon/sip/message.ts';
import { headerOf, isRequest, parseMessage, printMessage } from '../../../src/pigeon/sip/message.ts';
import type { Endpoint, Network } from '../../../src/pigeon/sip/network.ts';
import { responseTo } from '../../../src/pigeon/sip/server-transaction.ts';
import { answer } from './support.ts';

const keyOf = ({ address, port }: Endpoint) => `${address}:${port}`;

export class MemoryNetwork implements Network {
  readonly names = new Map<string, string[]>();
  /** Local addresses towards others than most. */
  readonly routes = new Map<string, string>();
  readonly services = new Map<string, { name: string; port: number; priority: number; weight: number }[]>();
  private readonly sockets = new Map<string, (bytes: Buffer, from: Endpoint) => void>();

  async openDatagram(local: Endpoint, onPacket: (bytes: Buffer, from: Endpoint) => void) {
    this.sockets.set(keyOf(local), onPacket);
    return {
      port: local.port,
      send: (bytes: Buffer, to: Endpoint) => this.deliver(bytes, local, to),
      close: () => this.sockets.delete(keyOf(local)),
    };
  }

  deliver(bytes: Buffer, from: Endpoint, to: Endpoint): void {
    queueMicrotask(() => this.sockets.get(keyOf(to))?.(bytes, from));
  }

  async connectStream(): Promise<never> {
    throw new Error('no streams here');
  }
  async listenStream(): Promise<never> {
    throw new Error('no streams here');
  }
  async localAddress({ address }: Endpoint): Promise<string> {
    return this.routes.get(address) ?? '10.0.0.1';
  }
  async lookupAddresses(name: string): Promise<string[]> {
    const found = this.names.get(name);
    if (!found) throw new Error(`unknown name ${name}`);
    return found;
  }
  async lookupService(name: string) {
    return this.services.get(name) ?? [];
  }
}

/** Random bytes that are different each time and the same in each run. */
export function countedBytes(): (size: number) => Buffer {
  let count = 0;
  return (size) => {
    count += 1;
    return createHash('sha256').update(String(count)).digest().subarray(0, size);
  };
}

/** Lets everything run that waits for no timer. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}

export class ScriptedPeer {
  /** Everything received, oldest first. */
  readonly requests: SipRequest[] = [];
  readonly responses: SipResponse[] = [];
  /** Answers requests when they arrive, if set. */
  onRequest: ((request: SipRequest) => void) | undefined;
  readonly at: Endpoint;
  private readonly network: MemoryNetwork;
  private readonly agentAt: Endpoint;
  private branch = 0;

  constructor(network: MemoryNetwork, at: Endpoint, agentAt: Endpoint) {
    this.network = network;
    this.at = at;
    this.agentAt = agentAt;
    void network.openDatagram(at, (bytes) => {
      if (bytes.length <= 4) return;
      const message = parseMessage(bytes);
      if (!isRequest(message)) this.responses.push(message);
      else {
        this.requests.push(message);
        this.onRequest?.(message);
      }
    });
  }

  /** The requests of a method. */
  got(method: string): SipRequest[] {
    return this.requests.filter((request) => request.method === method);
  }

  /** "INVITE ACK BYE"; pings are left out. */
  get methods(): string {
    const calls = this.requests.filter(({ method }) => method !== 'OPTIONS');
    return calls.map(({ method }) => method).join(' ');
  }

  reply(
    request: SipRequest,
    status: number,
    { tag = 'peer', headers = [], body = '' }: { tag?: string; headers?: Header[]; body?: string } = {},
  ): void {
    const all = [
      ...(status > 100 && request.method === 'INVITE' ? [this.contact] : []),
      ...(body === '' ? [] : [{ name: 'Content-Type', value: 'application/sdp' }]),
      ...headers,
    ];
    this.sendBytes(printMessage(responseTo(request, status, { tag, headers: all, body })));
  }

  /** Answers an INVITE with a description. */
  accept(request: SipRequest, options: { tag?: string; headers?: Header[] } = {}): void {
    this.reply(request, 200, { body: answer, ...options });
  }

  /** A request of ours in the dialog of an INVITE that we received. */
  inDialog(
    invite: SipRequest,
    method: string,
    sequence: number,
    headers: Header[] = [],
    body = '',
  ): SipRequest {
    return {
      method,
      uri: /<(.*)>/.exec(headerOf(invite, 'Contact')!)![1]!,
      headers: [
        this.via(),
        { name: 'From', value: `${headerOf(invite, 'To')};tag=peer` },
        { name: 'To', value: headerOf(invite, 'From')! },
        { name: 'Call-ID', value: headerOf(invite, 'Call-ID')! },
        { name: 'CSeq', value: `${sequence} ${method}` },
        this.contact,
        ...headers,
      ],
      body: Buffer.from(body),
    };
  }

  /** An INVITE that calls the user agent. */
  invitation(callId: string, headers: Header[] = []): SipRequest {
    return {
      method: 'INVITE',
      uri: `sip:agent@${this.agentAt.address}`,
      headers: [
        this.via(),
        { name: 'From', value: '"A <caller>" <sip:0900@carrier.test>;tag=caller' },
        { name: 'To', value: '<sip:agent@carrier.test>' },
        { name: 'Call-ID', value: callId },
        { name: 'CSeq', value: '1 INVITE' },
        this.contact,
        { name: 'Content-Type', value: 'application/sdp' },
        ...headers,
      ],
      body: Buffer.from('v=0\r\ns=offer\r\n'),
    };
  }

  /** The request for the same transaction (CANCEL), or in the dialog that a response made (ACK, BYE, PRACK). */
  following(
    invite: SipRequest,
    method: string,
    response?: SipResponse,
    sequence = 1,
    headers: Header[] = [],
  ): SipRequest {
    return {
      method,
      uri: invite.uri,
      headers: [
        method === 'CANCEL' ? { name: 'Via', value: headerOf(invite, 'Via')! } : this.via(),
        { name: 'From', value: headerOf(invite, 'From')! },
        { name: 'To', value: headerOf(response ?? invite, 'To')! },
        { name: 'Call-ID', value: headerOf(invite, 'Call-ID')! },
        { name: 'CSeq', value: `${sequence} ${method}` },
        ...headers,
      ],
      body: Buffer.alloc(0),
    };
  }

  send(message: SipRequest): void {
    this.sendBytes(printMessage(message));
  }

  sendBytes(bytes: Buffer): void {
    this.network.deliver(bytes, this.at, this.agentAt);
  }

  private get contact(): Header {
    return { name: 'Contact', value: `<sip:peer@${this.at.address}:${this.at.port}>` };
  }

  private via(): Header {
    this.branch += 1;
    const { address, port } = this.at;
    return { name: 'Via', value: `SIP/2.0/UDP ${address}:${port};branch=z9hG4bKpeer${this.branch};rport` };
  }
}
