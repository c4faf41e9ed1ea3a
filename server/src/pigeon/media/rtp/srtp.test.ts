// Encryption against the test vectors of RFC 3711 (appendix B) and of libsrtp, replay, and rounds of the counter.
import { describe, expect, it } from 'vitest';
import { writeRtp } from './rtp.ts';
import { blockCipher, deriveKeys, keyStream, SrtpReceiver, SrtpSender } from './srtp.ts';

const masterKey = Buffer.from('e1f97a0d3e018be0d64fa32c06de41390ec675ad498afeebb6960b3aabe6', 'hex');

function packet(sequence: number, ssrc = 0xcafebabe): Buffer {
  const payload = Buffer.alloc(16, 0xab);
  return writeRtp({ payloadType: 15, marker: false, sequence, timestamp: 0xdecafbad, ssrc, payload });
}

describe('SRTP', () => {
  it('derives the keys of RFC 3711, B.3', () => {
    const keys = deriveKeys(masterKey, 'rtp');
    expect(keys.cipherKey.toString('hex')).toBe('c61e7a93744f39ee10734afe3ff7a087');
    expect(keys.salt.toString('hex')).toBe('30cbbc08863d8c85d49db34a9ae1');
    expect(keys.authenticationKey.toString('hex')).toBe('cebe321f6ff7716b6fd4ab49af256a156d38baa4');
  });

  it('makes the key stream of RFC 3711, B.2', () => {
    const key = Buffer.from('2b7e151628aed2a6abf7158809cf4f3c', 'hex');
    const salt = Buffer.from('f0f1f2f3f4f5f6f7f8f9fafbfcfd', 'hex');
    expect(keyStream(blockCipher(key), salt, 48).toString('hex')).toBe(
      'e03ead0935c95e80e166b16dd92b4eb4d23513162b02d0f72a43a2fe4a5f97ab41e95b3bb0a2e8dd477901e4fca894c0',
    );
  });

  it('protects packets as libsrtp does', () => {
    const sender = new SrtpSender(masterKey);
    expect(sender.protect(packet(0x1234)).toString('hex')).toBe(
      '800f1234decafbadcafebabe4e55dc4ce79978d88ca4d215949d2402b78d6acc99ea179b8dbb',
    );
    const report = Buffer.concat([Buffer.from('81c8000bcafebabe', 'hex'), Buffer.alloc(16, 0xab)]);
    sender.protectRtcp(report);
    expect(sender.protectRtcp(report).toString('hex')).toBe(
      '81c8000bcafebabe7128035be487b9bdbef89041f977a5a880000001993e08cd54d6c1230798',
    );
  });

  it('gives back what was protected, and nothing of what was changed or comes again', () => {
    const sender = new SrtpSender(masterKey);
    const receiver = new SrtpReceiver(masterKey);
    const plain = packet(7);
    const sent = sender.protect(plain);
    for (let at = 0; at < sent.length; at++) {
      const changed = Buffer.from(sent);
      changed[at]! ^= 1;
      expect(receiver.unprotect(changed)).toBeNull();
    }
    expect(receiver.unprotect(sent)).toEqual(plain);
    expect(receiver.unprotect(sent)).toBeNull();
  });

  it('takes reordered packets within the window once, and none before it', () => {
    const sender = new SrtpSender(masterKey);
    const sent = Array.from({ length: 100 }, (_, sequence) => sender.protect(packet(sequence)));
    const receiver = new SrtpReceiver(masterKey);
    expect(receiver.unprotect(sent[0]!)).not.toBeNull();
    expect(receiver.unprotect(sent[99]!)).not.toBeNull();
    expect(receiver.unprotect(sent[36]!)).not.toBeNull();
    expect(receiver.unprotect(sent[36]!)).toBeNull();
    expect(receiver.unprotect(sent[35]!)).toBeNull();
  });

  it('counts the rounds of the sequence number on both sides, also with reordering at the border', () => {
    const sender = new SrtpSender(masterKey);
    const receiver = new SrtpReceiver(masterKey);
    const sent = new Map<number, Buffer>();
    for (let index = 65_530; index < 65_545; index++) sent.set(index, sender.protect(packet(index & 0xffff)));
    const order = [65_530, 65_536, 65_535, 65_534, 65_537, 65_544];
    for (const index of order) expect(receiver.unprotect(sent.get(index)!)).toEqual(packet(index & 0xffff));
    expect(receiver.unprotect(sent.get(65_535)!)).toBeNull();
  });

  it('keeps the sources apart and reads reports once', () => {
    const first = new SrtpSender(masterKey);
    const second = new SrtpSender(masterKey);
    const receiver = new SrtpReceiver(masterKey);
    expect(receiver.unprotect(first.protect(packet(5, 1)))).toEqual(packet(5, 1));
    expect(receiver.unprotect(second.protect(packet(5, 2)))).toEqual(packet(5, 2));
    const report = Buffer.concat([Buffer.from('81c8000bcafebabe', 'hex'), Buffer.alloc(16, 0xab)]);
    const sent = first.protectRtcp(report);
    expect(receiver.unprotectRtcp(sent)).toEqual(report);
    expect(receiver.unprotectRtcp(sent)).toBeNull();
    expect(receiver.unprotectRtcp(sent.subarray(0, 12))).toBeNull();
  });
});
