import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readAloud } from './read-aloud.ts';

describe('English', () => {
  test.each([
    ['web01.example.com', 'web 0 1 dot example dot com'],
    ['Host db-prod-03 is down', 'Host D B dash prod dash 0 3 is down'],
    ['api.example.co.jp:8443', 'A P I dot example dot co dot J P port 8443'],
    ['rack_101', 'rack underscore 1 0 1'],
    ['10.0.0.1', '10 dot 0 dot 0 dot 1'],
    ['192.168.1.254:8080', '192 dot 168 dot 1 dot 254 port 8080'],
    ['10.0.0.0/8', '10 dot 0 dot 0 dot 0 slash 8'],
    ['2001:db8::1', '2 0 0 1 colon D B 8 double colon 1'],
    ['fe80::/10', 'F E 8 0 double colon slash 10'],
    ['00:1a:2b:3c:4d:5e', '0 0, 1 A, 2 B, 3 C, 4 D, 5 E'],
    ['https://user:pw@web01.example.com:8443/path?q=1 failed', 'web 0 1 dot example dot com failed'],
    ['https://[2001:db8::1]/', '2 0 0 1 colon D B 8 double colon 1'],
    ['ops@example.com', 'ops at example dot com'],
    ['3.5 GB', '3.5 gigabytes'],
    ['1 GB', '1 gigabyte'],
    ['98%', '98 percent'],
    ['10ms', '10 milliseconds'],
    ['5m', '5 minutes'],
    ['1h30m', '1 hour 30 minutes'],
    ['100 Mbps', '100 megabits per second'],
    ['-5 °C', 'minus 5 degrees Celsius'],
    ['2.4 GHz', '2.4 gigahertz'],
    ['1,234 errors', '1234 errors'],
    ['2026-01-31', 'January 31, 2026'],
    ['2026/1/5', 'January 5, 2026'],
    ['2026-01-31T09:05:00Z', 'January 31, 2026, 9 oh 5 A M U T C'],
    ['2026-01-31 18:30:05+09:00', 'January 31, 2026, 6 30 P M and 5 seconds U T C plus 9'],
    ['at 14:00', 'at 2 P M'],
    ['00:15', '12 15 A M'],
    ['2026-13-31', '2026 13 31'],
    ['1234567890', '1 2 3 4 5 6 7 8 9 0'],
    ['code 007', 'code 0 0 7'],
    ['+81-3-1234-5678', 'plus 8 1, 3, 1 2 3 4, 5 6 7 8'],
    ['03-1234-5678', '0 3, 1 2 3 4, 5 6 7 8'],
    ['v1.2.3', '1 point 2 point 3'],
    ['CRITICAL: disk full', 'critical, disk full'],
    ['WARN', 'warning'],
    ['SEV1', 'severity 1'],
    ['OK', 'okay'],
    ['CPU >= 90%', 'C P U at least 90 percent'],
    ['load > 4.5', 'load over 4.5'],
    ['HTTP 503', 'H T T P 503'],
    ['DISK FULL ON HOST', 'disk full on host'],
    ['[FIRING:1] InstanceDown', 'firing, 1, Instance Down'],
    ['node_cpu_seconds_total', 'node C P U seconds total'],
    ['disk /var/log is full', 'disk slash var slash log is full'],
    ['PostgreSQL is down', 'postgres is down'],
    ["Don't wait. Call!", "Don't wait. Call!"],
    ['Press 1 to accept.', 'Press 1 to accept.'],
    ['the 1st café', 'the 1st cafe'],
    ['=====', ''],
    ['👍', ''],
  ])('%j is read as %j', (text, spoken) => expect(readAloud(text, 'en')).toBe(spoken));
});

describe('Japanese', () => {
  test.each([
    [
      'web01.example.comでディスク使用率が98%になりました',
      'ウェブゼロイチドットエグザンプルドットコムでディスク使用率が98パーセントになりました',
    ],
    ['db-prod-03', 'ディービーハイフンプロドハイフンゼロサン'],
    ['10.0.0.1', '10ドット0ドット0ドット1'],
    ['192.168.1.254:8080', '192ドット168ドット1ドット254、ポート8080番'],
    ['2001:db8::1', 'ニーゼロゼロイチコロンディービーハチコロンコロンイチ'],
    ['00:1a:2b:3c:4d:5e', 'ゼロゼロ、イチエー、ニービー、サンシー、ヨンディー、ゴーイー'],
    ['https://web01.example.com/path を確認', 'ウェブゼロイチドットエグザンプルドットコム を確認'],
    ['3.5 GB', '3テン5ギガバイト'],
    ['3.25GB', '3テンニーゴーギガバイト'],
    ['10ms', '10ミリ秒'],
    ['1h30m', '1時間30分'],
    ['温度が-5°Cです', '温度がマイナス5度です'],
    ['1,234件', '1234件'],
    ['2026-01-31T09:05:00Z', '2026年1月31日、協定世界時9時5分'],
    ['2026-01-31 18:30:05+09:00', '2026年1月31日、日本時間18時30分5秒'],
    ['14:00に停止', '14時に停止'],
    ['1234567890', 'イチニーサンヨンゴーロクナナハチキューゼロ'],
    ['03-1234-5678', 'ゼロサンのイチニーサンヨンのゴーロクナナハチ'],
    ['090-1234-5678', 'ゼロキューゼロのイチニーサンヨンのゴーロクナナハチ'],
    ['v1.2.3', '1テン2テン3'],
    ['CRITICAL: CPU使用率', 'クリティカル、シーピーユー使用率'],
    ['CPU >= 90%', 'シーピーユー 90パーセント以上'],
    ['ＣＰＵ９５％', 'シーピーユー95パーセント'],
    ['ﾃﾞｨｽｸ', 'ディスク'],
    ['HTTP 503', 'エイチティーティーピー 503'],
    ['[FIRING:1] InstanceDown', '発生中、1、インスタンスダウン'],
    ['Zabbix serverで障害', 'ザビックス サーバーで障害'],
    ['「監視」（重大）です！', '監視、重大、です！'],
    ['1番が押されました。', '1番が押されました。'],
    ['異常です\n確認してください', '異常です。確認してください'],
    ['👍', ''],
  ])('%j is read as %j', (text, spoken) => expect(readAloud(text, 'ja')).toBe(spoken));
});

const sayable = {
  en: /^[A-Za-z0-9 .,;:?!'-]*$/,
  ja: /^[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}ー0-9 、。？！]*$/u,
};

/** Pieces of alerts beside arbitrary characters. */
const texts = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom(...'.:-_/@>=% 0,1,f,あ,漢,W,h://,2026-01-31,10.0.0.1,::'.split(',')),
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(''));

test.each(['en', 'ja'] as const)('what is said in %s is bounded and can be said', (language) => {
  fc.assert(
    fc.property(texts, (text) => {
      const spoken = readAloud(text, language);
      expect(spoken).toMatch(sayable[language]);
      expect(spoken.length).toBeLessThanOrEqual(4 * text.length + 200);
    }),
    { numRuns: 300 },
  );
});

test('every token is read once, so that the time grows with the text', () => {
  for (const piece of ['a', 'a.', '1', '1.', '-', '1:', 'f:', '0-', 'a-', 'a_', '>', '1,', 'h://', '漢'])
    expect(readAloud(piece.repeat(20_000), 'ja').length).toBeLessThanOrEqual(4 * 80_000 + 200);
});
