import { defaultSettingsFile } from '../settings/settings.ts';
import type { Terminal } from './terminal.ts';

export interface SettingsOption {
  settings?: string;
}

/** The flag, else `YAGURA_AGENT_SETTINGS`, else the default path. */
export function settingsPath({ env }: Pick<Terminal, 'env'>, { settings }: SettingsOption): string {
  return settings ?? (env.YAGURA_AGENT_SETTINGS || defaultSettingsFile);
}
