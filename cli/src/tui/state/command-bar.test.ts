import { describe, expect, test } from 'vitest';
import { testContext } from '../../../test/start-test-tui.tsx';
import { resourceNamed } from '../../resource/meta/resource-client.ts';
import { commandCompletions, matchCompletions, parseCommand } from './command-bar.ts';
import { actionsOf } from './resource-actions.ts';

const context = await testContext();
const ja = await testContext('ja');
const actions = actionsOf(resourceNamed('scope'));
const all = [
  { word: 'undo-web', note: 'Webs taken back' },
  { word: 'spider', note: 'Web maker' },
  { word: 'webs', note: 'Many' },
  { word: 'web', note: 'One' },
  { word: 'web-front', note: 'Front' },
];
const matched = (typed: string) => matchCompletions(typed, all).map(({ word }) => word);

describe('completions', () => {
  test('come as a whole word, by its beginning, by the beginning of the meaning, then by any part', () => {
    expect(matched('web')).toEqual(['web', 'webs', 'web-front', 'undo-web', 'spider']);
    expect(matched(' WEB-')).toEqual(['web-front']);
    expect(matched('maker')).toEqual(['spider']);
    expect(matched('')).toEqual(all.map(({ word }) => word));
    expect(matched('none')).toEqual([]);
  });

  test('by a part of the meaning come after those by its beginning', () => {
    const some = [
      { word: 'a', note: 'the web' },
      { word: 'b', note: 'Web' },
    ];
    expect(matchCompletions('web', some).map(({ word }) => word)).toEqual(['b', 'a']);
  });

  test('are for the first word only', () => expect(matched('web ')).toEqual([]));

  test('are resources, actions and words, each with its meaning', () => {
    const found = commandCompletions(context, actions);
    expect(found).toEqual(
      expect.arrayContaining([
        { word: 'scopes', note: 'Scopes' },
        { word: 'line', note: expect.any(String) },
        { word: 'delete', note: context.t('tui.act.delete') },
        { word: 'quit', note: context.t('tui.word.quit') },
      ]),
    );
  });
});

describe('a command', () => {
  test.each([
    ['quit', { kind: 'word', word: 'quit' }],
    ['q', { kind: 'word', word: 'quit' }],
    [' scopes  web  front ', { kind: 'go', resource: 'scope', rest: 'web front' }],
    ['scope', { kind: 'go', resource: 'scope', rest: '' }],
    ['delete', { kind: 'act', action: { name: 'delete' } }],
    // The only one that matches.
    ['receive-s', { kind: 'go', resource: 'receive-slot', rest: '' }],
    ['receive-s web', { kind: 'unknown', word: 'receive-s', suggestions: ['receive-slots'] }],
    ['scopse', { kind: 'unknown', word: 'scopse', suggestions: ['scopes'] }],
    ['xyzzyxyzzy', { kind: 'unknown', word: 'xyzzyxyzzy', suggestions: [] }],
  ])('%j is %j', (line, expected) => expect(parseCommand(line, context, actions)).toMatchObject(expected));

  test('that many words match names five of them', () => {
    const parsed = parseCommand('s', context, actions);
    expect(parsed).toMatchObject({ kind: 'unknown', suggestions: { length: 5 } });
  });

  test('may be a noun of either language', () => {
    const { noun } = resourceNamed('scope');
    for (const word of [noun.ja, ...noun.en])
      expect(parseCommand(word, ja, [])).toEqual({ kind: 'go', resource: 'scope', rest: '' });
  });
});
