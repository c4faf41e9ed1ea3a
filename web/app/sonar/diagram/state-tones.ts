// Tones of the states of managed nodes, as their descriptor has them.
import type { Tone } from '@yagura/core/resource/field';

export const stateTones: Record<string, Tone> = { new: 'info', stable: 'success', outdated: 'warning' };
