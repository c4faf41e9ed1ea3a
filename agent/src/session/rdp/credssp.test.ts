import { expect, test } from 'vitest';
import { bindingHash, channelBindingOf, encodeRequest, parseRequest, signInWithCredssp } from './credssp.ts';
import { contextTag, encodeDer, tags } from './der.ts';
import { NtlmSeal, parseChallenge, proofOf, responseKey } from './ntlm.ts';
import { Rc4 } from './rc4.ts';

const account = { domain: 'SITE', username: 'ops', password: 'right-secret' };
const identity = { publicKey: Buffer.from('public key'), certificate: Buffer.from('certificate') };

/** A host that checks the sign-in as MS-CSSP 3.1.5 says; `shownKey` is the key that the host's TLS has. */
function makeHost({ shownKey = identity.publicKey, password = account.password } = {}) {
  const seen: { credentials?: Buffer } = {};
  const info = Buffer.from('0700080000000000000000000000 0000'.replaceAll(' ', ''), 'hex');
  const challenge = Buffer.alloc(56);
  challenge.write('NTLMSSP\0', 'latin1');
  challenge.writeUInt32LE(2, 8);
  challenge.writeUInt32LE(0xe2898235, 20);
  challenge.fill(0x33, 24, 32);
  challenge.writeUInt16LE(info.length, 40);
  challenge.writeUInt32LE(56, 44);
  const answers: Uint8Array[] = [];
  let toServer: NtlmSeal;
  let step = 0;
  const respond = (bytes: Uint8Array) => {
    step += 1;
    if (step === 1) return void answers.push(encodeRequest({ token: Buffer.concat([challenge, info]) }));
    if (step === 3) {
      // authInfo is field 2.
      const at = Buffer.from(bytes).indexOf(0xa2);
      const sealed = Buffer.from(bytes).subarray(at);
      const body = sealed.subarray(sealed.indexOf(0x04) + (sealed[sealed.indexOf(0x04) + 1]! < 0x80 ? 2 : 3));
      const opened = toServer.open(body);
      if (opened) seen.credentials = opened;
      return;
    }
    const { token, publicKeyAuth } = parseRequest(bytes);
    const field = (at: number) =>
      token!.subarray(token!.readUInt32LE(at + 4)).subarray(0, token!.readUInt16LE(at));
    const response = field(20);
    const blob = response.subarray(16);
    const { serverChallenge } = parseChallenge(Buffer.concat([challenge, info]));
    const proven = proofOf(responseKey({ ...account, password }), serverChallenge, {
      time: blob.subarray(8, 16),
      clientChallenge: blob.subarray(16, 24),
      targetInfo: Buffer.from(blob.subarray(28, -4)),
    });
    const isRight =
      proven.response.equals(response) && response.includes(channelBindingOf(identity.certificate));
    const key = new Rc4(proven.sessionKey).apply(field(52));
    toServer = new NtlmSeal(key, 'client-to-server');
    const nonce = Buffer.from(bytes).subarray(-32);
    const bound = toServer.open(publicKeyAuth!);
    if (!isRight || !bound?.equals(bindingHash('Client-To-Server', nonce, identity.publicKey)))
      return void answers.push(
        encodeDer(
          tags.sequence,
          encodeDer(contextTag(0), encodeDer(tags.integer, Buffer.from([6]))),
          encodeDer(contextTag(4), encodeDer(tags.integer, Buffer.from('c000006d', 'hex'))),
        ),
      );
    const publicKeyProof = bindingHash('Server-To-Client', nonce, shownKey);
    answers.push(
      encodeRequest({ publicKeyAuth: new NtlmSeal(key, 'server-to-client').seal(publicKeyProof) }),
    );
  };
  return {
    seen,
    peer: {
      send: respond,
      // In pieces, as a network may deliver them.
      async receive() {
        const next = answers.shift();
        if (!next) throw new Error('closed');
        const piece = next.subarray(0, 5);
        if (next.length > 5) answers.unshift(next.subarray(5));
        return piece;
      },
    },
  };
}

test('the account is delivered to the host whose key is the one of the connection', async () => {
  const host = makeHost();
  await signInWithCredssp(account, identity, host.peer);
  for (const text of Object.values(account))
    expect(host.seen.credentials!.includes(Buffer.from(text, 'utf16le'))).toBe(true);
});

test('nothing is delivered to a host with another key, or one that refuses the password', async () => {
  const other = makeHost({ shownKey: Buffer.from('key of somebody between') });
  await expect(signInWithCredssp(account, identity, other.peer)).rejects.toMatchObject({
    ...{ code: 'SIGN_IN_FAILED', params: { reason: 'KEY_NOT_BOUND' } },
  });
  const refusing = makeHost({ password: 'another' });
  await expect(signInWithCredssp(account, identity, refusing.peer)).rejects.toMatchObject({
    ...{ code: 'SIGN_IN_FAILED', params: { status: '0xc000006d' } },
  });
  expect([other.seen, refusing.seen]).toEqual([{}, {}]);
});

test('broken, endless and old answers are refused', async () => {
  const receiveOnce = (answer: Buffer) => ({
    send: () => undefined,
    receive: async () => answer,
  });
  const old = encodeDer(tags.sequence, encodeDer(contextTag(0), encodeDer(tags.integer, Buffer.from([2]))));
  const code = (answer: Buffer) =>
    signInWithCredssp(account, identity, receiveOnce(answer)).catch(({ code, params }) => [
      code,
      params.reason,
    ]);
  expect({
    text: await code(Buffer.from('HTTP/1.1 400 Bad Request')),
    endless: await code(Buffer.from('3083ffffff', 'hex')),
    tooMuch: await code(Buffer.from('30000000', 'hex')),
    old: await code(old),
  }).toEqual({
    text: ['PROTOCOL', 'MALFORMED'],
    endless: ['PROTOCOL', 'MALFORMED'],
    tooMuch: ['PROTOCOL', 'MALFORMED'],
    old: ['SIGN_IN_FAILED', 'OLD_CREDSSP'],
  });
});
