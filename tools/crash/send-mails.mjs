// Sends mails over SMTP to a server that may die at any moment, and keeps account of each 250.
import { connect } from 'node:net';
import { createInterface } from 'node:readline';

/**
 * Sends a mail for each subject, one connection each, a few at a time, until all are taken or the server is gone.
 * Gives `taken` (answered with 250 after their data), `unknown` (sent, fate unknown) and `unsent`.
 */
export async function mailAll({ port, to }, subjects, { connections }) {
  const waiting = [...subjects];
  const taken = [];
  const unknown = [];
  let gone = false;
  async function work() {
    while (!gone && waiting.length > 0) {
      const subject = waiting.shift();
      try {
        await send(port, to, subject);
        taken.push(subject);
      } catch {
        gone = true;
        unknown.push(subject);
      }
    }
  }
  await Promise.all(Array.from({ length: connections }, work));
  return { taken, unknown, unsent: waiting };
}

/** Resolves with the 250 that ends the data; rejects when it does not come. */
async function send(port, to, subject) {
  const socket = connect({ port, host: '127.0.0.1' });
  // A reset is told by the end of the lines.
  socket.on('error', () => {});
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  const reply = async (code) => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new Error('the connection broke off');
      if (value[3] === '-') continue;
      if (!value.startsWith(code)) throw new Error(`answered with ${value}`);
      return;
    }
  };
  const say = (line, code) => {
    socket.write(`${line}\r\n`);
    return reply(code);
  };
  try {
    await reply('220');
    await say('EHLO crash.example', '250');
    await say('MAIL FROM:<watch@crash.example>', '250');
    await say(`RCPT TO:<${to}>`, '250');
    await say('DATA', '354');
    const head = `From: watch@crash.example\r\nTo: ${to}\r\nSubject: ${subject}\r\n`;
    await say(
      `${head}Message-ID: <${subject.replaceAll(' ', '-')}@crash.example>\r\n\r\nDisk full.\r\n.`,
      '250',
    );
  } finally {
    socket.destroy();
  }
}
