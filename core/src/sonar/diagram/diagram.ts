// Network diagrams: connections between elements, and their positions.
import { z } from 'zod';
import { type Call, defineResource } from '../../resource/define-resource.ts';
import { exactPosition } from '../../resource/exact-position.ts';
import * as field from '../../resource/field.ts';
import { diagramElements, diagramLimits } from './element.ts';

const elementIds = () => field.list(field.withKind('text', z.string().min(1).max(255)), diagramLimits.nodes);

const calls = {
  /** Elements without positions, of the given managed nodes or of all. */
  elements: {
    method: 'POST',
    path: '',
    on: 'collection',
    permission: 'get',
    audited: false,
    body: z.object({ elements: elementIds().optional() }),
    reply: diagramElements,
  },
  /**
   * Elements with positions. Given positions are stored; null returns an element to the automatic layout.
   */
  layout: {
    method: 'POST',
    path: '/layout',
    on: 'collection',
    permission: 'get',
    audited: false,
    body: z.object({
      elements: field
        .list(
          z.object({
            elementId: field.withKind('text', z.string().min(1).max(255)),
            posX: exactPosition().nullable(),
            posY: exactPosition().nullable(),
          }),
          diagramLimits.nodes,
        )
        .default([]),
    }),
    reply: diagramElements,
  },
} as const satisfies Record<string, Call>;

const resourceBase = {
  app: 'sonar',
  id: 'networkId',
  parent: 'network',
  singleton: true,
  shape: z.object({ networkId: field.uuid() }),
  verbs: [],
  columns: ['networkId'],
  permission: 'sonar:diagrams',
  calls,
} as const;

/** Permission to move elements. */
export const moveElementsPermission = 'sonar:diagrams:update';

export const diagram = defineResource({
  ...resourceBase,
  name: 'diagram',
  noun: { en: ['diagram', 'diagrams'], ja: 'ダイアグラム' },
  path: '/api/internal/apps/sonar-scope/networks/{networkId}/elements',
  screen: '/apps/sonar/networks/:networkId/diagram',
});

export const layer2Diagram = defineResource({
  ...resourceBase,
  name: 'layer2-diagram',
  noun: { en: ['layer 2 diagram', 'layer 2 diagrams'], ja: 'レイヤー2ダイアグラム' },
  path: '/api/internal/apps/sonar-scope/networks/{networkId}/layer2/elements',
  screen: '/apps/sonar/networks/:networkId/l2-diagram',
});
