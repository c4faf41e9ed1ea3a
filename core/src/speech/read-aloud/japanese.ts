// Speaks Japanese: Latin letters in katakana, digits where numbers are read as such.
import { japaneseWords } from './japanese-words.ts';
import type { ClockTime, Quantity, Speaker } from './speaker.ts';

const digitNames = ['ゼロ', 'イチ', 'ニー', 'サン', 'ヨン', 'ゴー', 'ロク', 'ナナ', 'ハチ', 'キュー'];

const letterNames: Record<string, string> = Object.fromEntries(
  'a エー b ビー c シー d ディー e イー f エフ g ジー h エイチ i アイ j ジェー k ケー l エル m エム n エヌ o オー p ピー q キュー r アール s エス t ティー u ユー v ブイ w ダブリュー x エックス y ワイ z ゼット'
    .match(/[a-z] \S+/g)!
    .map((entry) => entry.split(' ')),
);

const units: Record<string, string> = {
  B: 'バイト',
  kB: 'キロバイト',
  KB: 'キロバイト',
  MB: 'メガバイト',
  GB: 'ギガバイト',
  TB: 'テラバイト',
  PB: 'ペタバイト',
  KiB: 'キビバイト',
  MiB: 'メビバイト',
  GiB: 'ギビバイト',
  TiB: 'テビバイト',
  bps: 'ビーピーエス',
  kbps: 'キロビーピーエス',
  Kbps: 'キロビーピーエス',
  Mbps: 'メガビーピーエス',
  Gbps: 'ギガビーピーエス',
  Hz: 'ヘルツ',
  kHz: 'キロヘルツ',
  MHz: 'メガヘルツ',
  GHz: 'ギガヘルツ',
  ns: 'ナノ秒',
  us: 'マイクロ秒',
  μs: 'マイクロ秒',
  ms: 'ミリ秒',
  s: '秒',
  sec: '秒',
  secs: '秒',
  m: '分',
  min: '分',
  mins: '分',
  h: '時間',
  hr: '時間',
  hrs: '時間',
  d: '日',
  '%': 'パーセント',
  '°C': '度',
  '°F': '度',
  V: 'ボルト',
  mV: 'ミリボルト',
  A: 'アンペア',
  W: 'ワット',
  kW: 'キロワット',
  kVA: 'キロボルトアンペア',
  dB: 'デシベル',
  dBm: 'ディービーエム',
  rpm: '回転',
  'req/s': 'リクエスト毎秒',
  'pkt/s': 'パケット毎秒',
};

/** Follow the number. */
const comparisons: Record<string, string> = {
  '>=': '以上',
  '<=': '以下',
  '≥': '以上',
  '≤': '以下',
  '>': 'より上',
  '<': 'より下',
};

const digits = (text: string) => [...text].map((digit) => digitNames[Number(digit)]).join('');
const letters = (text: string) => [...text.toLowerCase()].map((letter) => letterNames[letter]).join('');

function quantity({ isNegative, whole, fraction }: Quantity): string {
  const after = fraction.length > 1 ? digits(fraction) : fraction;
  return `${isNegative ? 'マイナス' : ''}${whole}${fraction ? `テン${after}` : ''}`;
}

function word(text: string): string {
  const known = (part: string) => {
    const lower = part.toLowerCase();
    return (
      japaneseWords.get(lower) ?? (lower.endsWith('s') ? japaneseWords.get(lower.slice(0, -1)) : undefined)
    );
  };
  const plain = text.replaceAll("'", '');
  const parts = plain.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[A-Z]/g) ?? [];
  return known(plain) ?? parts.map((part) => known(part) ?? letters(part)).join('');
}

function time({ hour, minute, second, offset }: ClockTime): string {
  const clock = `${hour}時${minute || second ? `${minute}分` : ''}${second ? `${second}秒` : ''}`;
  return offset === undefined ? clock : `${zone(offset)}${clock}`;
}

function zone(offset: number): string {
  if (offset === 0) return '協定世界時';
  if (offset === 540) return '日本時間';
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
  return `協定世界時${offset < 0 ? 'マイナス' : 'プラス'}${hours}時間${minutes ? `${minutes}分` : ''}の`;
}

export const japanese: Speaker = {
  silent: /[^\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}ー0-9 、。？！]+/gu,
  gap: '',
  digits,
  number: quantity,
  amount: (given, unit) => `${quantity(given)}${units[unit]}`,
  units,
  letters,
  word,
  date: ({ year, month, day }) => `${year}年${month}月${day}日`,
  time,
  version: (parts) => parts.join('テン'),
  phone: (groups, isInternational) => `${isInternational ? 'プラス' : ''}${groups.map(digits).join('の')}`,
  dot: 'ドット',
  colon: 'コロン',
  at: 'アットマーク',
  dash: 'ハイフン',
  underscore: 'アンダーバー',
  doubleColon: 'コロンコロン',
  prefixLength: (bits) => `スラッシュ${bits}`,
  port: (port) => `、ポート${port}番`,
  compare: (operator, amount) => `${amount}${comparisons[operator]}`,
  symbols: {
    '>=': '大なりイコール',
    '<=': '小なりイコール',
    '==': 'イコール',
    '!=': 'ノットイコール',
    '->': 'から',
    '=>': 'から',
    '→': 'から',
    '>': '大なり',
    '<': '小なり',
    '=': 'イコール',
    '&': 'アンド',
    '+': 'プラス',
    '@': 'アットマーク',
    '#': 'シャープ',
    '%': 'パーセント',
    '/': 'スラッシュ',
    '\\': 'バックスラッシュ',
    '°': '度',
    $: 'ドル',
    '≥': '大なりイコール',
    '≤': '小なりイコール',
  },
  stop: '。',
  pause: '、',
};
