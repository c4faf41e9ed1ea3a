// Times of chains: from a step to the INVITE at the trunk, from the answer to the first spoken packet, and of a simulated
// run against its preview.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { callApi, startServer } from '../testbed.mjs';

const contacts = 100;
const loops = 3;
const api = '/api/apps/pigeon';
/** The number that answers; all others are busy. */
const answering = '0800000001';
/** µ-law bytes of silence and of the noise of one bit. */
const quietBytes = new Set([0xff, 0x7f, 0xfe, 0x7e]);

/** Milliseconds from each step that dials to its INVITE, sorted, and from an answer to the first spoken packet. */
export async function measureLine() {
  const folder = await mkdtemp(join(tmpdir(), 'yagura-bench-line-'));
  const trunk = await startTrunk();
  try {
    const file = join(folder, 'trunks.json');
    const limits = { callsPerSecond: 100, callsPerDay: 1_000_000 };
    const trunks = [{ name: 'bench', host: '127.0.0.1', port: trunk.port, callerId: 'bench', limits }];
    await writeFile(file, JSON.stringify({ local: { address: '127.0.0.1', port: 0 }, trunks }));
    await chmod(file, 0o600);
    const server = await startServer({ env: { YAGURA_PIGEON_LINE: 'sip', YAGURA_PIGEON_SIP_TRUNKS: file } });
    try {
      const numbers = Array.from({ length: contacts }, (_value, at) => `09${String(at).padStart(8, '0')}`);
      const result = await endOf(server, await invoke(server, numbers, loops, 'Server web one is down.'));
      const late = result.calls.map(({ startedAt }, at) => trunk.invites[at] - Date.parse(startedAt));
      if (late.length !== contacts * loops || late.some(Number.isNaN))
        throw new Error(`${late.length} calls, ${trunk.invites.length} reached the trunk`);
      const resultId = await invoke(server, [answering], 1, 'Server web one is down. '.repeat(125));
      await until(() => trunk.spokenAt !== undefined, 'the first spoken packet');
      await callApi(server, 'POST', `${api}/chain/abort`, { resultId });
      await endOf(server, resultId);
      return { late: late.sort((one, other) => one - other), spoken: trunk.spokenAt - trunk.answeredAt };
    } finally {
      await server.stop();
    }
  } finally {
    trunk.close();
    await rm(folder, { recursive: true });
  }
}

/** Largest difference in seconds between the times of a preview and those of the simulated run. */
export async function measurePreview() {
  const server = await startServer({ env: { YAGURA_PIGEON_LINE: 'simulator' } });
  try {
    const callees = {
      '0300000020': 'busy',
      '0300000030': 'unreachable',
      '0300000040': 'hangsUp',
      '0300000005': 'key:5',
    };
    const params = paramsOf(Object.keys(callees), 1, 'Server web one is down.');
    const phones = Object.values(callees).map((assume, at) => ({ position: at + 1, assume }));
    const preview = await callApi(server, 'POST', `${api}/chain/preview`, { params, phones });
    const { resultId } = await callApi(server, 'POST', `${api}/chain/invoke`, { params });
    const { calls, startedAt } = await endOf(server, resultId);
    if (calls.length !== preview.calls.length) throw new Error('the run has other calls than its preview');
    return Math.max(
      ...calls.flatMap((call, at) => {
        const { startsAt, endsAt } = preview.calls[at];
        const seconds = (time) => (Date.parse(time) - Date.parse(startedAt)) / 1000;
        return [Math.abs(seconds(call.startedAt) - startsAt), Math.abs(seconds(call.endedAt) - endsAt)];
      }),
    );
  } finally {
    await server.stop();
  }
}

function paramsOf(numbers, loopLimit, messageTemplate) {
  return {
    callflow: { loopLimit, contacts: numbers.map((phoneNumber) => ({ phones: [{ phoneNumber }] })) },
    guidance: { messageTemplate, reactions: { 5: { behavior: 'terminate' } } },
  };
}

async function invoke(server, ...chain) {
  const reply = await callApi(server, 'POST', `${api}/chain/invoke`, { params: paramsOf(...chain) });
  if (!reply.resultId) throw new Error(`the chain was rejected: ${reply.errorDescriptor.detail}`);
  return reply.resultId;
}

async function endOf(server, resultId) {
  let result;
  await until(async () => {
    result = await callApi(server, 'GET', `${api}/results/${resultId}`);
    return ['succeeded', 'failed', 'aborted'].includes(result.status);
  }, 'the end of a chain');
  return result;
}

async function until(check, what) {
  for (const end = performance.now() + 120_000; !(await check()); await sleep(50))
    if (performance.now() > end) throw new Error(`timed out: ${what}`);
}

async function bind() {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket;
}

/** A trunk without an account. */
async function startTrunk() {
  const [sip, audio] = [await bind(), await bind()];
  const now = () => performance.timeOrigin + performance.now();
  const seen = new Set();
  const trunk = {
    port: sip.address().port,
    /** When each call arrived, in order. */
    invites: [],
    answeredAt: undefined,
    spokenAt: undefined,
    close() {
      sip.close();
      audio.close();
    },
  };
  audio.on('message', (packet) => {
    if (packet.subarray(12).some((byte) => !quietBytes.has(byte))) trunk.spokenAt ??= now();
  });
  sip.on('message', (bytes, { address, port }) => {
    const at = now();
    const text = bytes.toString('latin1');
    if (text.startsWith('ACK ') || text.startsWith('SIP/2.0')) return;
    const isCall = text.startsWith('INVITE ');
    const callId = /^Call-ID: *(\S+)/im.exec(text)[1];
    if (isCall && !seen.has(callId)) {
      seen.add(callId);
      trunk.invites.push(at);
    }
    const isAnswered = isCall && text.startsWith(`INVITE sip:${answering}@`);
    if (isAnswered) trunk.answeredAt ??= at;
    const status = !isCall || isAnswered ? '200 OK' : '486 Busy Here';
    const sdp = isAnswered ? description(audio.address().port) : '';
    const reply = [
      `SIP/2.0 ${status}`,
      ...text
        .split('\r\n')
        .filter((line) => /^(Via|From|To|Call-ID|CSeq):/i.test(line))
        .map((line) => (/^To:/i.test(line) && !line.includes('tag=') ? `${line};tag=bench` : line)),
      `Contact: <sip:bench@127.0.0.1:${trunk.port}>`,
      ...(sdp ? ['Content-Type: application/sdp'] : []),
      `Content-Length: ${sdp.length}`,
      '',
      sdp,
    ];
    sip.send(reply.join('\r\n'), port, address);
  });
  return trunk;
}

function description(port) {
  return [
    'v=0',
    'o=- 1 1 IN IP4 127.0.0.1',
    's=-',
    'c=IN IP4 127.0.0.1',
    't=0 0',
    `m=audio ${port} RTP/AVP 0 101`,
    'a=rtpmap:0 PCMU/8000',
    'a=rtpmap:101 telephone-event/8000',
    '',
  ].join('\r\n');
}
