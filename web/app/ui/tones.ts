// Colors and icon of each tone; the icon keeps tones distinguishable without color.
import type { Tone } from '@yagura/core/resource/field';
import type { IconName } from './icon.tsx';

export const toneClass: Record<Tone, string> = {
  neutral: 'bg-neutral-bg text-neutral-fg',
  success: 'bg-success-bg text-success-fg',
  warning: 'bg-warning-bg text-warning-fg',
  danger: 'bg-danger-bg text-danger-fg',
  info: 'bg-info-bg text-info-fg',
  progress: 'bg-progress-bg text-progress-fg',
};

export const toneText: Record<Tone, string> = {
  neutral: 'text-neutral-fg',
  success: 'text-success-fg',
  warning: 'text-warning-fg',
  danger: 'text-danger-fg',
  info: 'text-info-fg',
  progress: 'text-progress-fg',
};

export const toneIcon: Record<Tone, IconName> = {
  neutral: 'neutral',
  success: 'success',
  warning: 'warning',
  danger: 'error',
  info: 'info',
  progress: 'progress',
};
