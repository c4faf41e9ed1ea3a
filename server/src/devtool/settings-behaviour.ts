// Exposes server settings to the console.
import { settings } from '@yagura/core/space/client-settings';
import type { Behaviour } from '../resource/behaviour.ts';

export const settingsBehaviour: Behaviour = {
  resource: settings,
  show: async ({ services }) => {
    const { developerMode } = services.config;
    return { version: String(developerMode), item: { developerMode } };
  },
};
