// Search over the managed nodes of all networks: the public call, and the console's with paging.
import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';
import { managedNode } from './managed-node.ts';

/** Maximum number of nodes in one response of the search call of the public API. */
export const searchLimit = 50;

const body = z.object({
  /**
   * Empty for all nodes; otherwise words, `field:value`, wildcards, ranges, CIDR, versions, AND OR NOT and
   * brackets.
   */
  query: field.text(4096).default(''),
});

const resourceBase = {
  app: 'sonar',
  id: 'managedNodeId',
  shape: z.object({ managedNodeId: field.uuid() }),
  verbs: [],
  columns: ['managedNodeId'],
  permission: 'sonar:managed-nodes',
  calls: {
    search: {
      method: 'POST',
      path: '',
      on: 'collection',
      permission: 'search',
      audited: false,
      body,
      reply: managedNode.shape,
      paged: true,
    },
  },
} as const;

export const managedNodeSearch = defineResource({
  ...resourceBase,
  name: 'managed-node-search',
  plural: 'managed-node-search',
  noun: { en: ['managed node search', 'managed node searches'], ja: '管理ノード検索' },
  path: '/api/apps/sonar/search/managed-nodes',
});

export const managedNodeSearchPage = defineResource({
  ...resourceBase,
  name: 'managed-node-search-page',
  plural: 'managed-node-search-page',
  noun: {
    en: ['managed node search page', 'managed node search pages'],
    ja: '管理ノード検索結果',
  },
  path: '/api/internal/apps/sonar/search/managed-nodes',
});
