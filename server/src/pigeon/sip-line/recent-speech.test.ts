import { expect, test } from 'vitest';
import { RecentSpeech } from './recent-speech.ts';

function create(limit: number) {
  const rendered: string[] = [];
  const speech = new RecentSpeech(
    {
      languages: () => new Set(),
      recording: async () => null,
      render: async (space, text, language) => {
        rendered.push(`${space} ${language} ${text}`);
        if (text === 'fails') throw new Error('no voice');
        return new Int16Array(10);
      },
    },
    limit,
  );
  return { speech, rendered };
}

test('renders a text once for a space and language, also when requested at the same time', async () => {
  const { speech, rendered } = create(100);
  const [first, second] = await Promise.all([speech.render('a', 'x', 'en'), speech.render('a', 'x', 'en')]);
  expect(first).toBe(second);
  expect(await speech.render('a', 'x', 'en')).toBe(first);
  await speech.render('b', 'x', 'en');
  await speech.render('a', 'x', 'ja');
  expect(rendered).toEqual(['a en x', 'b en x', 'a ja x']);
});

test('drops what was not used for the longest time', async () => {
  const { speech, rendered } = create(20);
  for (const text of ['x', 'y', 'x', 'z', 'x', 'y']) await speech.render('a', text, 'en');
  expect(rendered.map((line) => line.at(-1))).toEqual(['x', 'y', 'z', 'y']);
});

test('tries a failed text again', async () => {
  const { speech, rendered } = create(20);
  await expect(speech.render('a', 'fails', 'en')).rejects.toThrow('no voice');
  await expect(speech.render('a', 'fails', 'en')).rejects.toThrow('no voice');
  expect(rendered).toHaveLength(2);
});
