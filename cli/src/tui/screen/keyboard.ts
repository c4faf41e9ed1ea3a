// From what a terminal sends to names of keys: escape sequences, the wheel, pasted text and pieces of wide characters.
import { StringDecoder } from 'node:string_decoder';

/** Milliseconds after which a lone escape is the key, and no longer the start of a sequence. */
const escapeTimeoutMs = 40;

const sequenceKeys: Record<string, string> = {
  '[A': 'up',
  '[B': 'down',
  '[C': 'right',
  '[D': 'left',
  '[H': 'home',
  '[F': 'end',
  OA: 'up',
  OB: 'down',
  OC: 'right',
  OD: 'left',
  OH: 'home',
  OF: 'end',
  '[1~': 'home',
  '[3~': 'delete',
  '[4~': 'end',
  '[5~': 'page-up',
  '[6~': 'page-down',
  '[7~': 'home',
  '[8~': 'end',
  '[Z': 'shift-tab',
};

const controlKeys: Record<string, string> = {
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  '\x7f': 'backspace',
  '\b': 'backspace',
  '\x1b': 'escape',
  ' ': 'space',
};

/** A control sequence (ECMA-48 5.4) or a single shift with its character, after the escape. */
const sequencePattern = /^(?:\[\[[A-E]|\[[0-?]*[ -/]*[@-~]|O[ -~])/;
/** The start of one of which the rest has not come yet. */
const partialSequencePattern = /^(?:\[[0-?]*[ -/]*|O|\[\[)?$/;

/** Reads keys from pieces of input, however they are cut. */
export class KeyReader {
  #decoder = new StringDecoder('utf8');
  #rest = '';
  #pasting = false;

  /** The keys that are complete. */
  push(chunk: Uint8Array | string): string[] {
    const text = typeof chunk === 'string' ? chunk : this.#decoder.write(Buffer.from(chunk));
    return this.#read(this.#rest + text);
  }

  /** Something has begun that may go on, or may be the escape key. */
  get hasPartialSequence(): boolean {
    return this.#rest !== '';
  }

  /** Nothing came after an escape: it was the key, and what follows was typed. */
  flush(): string[] {
    const rest = this.#rest;
    this.#rest = '';
    return rest === '' ? [] : ['escape', ...this.#read(rest.slice(1))];
  }

  #read(text: string): string[] {
    const keys: string[] = [];
    this.#rest = '';
    let at = 0;
    while (at < text.length) {
      if (text[at] !== '\x1b') {
        const [character = ''] = text.slice(at, at + 2);
        keys.push(...this.#keyOf(character));
        at += character.length;
        continue;
      }
      const after = text.slice(at + 1);
      if (partialSequencePattern.test(after)) {
        this.#rest = text.slice(at);
        return keys;
      }
      const found = sequencePattern.exec(after)?.[0];
      if (found === undefined) {
        // Alt and a key come as an escape and the key; nothing here is on Alt.
        keys.push('escape');
        at += 1;
        continue;
      }
      at += 1 + found.length;
      if (found === '[200~') this.#pasting = true;
      else if (found === '[201~') this.#pasting = false;
      else keys.push(...keyForSequence(found));
    }
    return keys;
  }

  #keyOf(character: string): string[] {
    // What is pasted is text: a line break in it must not confirm anything.
    if (this.#pasting) {
      if (/[\r\n\t ]/.test(character)) return ['space'];
      return character < ' ' || character === '\x7f' ? [] : [character];
    }
    const name = controlKeys[character];
    if (name) return [name];
    if (character >= ' ') return [character];
    const code = character.charCodeAt(0);
    return code >= 1 && code <= 26 ? [`ctrl-${String.fromCharCode(code + 96)}`] : [];
  }
}

/** The key of a sequence; the wheel turns as SGR mouse reports (xterm, mode 1006). */
function keyForSequence(found: string): string[] {
  const mouse = /^\[<(\d+);\d+;\d+[Mm]$/.exec(found);
  if (mouse) {
    const button = Number(mouse[1]);
    if ((button & 64) === 0) return [];
    return (button & 3) === 0 ? ['wheel-up'] : (button & 3) === 1 ? ['wheel-down'] : [];
  }
  // Modifiers of the arrows and the like count as the plain key.
  const plain = found.replace(/^\[1;\d+([A-Z])$/, '[$1').replace(/^(\[\d+);\d+~$/, '$1~');
  const name = sequenceKeys[plain];
  return name ? [name] : [];
}

/** Listens to a terminal's input; all keys of one report go out together. The result stops it. */
export function listenKeys(stdin: NodeJS.ReadStream, onKeys: (keys: readonly string[]) => void): () => void {
  const reader = new KeyReader();
  let timer: NodeJS.Timeout | undefined;
  const emit = (keys: readonly string[]) => keys.length > 0 && onKeys(keys);
  const handleData = (chunk: Uint8Array | string) => {
    clearTimeout(timer);
    emit(reader.push(chunk));
    if (reader.hasPartialSequence) timer = setTimeout(() => emit(reader.flush()), escapeTimeoutMs);
  };
  stdin.on('data', handleData);
  return () => {
    clearTimeout(timer);
    stdin.off('data', handleData);
  };
}
