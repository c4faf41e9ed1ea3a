// Descriptions: parsing, answers to our offer, answers of ours.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MediaRefused, type MediaSecurity } from './media-session.ts';
import { answerOffer, type LocalMedia, readAnswer, writeOffer } from './negotiation.ts';
import { parseSdp } from './sdp.ts';

const ownKey = Buffer.alloc(30, 1);
const theirKey = Buffer.alloc(30, 2);
const cryptoLine = `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${theirKey.toString('base64')}`;

function local(security: MediaSecurity = 'never', more: Partial<LocalMedia> = {}): LocalMedia {
  return {
    address: '192.0.2.1',
    port: 30_000,
    family: 4,
    security,
    crypto: { tag: 1, key: ownKey },
    sessionId: '7',
    ...more,
  };
}

function description(...media: string[]): string {
  const session = ['v=0', 'o=- 1 1 IN IP4 198.51.100.2', 's=-', 'c=IN IP4 198.51.100.2', 't=0 0'];
  return [...session, ...media, ''].join('\r\n');
}

function reasonOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof MediaRefused) return error.reason;
    throw error;
  }
  return 'none';
}

describe('offer', () => {
  it('offers both laws, events and 20 ms', () => {
    expect(writeOffer(local(), 3)).toBe(
      [
        'v=0',
        'o=- 7 3 IN IP4 192.0.2.1',
        's=-',
        'c=IN IP4 192.0.2.1',
        't=0 0',
        'm=audio 30000 RTP/AVP 0 8 101',
        'a=rtpmap:0 PCMU/8000',
        'a=rtpmap:8 PCMA/8000',
        'a=rtpmap:101 telephone-event/8000',
        'a=fmtp:101 0-15',
        'a=ptime:20',
        'a=sendrecv',
        '',
      ].join('\r\n'),
    );
  });

  it('has a key where encryption is offered, and the protocol of encryption where it is required', () => {
    const key = `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${ownKey.toString('base64')}`;
    expect(writeOffer(local('never'), 1)).not.toContain('crypto');
    expect(writeOffer(local('offered'), 1)).toContain('m=audio 30000 RTP/AVP 0 8 101');
    expect(writeOffer(local('offered'), 1)).toContain(key);
    expect(writeOffer(local('required'), 1)).toContain('m=audio 30000 RTP/SAVP 0 8 101');
    expect(writeOffer(local('required'), 1)).toContain(key);
  });

  it('names an IPv6 address as such', () => {
    expect(writeOffer(local('never', { address: '2001:db8::1', family: 6 }), 1)).toContain(
      'c=IN IP6 2001:db8::1',
    );
  });
});

