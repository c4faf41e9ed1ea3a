import { describe, expect, test } from 'vitest';
import { TelnetCodec } from './telnet-codec.ts';
import { TelnetSignIn } from './telnet-sign-in.ts';

const [IAC, DONT, DO, WONT, WILL, SB, SE] = [255, 254, 253, 252, 251, 250, 240];
const [BINARY, ECHO, SGA, TTYPE, NAWS] = [0, 1, 3, 24, 31];
const initial = [IAC, WILL, BINARY, IAC, DO, BINARY];

function connect() {
  const sent: number[] = [];
  const codec = new TelnetCodec({ columns: 80, rows: 24 }, (bytes) => void sent.push(...bytes));
  const receive = (...bytes: number[]) => [...codec.receive(Uint8Array.from(bytes))];
  const take = () => sent.splice(0);
  return { codec, receive, take };
}

describe('options', () => {
  test('known ones are agreed to once, others refused each time', () => {
    const { receive, take } = connect();
    expect(receive(IAC, WILL, ECHO, IAC, WILL, ECHO, 104, 105)).toEqual([104, 105]);
    expect(take()).toEqual([...initial, IAC, DO, ECHO]);
    receive(IAC, DO, SGA, IAC, DO, 39, IAC, WILL, 5);
    expect(take()).toEqual([IAC, WILL, SGA, IAC, WONT, 39, IAC, DONT, 5]);
    // The answers to what was asked for here are not answered.
    receive(IAC, DO, BINARY, IAC, WILL, BINARY, IAC, DONT, 39, IAC, WONT, 5);
    expect(take()).toEqual([]);
    receive(IAC, WONT, ECHO, IAC, WONT, ECHO);
    expect(take()).toEqual([IAC, DONT, ECHO]);
  });

  test('the terminal type and the size are told, and a new size as well', () => {
    const { codec, receive, take } = connect();
    receive(IAC, DO, TTYPE, IAC, DO, NAWS);
    expect(take()).toEqual([
      ...initial,
      ...[IAC, WILL, TTYPE, IAC, WILL, NAWS, IAC, SB, NAWS, 0, 80, 0, 24, IAC, SE],
    ]);
    receive(IAC, SB, TTYPE, 1, IAC, SE);
    expect(take()).toEqual([IAC, SB, TTYPE, 0, ...Buffer.from('XTERM-256COLOR'), IAC, SE]);
    codec.resize({ columns: 255, rows: 40 });
    expect(take()).toEqual([IAC, SB, NAWS, 0, IAC, IAC, 0, 40, IAC, SE]);
  });

  test('a storm of requests gets a bounded number of answers', () => {
    const { receive, take } = connect();
    for (let count = 0; count < 5000; count++) receive(IAC, DO, 39, IAC, WILL, ECHO, IAC, WONT, ECHO);
    expect(take().length).toBeLessThanOrEqual(500 * 3);
    expect(receive(111, 107)).toEqual([111, 107]);
  });

  test('a subnegotiation without an end takes no memory', () => {
    const { codec, receive } = connect();
    receive(IAC, DO, TTYPE, IAC, SB, TTYPE);
    for (let count = 0; count < 100; count++) codec.receive(new Uint8Array(10_000));
    expect(JSON.stringify(codec).length).toBeLessThan(40_000);
    expect(receive(IAC, SE, 111)).toEqual([111]);
  });
});

test('data passes both ways unchanged', () => {
  const { codec, receive, take } = connect();
  expect(receive(1, IAC, IAC, 2, 13, 0, 13, 10, IAC, 241, 3)).toEqual([1, 255, 2, 13, 13, 10, 3]);
  expect([...codec.encode(Uint8Array.of(97, 13, 255))]).toEqual([97, 13, 0, 255, 255]);
  receive(IAC, DO, BINARY);
  take();
  expect([...codec.encode(Uint8Array.of(13, 227))]).toEqual([13, 227]);
});

test('the account is given once, at its prompts', () => {
  const signIn = new TelnetSignIn({ username: 'ops', password: 'right' });
  const read = (text: string) => signIn.read(new TextEncoder().encode(text));
  expect(read('Welcome. Last login: yesterday\r\n')).toBeUndefined();
  expect(read('host log')).toBeUndefined();
  expect(read('in: ')).toBe('ops\r');
  expect(read('ops\r\nPassword: ')).toBe('right\r');
  expect(read('\r\nLogin incorrect\r\nlogin: ')).toBeUndefined();
  expect(signIn.isDone).toBe(true);
});
