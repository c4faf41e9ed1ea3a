// Single-line text input by grapheme, so that the cursor is never inside a character.

export interface TextInput {
  text: string;
  /** Cursor position in UTF-16 units. */
  at: number;
}

/** Maximum length in UTF-16 units. */
const maxInputLength = 500;

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

export function createTextInput(text = ''): TextInput {
  return { text, at: text.length };
}

/** Applies a key to the input; returns the same object when the key has no effect. */
export function applyTextKey(input: TextInput, key: string): TextInput {
  const { text, at } = input;
  switch (key) {
    case 'left':
    case 'ctrl-b':
      return at === 0 ? input : { text, at: previousBoundary(text, at) };
    case 'right':
    case 'ctrl-f':
      return at === text.length ? input : { text, at: nextBoundary(text, at) };
    case 'home':
    case 'ctrl-a':
      return { text, at: 0 };
    case 'end':
    case 'ctrl-e':
      return { text, at: text.length };
    case 'backspace': {
      if (at === 0) return input;
      const from = previousBoundary(text, at);
      return { text: text.slice(0, from) + text.slice(at), at: from };
    }
    case 'delete':
    case 'ctrl-d':
      return at === text.length
        ? input
        : { text: text.slice(0, at) + text.slice(nextBoundary(text, at)), at };
    case 'ctrl-u':
      return { text: text.slice(at), at: 0 };
    case 'ctrl-k':
      return { text: text.slice(0, at), at };
    case 'ctrl-w': {
      const kept = text.slice(0, at).replace(/[^\s\u3000]*[\s\u3000]*$/, '');
      return { text: kept + text.slice(at), at: kept.length };
    }
    case 'space':
      return insertText(input, ' ');
    default:
      // Key names are ASCII and longer than one character.
      return /^[!-~]{2,}$/.test(key) ? input : insertText(input, key);
  }
}

function insertText({ text, at }: TextInput, inserted: string): TextInput {
  const maxWidth = maxInputLength - text.length;
  const taken = inserted.length <= maxWidth ? inserted : '';
  return { text: text.slice(0, at) + taken + text.slice(at), at: at + taken.length };
}

function previousBoundary(text: string, at: number): number {
  let from = 0;
  for (const { index } of segmenter.segment(text)) {
    if (index >= at) break;
    from = index;
  }
  return from;
}

function nextBoundary(text: string, at: number): number {
  const [first] = segmenter.segment(text.slice(at));
  return at + (first?.segment.length ?? 0);
}
