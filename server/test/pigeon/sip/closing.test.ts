// Closing the user agent: every call is ended, no timer is left.
import { expect, test } from 'vitest';
import { type Clock, ManualClock } from '../../../src/common/clock.ts';
import type { IncomingCall } from '../../../src/pigeon/sip/user-agent.ts';
import { countedBytes, MemoryNetwork, ScriptedPeer, settle } from './scripted-peer.ts';
import { agent, answer, CallRecorder, offer, trunkOptions } from './support.ts';

const here = { address: '10.0.0.1', port: 5060 };

/** A manual clock that counts the timers that are still to run. */
function countingClock() {
  const manual = new ManualClock();
  const pending = new Set<object>();
  const clock: Clock = {
    now: () => manual.now(),
    after(milliseconds, work) {
      const timer = {};
      pending.add(timer);
      const stop = manual.after(milliseconds, () => {
        pending.delete(timer);
        work();
      });
      return () => {
        pending.delete(timer);
        stop();
      };
    },
    every(milliseconds, work) {
      const timer = {};
      pending.add(timer);
      const stop = manual.every(milliseconds, work);
      return () => {
        pending.delete(timer);
        stop();
      };
    },
  };
  return { clock, manual, pending };
}

test.each([true, false])(
  'calls in every state are ended, and no timer is left (peer answers: %s)',
  async (answers) => {
    const network = new MemoryNetwork();
    const { clock, manual, pending } = countingClock();
    const peer = new ScriptedPeer(network, { address: '10.0.0.2', port: 5060 }, here);
    const incoming: IncomingCall[] = [];
    const phone = agent(
      {
        ...{ local: here, clock, random: countedBytes() },
        trunks: [
          trunkOptions({ host: '10.0.0.2', registers: true, user: 'u', password: 'p' }),
          trunkOptions({ name: 'silent', host: '10.0.0.3' }),
        ],
        onIncoming: (call) => incoming.push(call),
      },
      network,
    );
    await phone.start();
    await settle();
    peer.reply(peer.got('REGISTER')[0]!, 200);
    await settle();
    const calls = new Map<string, CallRecorder>();
    const call = async (state: string) => {
      const events = new CallRecorder();
      phone.call('1', offer, events);
      calls.set(state, events);
      await settle();
      return peer.got('INVITE').at(-1)!;
    };
    await call('sent');
    peer.reply(await call('trying'), 100);
    peer.reply(await call('ringing'), 180);
    peer.accept(await call('answered'), {
      headers: [{ name: 'Session-Expires', value: '100;refresher=uac' }],
    });
    await settle();
    for (const id of ['ringing', 'answered'])
      peer.send(peer.invitation(id, [{ name: 'Require', value: '100rel' }]));
    await settle();
    incoming[0]!.ring();
    const heard = new CallRecorder();
    incoming[1]!.answer(answer, heard);
    await settle();

    if (answers) {
      peer.onRequest = (request) => {
        if (request.method === 'CANCEL') {
          const invite = peer
            .got('INVITE')
            .find(({ headers }) => headers.some(({ value }) => value === idOf(request)));
          peer.reply(invite!, 487);
        }
        peer.reply(request, 200);
      };
    }
    const closed = phone.close();
    for (let turn = 0; turn < 5; turn += 1) {
      await settle();
      manual.advance(1000);
    }
    await closed;
    phone.call('1', offer, new CallRecorder());
    await settle();
    expect([...calls].map(([state, events]) => [state, events.lines.at(-1)])).toEqual([
      ['sent', 'failed noAnswer canceled'],
      ['trying', answers ? 'failed noAnswer 487 Request Terminated' : 'failed noAnswer closed'],
      ['ringing', answers ? 'failed noAnswer 487 Request Terminated' : 'failed noAnswer closed'],
      ['answered', 'ended us BYE'],
    ]);
    expect(heard.lines).toEqual(['ended us BYE']);
    expect(peer.responses.map(({ status }) => status)).toEqual(expect.arrayContaining([180, 200, 480]));
    expect(peer.got('REGISTER').at(-1)?.headers).toContainEqual({ name: 'Expires', value: '0' });
    expect(pending.size).toBe(0);
  },
);

const idOf = ({ headers }: { headers: { name: string; value: string }[] }) =>
  headers.find(({ name }) => name === 'Call-ID')!.value;