describe('answer to our offer', () => {
  const read = (...media: string[]) => readAnswer(description(...media), local());

  it('takes the first common codec and the payload types of the other party', () => {
    const remote = read(
      'm=audio 4000 RTP/AVP 18 97 8 96',
      'a=rtpmap:97 PCMU/8000/1',
      'a=rtpmap:96 telephone-event/8000',
      'a=fmtp:96 0-15',
    );
    expect(remote).toMatchObject({ address: '198.51.100.2', port: 4000, reportPort: 4001, payloadType: 97 });
    expect(remote.codec.name).toBe('PCMU');
    expect(remote.eventType).toBe(96);
    expect([...remote.eventTypes]).toEqual([101, 96]);
    expect([...remote.codecsByType].map(([type, { name }]) => `${type} ${name}`)).toEqual([
      '0 PCMU',
      '8 PCMA',
      '97 PCMU',
    ]);
  });

  it('takes address, direction and report port of the media before those of the session', () => {
    const text = description(
      'a=sendonly',
      'm=audio 4000 RTP/AVP 8',
      'c=IN IP4 198.51.100.9/127',
      'a=recvonly',
      'a=rtcp:4444 IN IP4 198.51.100.9',
    );
    expect(reasonOf(() => readAnswer(text, local()))).toBe('noAddress');
    const remote = readAnswer(text.replace('/127', ''), local());
    expect(remote).toMatchObject({
      address: '198.51.100.9',
      direction: 'recvonly',
      reportPort: 4444,
      eventType: null,
    });
    expect(remote.codec.name).toBe('PCMA');
  });

  it.each([
    ['noAudio', []],
    ['noAudio', ['m=audio 0 RTP/AVP 0']],
    ['noAudio', ['m=video 4000 RTP/AVP 31']],
    ['noCommonCodec', ['m=audio 4000 RTP/AVP 18 101', 'a=rtpmap:101 telephone-event/8000']],
    ['noCommonCodec', ['m=audio 4000 RTP/AVP 0', 'a=rtpmap:0 PCMU/16000']],
    ['noAddress', ['m=audio 4000 RTP/AVP 0', 'c=IN IP4 media.example.com']],
    ['noAddress', ['m=audio 4000 RTP/AVP 0', 'c=IN IP4 239.1.1.1']],
    ['noAddress', ['m=audio 4000 RTP/AVP 0', 'c=IN IP4 127.0.0.1']],
    ['noAddress', ['m=audio 4000 RTP/AVP 0', 'c=IN IP4 255.255.255.255']],
    ['noAddress', ['m=audio 4000 RTP/AVP 0', 'c=IN IP6 2001:db8::1']],
    ['security', ['m=audio 4000 RTP/SAVP 0', cryptoLine]],
    ['security', ['m=audio 4000 UDP/TLS/RTP/SAVPF 0']],
  ])('is refused for %s: %j', (reason, media) => {
    expect(reasonOf(() => read(...media))).toBe(reason);
  });

  it('is refused without an address', () => {
    const text = description('m=audio 4000 RTP/AVP 0').replace('c=IN IP4 198.51.100.2\r\n', '');
    expect(reasonOf(() => readAnswer(text, local()))).toBe('noAddress');
  });

  it('takes 0.0.0.0 as hold', () => {
    expect(read('m=audio 4000 RTP/AVP 0', 'c=IN IP4 0.0.0.0').address).toBeNull();
  });

  it('writes IPv6 addresses as the system does', () => {
    const text = description('m=audio 4000 RTP/AVP 0', 'c=IN IP6 2001:DB8:0:0:0:0:0:1');
    expect(readAnswer(text, local('never', { family: 6 })).address).toBe('2001:db8::1');
  });
});

describe('encryption in an answer', () => {
  const secure = (security: MediaSecurity, ...media: string[]) =>
    readAnswer(description(...media), local(security));

  it.each<MediaSecurity>(['offered', 'required'])('takes the key of the other party (%s)', (security) => {
    const protocol = security === 'required' ? 'RTP/SAVP' : 'RTP/AVP';
    const remote = secure(security, `m=audio 4000 ${protocol} 0`, cryptoLine);
    expect(remote.crypto?.key).toEqual(theirKey);
    expect(secure(security, `m=audio 4000 ${protocol} 0`, `${cryptoLine}|2^31`).crypto?.key).toEqual(
      theirKey,
    );
  });

  it('goes without where it is only offered, and never where it is required', () => {
    expect(secure('offered', 'm=audio 4000 RTP/AVP 0').crypto).toBeNull();
    expect(reasonOf(() => secure('required', 'm=audio 4000 RTP/AVP 0'))).toBe('security');
    expect(reasonOf(() => secure('offered', 'm=audio 4000 RTP/SAVP 0'))).toBe('security');
  });

  it.each([
    cryptoLine.replace('crypto:1', 'crypto:2'),
    cryptoLine.replace('_80', '_32'),
    `${cryptoLine}|1:4`,
    `${cryptoLine} UNENCRYPTED_SRTP`,
    cryptoLine.slice(0, -4),
  ])('does not take a line it cannot keep to: %s', (line) => {
    expect(reasonOf(() => secure('required', 'm=audio 4000 RTP/SAVP 0', line))).toBe('security');
  });
});

