// What in a text is not said as it is written: a table of patterns with what a speaker says for them. Each
// pattern matches a bounded number of characters, so that reading takes linear time.
import { isIp } from '../../validation/ip.ts';
import type { Quantity, Speaker } from './speaker.ts';

/** Says a match; null if it is something else. */
export type Say = (match: RegExpExecArray, speaker: Speaker) => string | null;

const hostPattern = String.raw`(?:[a-z0-9_][a-z0-9_-]{0,62}\.){1,10}[a-z]{2,24}(?![\w-])`;
const ipv4Pattern = String.raw`\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}`;
const zonePattern = String.raw`(?: ?(Z|UTC|[+-]\d{2}:?\d{2})(?![\w:]))?`;
const numberPattern = String.raw`([-+]?)(\d{1,3}(?:,\d{3}){1,5}|\d{1,15})(?:\.(\d{1,9}))?`;
/** Units that may follow a space; a single letter other than s is one only directly after the number. */
const longUnits =
  '%|°C|°F|kB|KB|MB|GB|TB|PB|KiB|MiB|GiB|TiB|bps|kbps|Kbps|Mbps|Gbps|Hz|kHz|MHz|GHz|ns|us|μs|ms|secs?|mins?|hrs?|mV|kW|kVA|dBm?|rpm|req/s|pkt/s|s';
const shortUnits = '[BsmhdVAW]';

const toQuantity = (sign: string | undefined, whole: string, fraction = ''): Quantity => ({
  isNegative: sign === '-',
  whole: whole.replaceAll(',', ''),
  fraction,
});

/** Without a name for a day or a time that does not exist. */
const isBetween = (value: number, min: number, max: number) => value >= min && value <= max;

function sayTime([hour, minute, second, zone]: (string | undefined)[], speaker: Speaker): string | null {
  const time = {
    hour: Number(hour),
    minute: Number(minute),
    second: second === undefined ? undefined : Number(second),
    offset: zone === undefined ? undefined : toOffset(zone),
  };
  if (time.hour > 24 || time.minute > 59 || (time.second ?? 0) > 60) return null;
  return speaker.time(time);
}

function toOffset(zone: string): number {
  if (zone === 'Z' || zone === 'UTC') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return zone.startsWith('-') ? -minutes : minutes;
}

function sayIpv4(text: string, speaker: Speaker): string | null {
  const parts = text.split('.');
  return parts.every((part) => Number(part) <= 255)
    ? parts.map(Number).join(spaced(speaker, speaker.dot))
    : null;
}

const spaced = (speaker: Speaker, text: string) => `${speaker.gap}${text}${speaker.gap}`;

function sayIpv6(text: string, speaker: Speaker): string {
  const group = (part: string) => sayCharacters(part, speaker);
  const half = (part: string) =>
    part === '' ? '' : part.split(':').map(group).join(spaced(speaker, speaker.colon));
  return text.split('::').map(half).join(spaced(speaker, speaker.doubleColon)).trim();
}

/** Each letter and digit. */
function sayCharacters(text: string, speaker: Speaker): string {
  return (text.match(/\d+|[a-z]+/gi) ?? [])
    .map((run) => (/\d/.test(run) ? speaker.digits(run) : speaker.letters(run)))
    .join(speaker.gap);
}

/** A label of a host name or an identifier: words and digits, as people read them to each other. */
export function sayLabel(label: string, speaker: Speaker): string {
  // Random characters have no words.
  if (label.length >= 16 && /^[0-9a-f-]+$/i.test(label) && /\d/.test(label))
    return sayCharacters(label, speaker);
  return (label.match(/\d+|[a-z]+|-+|_+/gi) ?? [])
    .map((run) => {
      if (run.startsWith('-')) return speaker.dash;
      if (run.startsWith('_')) return speaker.underscore;
      if (/[a-z]/i.test(run)) return speaker.word(run);
      return run.length > 2 || (run.startsWith('0') && run !== '0') ? speaker.digits(run) : run;
    })
    .join(speaker.gap);
}

export function sayHost(host: string, speaker: Speaker): string {
  if (new RegExp(`^${ipv4Pattern}$`).test(host))
    return sayIpv4(host, speaker) ?? speaker.digits(host.replace(/\D/g, ''));
  if (isIp(host)) return sayIpv6(host.toLowerCase(), speaker);
  return host
    .split('.')
    .filter(Boolean)
    .map((label) => sayLabel(label, speaker))
    .join(spaced(speaker, speaker.dot));
}

const withPort = (said: string, port: string | undefined, speaker: Speaker) =>
  port === undefined ? said : `${said}${speaker.gap}${speaker.port(port)}`;

const sayUrl: Say = ([, authority], speaker) => {
  const host = authority!.slice(authority!.lastIndexOf('@') + 1);
  const bare = /^\[([^\]]*)\]/.exec(host)?.[1] ?? host.replace(/:\d*$/, '');
  return sayHost(bare, speaker);
};

