// Scan codes (set 1) of keys by their place on the keyboard, as `KeyboardEvent.code` names it. The host's layout decides
// which letter a key gives.

const extended = 0xe000;
const rows: [first: number, keys: string][] = [
  [
    0x01,
    'Escape Digit1 Digit2 Digit3 Digit4 Digit5 Digit6 Digit7 Digit8 Digit9 Digit0 Minus Equal Backspace',
  ],
  [0x0f, 'Tab KeyQ KeyW KeyE KeyR KeyT KeyY KeyU KeyI KeyO KeyP BracketLeft BracketRight Enter ControlLeft'],
  [0x1e, 'KeyA KeyS KeyD KeyF KeyG KeyH KeyJ KeyK KeyL Semicolon Quote Backquote ShiftLeft Backslash'],
  [
    0x2c,
    'KeyZ KeyX KeyC KeyV KeyB KeyN KeyM Comma Period Slash ShiftRight NumpadMultiply AltLeft Space CapsLock',
  ],
  [0x3b, 'F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 NumLock ScrollLock Numpad7 Numpad8 Numpad9 NumpadSubtract'],
  [0x4b, 'Numpad4 Numpad5 Numpad6 NumpadAdd Numpad1 Numpad2 Numpad3 Numpad0 NumpadDecimal'],
  [0x56, 'IntlBackslash F11 F12'],
];
const others: Record<string, number> = {
  ...{ KanaMode: 0x70, IntlRo: 0x73, Convert: 0x79, NonConvert: 0x7b, IntlYen: 0x7d, NumpadComma: 0x7e },
  ...{ NumpadEnter: extended | 0x1c, ControlRight: extended | 0x1d, NumpadDivide: extended | 0x35 },
  ...{ PrintScreen: extended | 0x37, AltRight: extended | 0x38, Pause: extended | 0x46 },
  ...{ Home: extended | 0x47, ArrowUp: extended | 0x48, PageUp: extended | 0x49, ArrowLeft: extended | 0x4b },
  ...{
    ArrowRight: extended | 0x4d,
    End: extended | 0x4f,
    ArrowDown: extended | 0x50,
    PageDown: extended | 0x51,
  },
  ...{
    Insert: extended | 0x52,
    Delete: extended | 0x53,
    MetaLeft: extended | 0x5b,
    MetaRight: extended | 0x5c,
  },
  ...{ ContextMenu: extended | 0x5d },
  // Korean and Japanese keyboards name these by their meaning.
  ...{ Lang1: 0x72, Lang2: 0x71 },
};

const codes = new Map<string, number>(Object.entries(others));
for (const [first, keys] of rows)
  for (const [index, key] of keys.split(' ').entries()) codes.set(key, first + index);

/** Null for a key that the host cannot get. */
export function scanCodeOf(code: string): number | null {
  return codes.get(code) ?? null;
}

export const ctrlAltDelete = ['ControlLeft', 'AltLeft', 'Delete'] as const;
