// Tones of the managed node states, from the resource definition.
import type { Tone } from '@yagura/core/resource/field';

export const stateTones: Record<string, Tone> = { new: 'info', stable: 'success', outdated: 'warning' };
