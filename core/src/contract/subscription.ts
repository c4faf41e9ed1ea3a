// Subscription of the space: price plan and the tickets that enable features.
import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';

const ticketId = () => field.requiredText(64);

export const subscription = defineResource({
  app: 'contract',
  name: 'subscription',
  noun: { en: ['subscription', 'subscriptions'], ja: '契約' },
  path: '/api/contract/subscriptions',
  id: 'subscriptionId',
  shape: z.object({
    subscriptionId: field.text(64),
    basic: field.object({ pricePlanId: field.requiredText(64) }),
    tickets: field.list(field.object({ ticketId: ticketId() })),
  }),
  verbs: ['list'],
  columns: ['subscriptionId', 'basic', 'tickets'],
  filterable: ['subscriptionId'],
  sortable: ['subscriptionId'],
  permission: 'self:subscriptions',
});

export const pricePlan = defineResource({
  app: 'contract',
  name: 'price-plan',
  noun: { en: ['price plan', 'price plans'], ja: '料金プラン' },
  path: '/api/contract/price-plans',
  id: 'pricePlanId',
  title: 'displayName',
  shape: z.object({ pricePlanId: field.requiredText(64), displayName: field.requiredText(100) }),
  verbs: ['show'],
  columns: ['pricePlanId', 'displayName'],
  permission: 'self:price-plans',
});

export const ticket = defineResource({
  app: 'contract',
  name: 'ticket',
  noun: { en: ['ticket', 'tickets'], ja: 'チケット' },
  path: '/api/contract/price-plans/{pricePlanId}/tickets',
  id: 'ticketId',
  title: 'displayName',
  parent: 'price-plan',
  shape: z.object({ ticketId: ticketId(), displayName: field.requiredText(100) }),
  verbs: ['show'],
  columns: ['ticketId', 'displayName'],
  permission: 'self:tickets',
});
