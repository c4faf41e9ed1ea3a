// Decodes terminal input into key names: escape sequences, mouse wheel, pasted text and split UTF-8
// characters.
import { StringDecoder } from 'node:string_decoder';

/** Milliseconds after which a lone escape is the Escape key rather than the start of a sequence. */
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
/** The start of an incomplete sequence. */
const partialSequencePattern = /^(?:\[[0-?]*[ -/]*|O|\[\[)?$/;

/** Decodes keys from input chunks of any size. */
export class KeyReader {
  #decoder = new StringDecoder('utf8');
  #rest = '';
  #pasting = false;

  /** Returns the completed keys. */
  push(chunk: Uint8Array | string): string[] {
    const text = typeof chunk === 'string' ? chunk : this.#decoder.write(Buffer.from(chunk));
    return this.#read(this.#rest + text);
  }

  /** Whether an incomplete sequence is buffered, which may turn out to be the Escape key. */
  get hasPartialSequence(): boolean {
    return this.#rest !== '';
  }

  /** Called when nothing follows an escape: emits the Escape key and the characters after it. */
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
        // Alt with a key is sent as an escape and the key; no Alt bindings exist here.
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
    // Pasted input is text: a line break in it must not confirm anything.
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

/** The key of a sequence; the wheel is reported as SGR mouse reports (xterm, mode 1006). */
function keyForSequence(found: string): string[] {
  const mouse = /^\[<(\d+);\d+;\d+[Mm]$/.exec(found);
  if (mouse) {
    const button = Number(mouse[1]);
    if ((button & 64) === 0) return [];
    return (button & 3) === 0 ? ['wheel-up'] : (button & 3) === 1 ? ['wheel-down'] : [];
  }
  // Modifiers of arrows and similar keys are ignored.
  const plain = found.replace(/^\[1;\d+([A-Z])$/, '[$1').replace(/^(\[\d+);\d+~$/, '$1~');
  const name = sequenceKeys[plain];
  return name ? [name] : [];
}

/**
 * Listens to the terminal input and delivers all keys of a chunk together. Returns the function that stops
 * it.
 */
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
