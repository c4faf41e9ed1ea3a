import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';

/** What the server sets for the console of the signed-in person. */
export const settings = defineResource({
  app: 'devtool',
  name: 'settings',
  plural: 'settings',
  noun: { en: ['settings', 'settings'], ja: '設定' },
  path: '/api/internal/settings',
  id: 'developerMode',
  singleton: true,
  shape: z.object({
    /** Shows the tools for developers, also where the browser has not switched them on. */
    developerMode: field.flag(),
  }),
  verbs: ['show'],
  columns: ['developerMode'],
  permission: 'self:settings',
});
