// The Japanese voice: how texts of alerts are read, and whether the audio contains what was read.
import { readAloud } from '@yagura/core/speech/read-aloud/read-aloud';
import { describe, expect, test } from 'vitest';
import { findOpenJtalk } from '../../src/pigeon/voice/open-jtalk.ts';
import { readWav } from '../../src/pigeon/voice/wav.ts';
import { hasJapaneseVoice, japaneseVoice, type Phoneme, traceReading } from './japanese-voice.ts';

describe.runIf(hasJapaneseVoice())('the Japanese voice', () => {
  test.each([
    ['web01.example.comが応答しません', 'ウェブゼロイチドットエグザンプルドットコムガオートーシマセン'],
    ['db-prod-03', 'ディービーハイフンプロドハイフンゼロサン'],
    [
      '192.168.1.254:8080',
      'ヒャクキュージューニドットヒャクロクジューハチドットイチドットニヒャクゴジューヨン、ポートハッセンハチジューバン',
    ],
    ['2001:db8::1', 'ニーゼロゼロイチコロンディービーハチコロンコロンイチ'],
    ['2026-04-20T09:05:00Z', 'ニセンニジューロクネンシガツハツカ、キョーテーセカイジクジゴフン'],
    ['19:47から04:10まで', 'ジュークジヨンジューナナフンカラヨジジュップンマデ'],
    ['CPU >= 90%', 'シーピーユー、キュージュッパーセントイジョー'],
    ['3.25GBと10ms', 'サンテンニーゴーギガバイトトジューミリビョー'],
    ['温度が-6°C、6分で300回', 'オンドガマイナスロクド、ロップンデサンビャッカイ'],
    ['エラー3件、1,000件中13件', 'エラーサンケン、センケンチュージューサンケン'],
    ['1,234件のうち10件', 'センニヒャクサンジューヨンケンノウチジュッケン'],
    ['03-1234-5678', 'ゼロサンノイチニーサンヨンノゴーロクナナハチ'],
  ])('reads %j as %s', (text, reading) => {
    expect(traceReading(readAloud(text, 'ja')).reading).toBe(reading);
  });

  test('says each syllable when it is due, and nothing in pauses', async () => {
    const voice = findOpenJtalk(japaneseVoice)!;
    const texts = [
      'ウェブゼロイチが応答しません。担当者は、確認してください。',
      'ディスクに、空きがありません。今すぐ、古いファイルを削除してください。',
    ];
    const spoken = await Promise.all(
      texts.map(async (text) => {
        const [file] = await voice.speak(text, 'ja');
        return { audio: readWav(file!, { maxSeconds: 60 }), phonemes: traceReading(text).phonemes };
      }),
    );
    for (const { audio, phonemes } of spoken) {
      const seconds = audio.samples.length / audio.rate;
      expect(Math.abs(seconds - phonemes.at(-1)!.to)).toBeLessThan(0.02);
      const { vowels, pauses } = loudnessOf(audio, phonemes);
      expect(Math.min(...vowels)).toBeGreaterThan(100);
      expect(Math.max(...pauses)).toBeLessThan(mean(vowels) / 10);
      // As people speak Japanese: four to nine syllables a second.
      expect(vowels.length / seconds).toBeGreaterThan(4);
      expect(vowels.length / seconds).toBeLessThan(9);
    }
    const [first, second] = spoken;
    const { vowels, pauses } = loudnessOf(second!.audio, first!.phonemes);
    expect(Math.max(...pauses)).toBeGreaterThan(mean(vowels) / 10);
  });
});

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Root mean squares of what is heard during each voiced vowel, and during each pause between words. */
function loudnessOf({ samples, rate }: { samples: Int16Array; rate: number }, phonemes: readonly Phoneme[]) {
  const during = (names: RegExp) =>
    phonemes
      .filter(({ name }) => names.test(name))
      .map(({ from, to }) => {
        const part = samples.subarray(Math.round(from * rate), Math.round(to * rate));
        return Math.sqrt(part.reduce((sum, sample) => sum + sample ** 2, 0) / Math.max(1, part.length));
      });
  return { vowels: during(/^[aiueo]$/), pauses: during(/^pau$/) };
}