describe('our answer', () => {
  it('has the media of the offer in their order, and refuses all but the audio', () => {
    const offer = description(
      'm=video 5000 RTP/AVP 31 34',
      'm=audio 4000 RTP/AVP 18',
      'm=audio 4002 RTP/AVPF 8 96',
      'a=rtpmap:96 telephone-event/8000',
      'a=sendonly',
    );
    const { remote, write } = answerOffer(offer, local());
    expect(remote.port).toBe(4002);
    expect(write(2).split('\r\n').slice(5)).toEqual([
      'm=video 0 RTP/AVP 31 34',
      'm=audio 0 RTP/AVP 18',
      'm=audio 30000 RTP/AVPF 8 96',
      'a=rtpmap:8 PCMA/8000',
      'a=rtpmap:96 telephone-event/8000',
      'a=fmtp:96 0-15',
      'a=ptime:20',
      'a=recvonly',
      '',
    ]);
  });

  it.each([
    ['sendrecv', '198.51.100.2', 'sendrecv'],
    ['recvonly', '198.51.100.2', 'sendonly'],
    ['sendonly', '198.51.100.2', 'recvonly'],
    ['inactive', '198.51.100.2', 'inactive'],
    ['sendrecv', '0.0.0.0', 'recvonly'],
  ])('answers %s at %s with %s', (theirs, address, ours) => {
    const offer = description('m=audio 4000 RTP/AVP 0', `c=IN IP4 ${address}`, `a=${theirs}`);
    expect(answerOffer(offer, local()).write(1)).toContain(`a=${ours}\r\n`);
  });

  it('answers with the tag of the line that it takes', () => {
    const lines = [cryptoLine.replace('_80', '_32'), cryptoLine.replace('crypto:1', 'crypto:5')];
    const { remote, write } = answerOffer(description('m=audio 4000 RTP/SAVP 0', ...lines), local('offered'));
    expect(remote.crypto?.key).toEqual(theirKey);
    const key = ownKey.toString('base64');
    expect(write(1)).toContain(`a=crypto:5 AES_CM_128_HMAC_SHA1_80 inline:${key}`);
  });
});

describe('hostile descriptions', () => {
  it.each([
    ['an empty one', ''],
    ['one without version', 'm=audio 4000 RTP/AVP 0'],
    ['a line without type', description('hello')],
    ['a bad media line', description('m=audio -1 RTP/AVP 0')],
    ['a port above 65535', description('m=audio 70000 RTP/AVP 0')],
    ['a bad address line', description('c=IN IP4')],
    ['a bad payload type', description('m=audio 4000 RTP/AVP 0', 'a=rtpmap:300 PCMU/8000')],
    ['more media than eight', description(...Array.from({ length: 9 }, () => 'm=audio 4000 RTP/AVP 0'))],
    ['more lines than 500', description(...Array.from({ length: 500 }, () => 'a=x'))],
    ['more than 16,384 characters', description(`a=${'x'.repeat(16_384)}`)],
    ['more formats than 64', description(`m=audio 4000 RTP/AVP${' 0'.repeat(65)}`)],
  ])('refuses %s', (_, text) => {
    expect(reasonOf(() => parseSdp(text))).toBe('malformed');
  });

  it('names the line, and not its contents', () => {
    expect(() => parseSdp(description('m=audio 4000 RTP/AVP 0', 'a=rtpmap:secret'))).toThrow(
      'the session description is malformed: line 7 is not a valid "a=" line',
    );
  });

  it('fails with a refusal or not at all', () => {
    const valid = description(
      'm=audio 4000 RTP/AVP 0 8 101',
      'a=rtpmap:101 telephone-event/8000',
      cryptoLine,
    );
    const text = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString('latin1'));
    const changed = fc
      .tuple(fc.nat(valid.length), fc.nat(8), text)
      .map(([at, removed, added]) => valid.slice(0, at) + added + valid.slice(at + removed));
    fc.assert(
      fc.property(fc.oneof(text, changed), (hostile) => {
        reasonOf(() => readAnswer(hostile, local('offered')));
        reasonOf(() => answerOffer(hostile, local('required')).write(1));
      }),
      { numRuns: 1000 },
    );
  });
});
