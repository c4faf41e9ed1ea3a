// Speaks English: words as they are, abbreviations letter by letter.
import type { ClockTime, Quantity, Speaker } from './speaker.ts';

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

const units: Record<string, string> = {
  B: 'byte',
  kB: 'kilobyte',
  KB: 'kilobyte',
  MB: 'megabyte',
  GB: 'gigabyte',
  TB: 'terabyte',
  PB: 'petabyte',
  KiB: 'kibibyte',
  MiB: 'mebibyte',
  GiB: 'gibibyte',
  TiB: 'tebibyte',
  bps: 'bit per second',
  kbps: 'kilobit per second',
  Kbps: 'kilobit per second',
  Mbps: 'megabit per second',
  Gbps: 'gigabit per second',
  Hz: 'hertz',
  kHz: 'kilohertz',
  MHz: 'megahertz',
  GHz: 'gigahertz',
  ns: 'nanosecond',
  us: 'microsecond',
  μs: 'microsecond',
  ms: 'millisecond',
  s: 'second',
  sec: 'second',
  secs: 'second',
  m: 'minute',
  min: 'minute',
  mins: 'minute',
  h: 'hour',
  hr: 'hour',
  hrs: 'hour',
  d: 'day',
  '%': 'percent',
  '°C': 'degree Celsius',
  '°F': 'degree Fahrenheit',
  V: 'volt',
  mV: 'millivolt',
  A: 'ampere',
  W: 'watt',
  kW: 'kilowatt',
  kVA: 'kilovolt-ampere',
  dB: 'decibel',
  dBm: 'decibel-milliwatt',
  rpm: 'revolution per minute',
  'req/s': 'request per second',
  'pkt/s': 'packet per second',
};
/** Units whose plural is the same. */
const unchanging = /^(percent|.*hertz)$/;

/** Abbreviations of operations and how they are said. */
const words: Record<string, string> = {
  crit: 'critical',
  warn: 'warning',
  err: 'error',
  info: 'information',
  emerg: 'emergency',
  sev: 'severity',
  ok: 'okay',
  nok: 'not okay',
  srv: 'server',
  svr: 'server',
  dev: 'dev',
  prd: 'production',
  stg: 'staging',
  mem: 'memory',
  msg: 'message',
  pkt: 'packet',
  cfg: 'config',
  svc: 'service',
  util: 'utilization',
  avg: 'average',
  nginx: 'engine x',
  postgresql: 'postgres',
  mysql: 'my S Q L',
  ssh: 'S S H',
  jp: 'J P',
  uk: 'U K',
  io: 'I O',
  id: 'I D',
  vs: 'versus',
  utc: 'U T C',
};

/** Words of up to three capitals that are not abbreviations. */
const shortWords = new Set(
  'a i an and any are as at be but by can did do for get go got had has he her his if in into is it its job key lan let log low mac map max min my nat net new no not now of off old on one or our out own pin ram ran red run see set she sim so stop sum ten the to top try two up us use via wan was way we web who why yes you'.split(
    ' ',
  ),
);
/** Longer abbreviations that look like words. */
const spelledOut = new Set(
  'api aws cpu gpu icmp ieee imap ios ip ipmi iscsi oauth os ospf sla ui uefi ups uri url uuid'.split(' '),
);

const symbols: Record<string, string> = {
  '>=': 'at least',
  '<=': 'at most',
  '==': 'equals',
  '!=': 'is not',
  '->': 'to',
  '=>': 'to',
  '→': 'to',
  '>': 'over',
  '<': 'under',
  '=': 'equals',
  '&': 'and',
  '+': 'plus',
  '@': 'at',
  '#': 'number',
  '%': 'percent',
  '/': 'slash',
  '\\': 'backslash',
  '°': 'degrees',
  $: 'dollar',
  '≥': 'at least',
  '≤': 'at most',
};

const spell = (text: string) => [...text.toUpperCase()].join(' ');

function quantity({ isNegative, whole, fraction }: Quantity): string {
  return `${isNegative ? 'minus ' : ''}${whole}${fraction ? `.${fraction}` : ''}`;
}

function part(text: string): string {
  const lower = text.toLowerCase();
  const known = Object.hasOwn(words, lower) ? words[lower] : undefined;
  if (known !== undefined) return known;
  if (spelledOut.has(lower)) return spell(text);
  const isCapital = text === text.toUpperCase() && text.length > 1;
  const isPronounceable = /[aeiouy]/i.test(text);
  if (isCapital && text.length <= 3) return shortWords.has(lower) ? lower : spell(text);
  if (!isPronounceable && text.length <= 6) return spell(text);
  return isCapital ? lower : text;
}

function time({ hour, minute, second, offset }: ClockTime): string {
  const half = hour % 24 < 12 ? 'A M' : 'P M';
  const minutes = minute === 0 ? '' : minute < 10 ? ` oh ${minute}` : ` ${minute}`;
  const seconds = second ? ` and ${second} second${second === 1 ? '' : 's'}` : '';
  return `${hour % 12 || 12}${minutes} ${half}${seconds}${offset === undefined ? '' : ` ${zone(offset)}`}`;
}

function zone(offset: number): string {
  if (offset === 0) return 'U T C';
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
  return `U T C ${offset < 0 ? 'minus' : 'plus'} ${hours}${minutes ? ` ${minutes}` : ''}`;
}

export const english: Speaker = {
  silent: /[^A-Za-z0-9 .,;:?!'-]+/g,
  gap: ' ',
  digits: (text) => [...text].join(' '),
  number: quantity,
  amount(given, unit) {
    const name = units[unit]!;
    const isOne = given.whole === '1' && given.fraction === '';
    const [first, ...rest] = name.split(' ');
    const many = isOne || unchanging.test(name) ? name : [`${first}s`, ...rest].join(' ');
    return `${quantity(given)} ${many}`;
  },
  units,
  letters: spell,
  word: (text) =>
    text.includes("'")
      ? text
      : Object.hasOwn(words, text.toLowerCase())
        ? words[text.toLowerCase()]!
        : (text.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[A-Z]/g) ?? []).map(part).join(' '),
  date: ({ year, month, day }) => `${months[month - 1]} ${day}, ${year}`,
  time,
  version: (parts) => parts.join(' point '),
  phone: (groups, isInternational) =>
    `${isInternational ? 'plus ' : ''}${groups.map((group) => [...group].join(' ')).join(', ')}`,
  dot: 'dot',
  colon: 'colon',
  at: 'at',
  dash: 'dash',
  underscore: 'underscore',
  doubleColon: 'double colon',
  prefixLength: (bits) => `slash ${bits}`,
  port: (port) => `port ${port}`,
  compare: (operator, amount) => `${symbols[operator]} ${amount}`,
  symbols,
  stop: '. ',
  pause: ', ',
};
