// Exposes server settings to the console.

import { settings } from '@yagura/core/space/client-settings';
import type { Behaviour } from '../resource/behaviour.ts';
import type { ResourceServices } from '../resource/request-context.ts';

export interface SettingsServices extends ResourceServices {
  config: { developerMode: boolean };
}

export const settingsBehaviour: Behaviour<typeof settings, SettingsServices> = {
  resource: settings,
  show: async ({ services }) => {
    const { developerMode } = services.config;
    return { version: String(developerMode), item: { developerMode } };
  },
};
