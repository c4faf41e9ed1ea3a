import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';

export const space = defineResource({
  app: 'space',
  name: 'space',
  noun: { en: ['space', 'spaces'], ja: 'スペース' },
  path: '/api/space',
  screen: '/preference/space',
  id: 'spaceId',
  title: 'displayName',
  singleton: true,
  shape: z.object({
    spaceId: field.uuid(),
    displayName: field.displayName(100),
    remarks: field.remarks(),
    createdAt: field.dateTime(),
    updatedAt: field.dateTime(),
  }),
  input: z.object({ displayName: field.displayName(100), remarks: field.remarks() }),
  verbs: ['show', 'edit'],
  columns: ['displayName', 'createdAt', 'updatedAt'],
  permission: 'space:space',
});
