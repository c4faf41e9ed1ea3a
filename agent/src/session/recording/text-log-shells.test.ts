// Commands that were typed in real shells (bash 5.2, zsh 5.9; TERM=xterm-256color) and what these showed.
import { expect, test } from 'vitest';
import { TextLog } from './text-log.ts';

/** What is shown, and new widths of the terminal. */
type Shown = readonly (string | number)[];

function linesOf(columns: number, shown: Shown, pieceLength = Number.MAX_SAFE_INTEGER): string[] {
  const log = new TextLog(columns);
  let text = '';
  for (const one of shown) {
    if (typeof one === 'number') log.resize(one);
    else {
      const bytes = Buffer.from(one);
      for (let from = 0; from < bytes.length; from += pieceLength)
        text += Buffer.from(log.add(bytes.subarray(from, from + pieceLength), 0)).toString();
    }
  }
  return (text + log.end(0))
    .split('\n')
    .slice(0, -1)
    .map((line) => line.replace(/^.*?\t/, ''));
}

const right = (columns: number) => '\x1b[C'.repeat(columns);
const bashPrompt = '\x1b[?2004hops@web01:~$ ';
const bashEnter = '\r\n\x1b[?2004l\r';
/** The mark of an incomplete line, which a complete one covers again, and the prompt. */
const zshPrompt = (columns: number) =>
  `\x1b[1m\x1b[7m#\x1b[27m\x1b[1m\x1b[0m${' '.repeat(columns - 1)}\r \r` +
  '\r\x1b[0m\x1b[27m\x1b[24m\x1b[Jops@web01:~$ \x1b[K\x1b[?2004h';

