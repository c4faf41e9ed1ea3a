// How many mails are taken in a second over SMTP: ours and postfix on disk (fsync) before the 250, from the same sender.
import { spawn } from 'node:child_process';
import { loadavg } from 'node:os';
import { settled } from './intake.mjs';
import { postfixMissing, postfixVersion, smtpSource, startPostfix } from './peers/postfix.mjs';
import { median, spread } from './support/statistics.mjs';
import { callApi, startServer } from './testbed.mjs';

const rounds = 3;
const mails = 2000;
const sessions = 16;
/** Bytes of a mail. */
const size = 2000;

export async function benchMail({ say }) {
  const missing = postfixMissing();
  if (missing) return [{ name: 'mail', skipped: missing }];
  const version = postfixVersion();
  say(
    `mail: ${mails} mails of ${size} bytes by postfix's smtp-source over ${sessions} sessions, ${rounds} rounds in turn, against`,
  );
  say(
    `  postfix ${version} that queues each and then discards it. Ours stores and reads each, and a rule raises an event for it`,
  );
  say('  meanwhile. Once with a connection for each mail, and once with the same one for many.');
  const peer = await startPostfix();
  const server = await startServer({
    env: { YAGURA_SLOT_RATE: '0', YAGURA_MAIL_PORT: '0', YAGURA_MAIL_HOST: '127.0.0.1' },
  });
  const figures = [];
  try {
    const ours = { port: mailPort(server), ...(await makeMailPath(server)) };
    const theirs = { port: peer.port, recipient: 'alerts@bench.example' };
    await send(ours, 200, true);
    await send(theirs, 200, true);
    let taken = 200;
    for (const [name, stays] of [
      ['mail', false],
      ['mail, kept connections', true],
    ]) {
      const rates = [];
      for (let round = 1; round <= rounds; round++) {
        const our = await send(ours, mails, stays);
        taken += mails;
        await settled(server, ours, taken);
        const their = await send(theirs, mails, stays);
        rates.push({ our, their, ratio: our / their });
        say(
          `  ${name}, round ${round}: ours ${our.toFixed(0)}/s, postfix ${their.toFixed(0)}/s, ` +
            `ratio ${(our / their).toFixed(2)}, load ${loadavg()[0].toFixed(1)}`,
        );
      }
      const ratios = rates.map(({ ratio }) => ratio);
      figures.push({
        name,
        unit: '/s',
        ours: median(rates.map(({ our }) => our)),
        peer: median(rates.map(({ their }) => their)),
        peerName: `postfix ${version}`,
        ratio: median(ratios),
        aim: '>= 1',
        met: median(ratios) >= 1,
        spread: spread(ratios, 2),
      });
    }
  } finally {
    await server.stop();
    await peer.stop();
  }
  return figures;
}

/** A slot for mails, and the scope in which each raises an event. */
async function makeMailPath(server) {
  const make = (path, body) => callApi(server, 'POST', `/api/apps/alerthub/${path}`, body);
  const slot = await make('receive-slots', { displayName: 'mails', kind: 'email' });
  const { scopeId } = await make('scopes', { displayName: 'mails' });
  await make('rules', {
    displayName: 'every mail',
    receiveSlotId: slot.receiveSlotId,
    eventParams: [{ scopeId, delta: 1 }],
  });
  return { recipient: slot.primary, scopeId };
}

/** Mails a second. Throws when one is refused. */
function send({ port, recipient }, count, stays) {
  const options = ['-s', `${sessions}`, '-m', `${count}`, '-l', `${size}`, '-f', 'sender@bench.example'];
  const args = [...options, ...(stays ? ['-d'] : []), '-t', recipient, `inet:127.0.0.1:${port}`];
  const begun = performance.now();
  const child = spawn(smtpSource, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let printed = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    printed += text;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0
        ? resolve(count / ((performance.now() - begun) / 1000))
        : reject(new Error(`smtp-source ended with ${code}: ${printed}`)),
    );
  });
}

/** The server says where mails come in once it is ready. */
function mailPort(server) {
  const port = /^Mails come in at port (\d+)$/m.exec(server.log())?.[1];
  if (!port) throw new Error(`the server takes no mails; it printed:\n${server.log()}`);
  return port;
}