/** In this order; the first that matches and says something counts. */
export const rules: readonly (readonly [RegExp, Say])[] = [
  [/[a-z][a-z0-9+.-]{0,15}:\/\/([^\s/?#"'<>()、。「」]{1,255})[^\s"'<>()、。「」]{0,4000}/iy, sayUrl],
  [
    /[0-9a-f]{2}([:-])(?:[0-9a-f]{2}\1){4}[0-9a-f]{2}(?![\w:-])/iy,
    ([text, separator], speaker) =>
      text
        .split(separator!)
        .map((pair) => sayCharacters(pair, speaker))
        .join(speaker.pause),
  ],
  [
    /([0-9a-f:]{2,39})(?:\/(\d{1,3}))?(?![\w:])/iy,
    ([, address, bits], speaker) => {
      if (!address!.includes(':') || !isIp(address!)) return null;
      const said = sayIpv6(address!.toLowerCase(), speaker);
      return bits === undefined ? said : `${said}${speaker.gap}${speaker.prefixLength(bits)}`;
    },
  ],
  [
    new RegExp(String.raw`(${ipv4Pattern})(?:\/(\d{1,2})|:(\d{1,5}))?(?![\w]|\.\d)`, 'y'),
    ([, address, bits, port], speaker) => {
      const said = sayIpv4(address!, speaker);
      if (said === null || bits === undefined) return said && withPort(said, port, speaker);
      return `${said}${speaker.gap}${speaker.prefixLength(bits)}`;
    },
  ],
  [
    new RegExp(
      String.raw`(\d{4})([-/])(\d{1,2})\2(\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?${zonePattern})?(?!\w)`,
      'y',
    ),
    ([, year, , month, day, ...time], speaker) => {
      const date = { year: Number(year), month: Number(month), day: Number(day) };
      if (!isBetween(date.month, 1, 12) || !isBetween(date.day, 1, 31)) return null;
      if (time[0] === undefined) return speaker.date(date);
      const said = sayTime(time, speaker);
      return said && `${speaker.date(date)}${speaker.pause}${said}`;
    },
  ],
  [
    new RegExp(String.raw`(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?${zonePattern}(?![\w:])`, 'y'),
    ([, ...time], speaker) => sayTime(time, speaker),
  ],
  [
    /(?:(\+)\d{1,3}(?:[- ]\d{1,4}){2,4}|(?:0\d{1,4})(?:-\d{1,4}){2}|\+\d{8,15})(?![\w-])/y,
    ([text], speaker) => {
      const groups = text.match(/\d+/g)!;
      const count = groups.join('').length;
      return isBetween(count, 8, 15) ? speaker.phone(groups, text.startsWith('+')) : null;
    },
  ],
  [
    /(?=\d+[dhm]\d)(?:(\d{1,5})d)?(?:(\d{1,5})h)?(?:(\d{1,5})m)?(?:(\d{1,6})s)?(?!\w)/y,
    ([, ...given], speaker) =>
      given
        .map((value, at) => value && speaker.amount(toQuantity('', value), 'dhms'[at]!))
        .filter(Boolean)
        .join(speaker.gap) || null,
  ],
  [
    new RegExp(String.raw`${numberPattern}(?: ?(${longUnits})|(${shortUnits}))(?!\w)`, 'y'),
    ([, sign, whole, fraction, long, short], speaker) =>
      speaker.amount(toQuantity(sign, whole!, fraction), (long ?? short)!),
  ],
  [/v?(\d{1,6}(?:\.\d{1,6}){2,5})(?![\w]|\.\d)/iy, ([, text], speaker) => speaker.version(text!.split('.'))],
  [
    new RegExp(String.raw`([\w.+-]{1,64})@(${hostPattern})`, 'iy'),
    ([, name, host], speaker) =>
      `${sayHost(name!, speaker)}${spaced(speaker, speaker.at)}${sayHost(host!, speaker)}`,
  ],
  [
    new RegExp(String.raw`(${hostPattern})(?::(\d{1,5}))?(?!\w)`, 'iy'),
    ([, host, port], speaker) => {
      const last = host!.slice(host!.lastIndexOf('.') + 1);
      // The end of a sentence without a space after it.
      if (/^[A-Z][a-z]/.test(last)) return null;
      return withPort(sayHost(host!, speaker), port, speaker);
    },
  ],
  [
    new RegExp(String.raw`${numberPattern}(?![\w]|\.\d)`, 'y'),
    ([, sign, whole, fraction], speaker) => {
      const isCode = !whole!.includes(',') && (whole!.length > 6 || /^0\d/.test(whole!));
      return isCode && !fraction
        ? speaker.digits(whole!)
        : speaker.number(toQuantity(sign, whole!, fraction));
    },
  ],
  [/\d{7,4000}/y, ([text], speaker) => speaker.digits(text)],
  [/\d{1,3}(?:st|nd|rd|th)(?!\w)/iy, ([text], speaker) => (speaker.gap ? text : null)],
  [
    /(?=[a-z_-]{0,40}\d)[a-z0-9]{1,63}(?:[-_][a-z0-9]{1,63}){0,10}/iy,
    ([text], speaker) => sayLabel(text, speaker),
  ],
];