test.each<[string, number, Shown, string[]]>([
  [
    'bash: a command longer than a row',
    80,
    [
      bashPrompt,
      'echo rm -rf /srv/backup/2026/customer-data/archive && curl -s http: \r//203.0.113.5/payload-number-one.sh ',
      `| cat >/dev/null${bashEnter}rm -rf /srv/backup/2026/customer-data/archive\r\n${bashPrompt}`,
    ],
    [
      'ops@web01:~$ echo rm -rf /srv/backup/2026/customer-data/archive && curl -s http:' +
        '//203.0.113.5/payload-number-one.sh | cat >/dev/null',
      'rm -rf /srv/backup/2026/customer-data/archive',
      'ops@web01:~$',
    ],
  ],
  [
    'bash: wide characters that are deleted',
    80,
    [bashPrompt, `echo あい\b\b\x1b[K\b\b\x1b[Kうえ done${bashEnter}うえ done\r\n`],
    ['ops@web01:~$ echo うえ done', 'うえ done'],
  ],
  [
    'bash: a wide character that has just room in a row',
    80,
    [
      bashPrompt,
      `echo 監視対象のホストから応答がない場合は再試行して結果を記録してく \rださい。${bashEnter}`,
    ],
    ['ops@web01:~$ echo 監視対象のホストから応答がない場合は再試行して結果を記録してください。'],
  ],
  [
    'bash: a wide character that has no room in a row',
    81,
    [
      bashPrompt,
      `echo 監視対象のホストから応答がない場合は再試行して結果を記録してく \x1b[Kださい。${bashEnter}`,
    ],
    ['ops@web01:~$ echo 監視対象のホストから応答がない場合は再試行して結果を記録してください。'],
  ],
  [
    'bash: characters inserted in the first row of two',
    80,
    [
      bashPrompt,
      'echo word0 word1 word2 word3 word4 word5 word6 word7 word8 word9 wo \rrd10 word11 word12',
      '\x1b[A\b\b\b\b\b',
      `secho word0 word1 word2 word3 word4 word5 word6 word7 word8 word9 wo\x1b[1@r\x1b[A${right(12)}`,
      `uecho word0 word1 word2 word3 word4 word5 word6 word7 word8 word9 w\x1b[1@o\x1b[A${right(13)}`,
      `\r\n\r${right(20)}\b\x1b[K\b\x1b[KEND${bashEnter}`,
    ],
    ['ops@web01:~$ suecho word0 word1 word2 word3 word4 word5 word6 word7 word8 word9 word10 word11 wordEND'],
  ],
  [
    'bash: characters deleted across the margin, and others typed across it',
    80,
    [
      bashPrompt,
      'echo 01234567890123456789012345678901234567890123456789012345678901 \r23456789',
      `${'\b\x1b[K'.repeat(7)}\r\x1b[K\x1b[A${right(79)}\x1b[K\r\n\r\x1b[K\x1b[A${right(79)}\b\x1b[K`,
      `/e \rtc/shadow${bashEnter}`,
    ],
    ['ops@web01:~$ echo 012345678901234567890123456789012345678901234567890123456789/etc/shadow'],
  ],
  [
    'bash: a command of the history in place of another one',
    40,
    [
      `${bashPrompt}echo first 1234567890 12345 \r67890 1234567890${bashEnter}first\r\n`,
      `${bashPrompt}echo 2\bfirst 1234567890 1234567890 1234567890\r${right(6)}\x1b[Kchanged${bashEnter}`,
    ],
    [
      'ops@web01:~$ echo first 1234567890 1234567890 1234567890',
      'first',
      'ops@web01:~$ echo first 1234567890 1234567890 changed',
    ],
  ],
  [
    'bash: the window is made narrower and wider',
    80,
    [
      `${bashPrompt}echo rm -rf /srv/backup/2026/customer-data/archive /srv/backup/2025 \r/customer`,
      40,
      '\r\x1b[K\r\x1b[A\x1b[K\rops@web01:~$ echo rm -rf /srv/backup/2026/customer-data/archive ',
      '/srv/backup/2025/customer /srv/last',
      100,
      '\r\x1b[K\r\x1b[A\x1b[K\r\x1b[A\x1b[K\rops@web01:~$ echo rm -rf /srv/backup/2026/customer-data/archive ',
      `/srv/backup/2025/customer /srv/last more${bashEnter}`,
    ],
    [
      'ops@web01:~$ echo rm -rf /srv/backup/2026/customer-data/archive /srv/backup/2025/customer /srv/last more',
    ],
  ],
  [
    'zsh: a command longer than a row, into which others are typed',
    40,
    [
      zshPrompt(40),
      'e\becho 0123456789 abcdefghij  \r\x1b[K0\r0123456789\b \b\b \bあいう えお\x1b[A\b\b\b\b\b\b',
      'techo 0123456789 abcdefghij 01234567あいう えお\x1b[A\b\b\b\b\b\b\b',
      'trecho 0123456789 abcdefghij 01234567あいう えお\x1b[A\b\b\b\b\b\b',
      `\x1b[?2004l\x1b[1B\r\r\n01234567あいう えお\r\n${zshPrompt(40)}`,
    ],
    ['ops@web01:~$ trecho 0123456789 abcdefghij 01234567あいう えお', '01234567あいう えお', 'ops@web01:~$'],
  ],
  [
    'zsh: a wide character that has no room in a row',
    40,
    [zshPrompt(40), 'e\becho 012345678901234567890\x1b[7m \x1b[27mあ\x1b[Kい\x1b[?2004l\r\r\n'],
    ['ops@web01:~$ echo 012345678901234567890あい'],
  ],
  [
    'zsh: the window is made wider, which clears the row below',
    40,
    [
      `${zshPrompt(40)}e\becho rm -rf /srv/backup/2026/customer-data`,
      90,
      '\x1b[A\r\r\x1b[0m\x1b[27m\x1b[24m\x1b[Jops@web01:~$ echo rm -rf /srv/backup/2026/customer-data',
      '\r\r\n\x1b[K\x1b[A\x1b[55C /srv/last\x1b[?2004l\r\r\n',
    ],
    [
      // What was shown before and after.
      ...Array<string>(2).fill('ops@web01:~$ echo rm -rf /srv/backup/2026/customer-data'),
      'ops@web01:~$ echo rm -rf /srv/backup/2026/customer-data /srv/last',
    ],
  ],
  [
    'zsh: output without a line break at its end',
    80,
    [`${zshPrompt(80)}p\bprintf partial\x1b[?2004l\r\r\npartial${zshPrompt(80)}`],
    ['ops@web01:~$ printf partial', 'partial#', 'ops@web01:~$'],
  ],
])('%s', (_, columns, shown, lines) => {
  expect(linesOf(columns, shown)).toEqual(lines);
  expect(linesOf(columns, shown, 1)).toEqual(lines);
});
