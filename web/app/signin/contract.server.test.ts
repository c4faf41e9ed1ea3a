import { expect, it } from 'vitest';
import { buildHelpLinks } from '../shell/layout/help-links.server.ts';
import { getContract } from './contract.server.ts';
import { stubApi } from './test/stub-api.ts';

const links = {
  support: 'https://example.com/support',
  planSupport: { marker: 'Premium', url: 'https://example.com/premium' },
};
const subscriptions = '/api/contract/subscriptions';
const page = (...items: unknown[]) => ({ items, total: items.length, limit: 1, offset: 0 });
const currentSubscription = (pricePlanId: string) =>
  page({ subscriptionId: 's', basic: { pricePlanId }, tickets: [{ ticketId: 'alerthub' }] });
const plan = (displayName: string) => ({
  [subscriptions]: currentSubscription('p'),
  '/api/contract/price-plans/p': { pricePlanId: 'p', displayName },
});

it.each([
  ['a plan with the marker', plan('Yagura Premium'), 'held', links.planSupport.url],
  ['another plan', plan('Yagura Standard'), 'held', links.support],
  ['no subscription', { [subscriptions]: page() }, 'none', links.support],
  ['a plan that cannot be read', { [subscriptions]: currentSubscription('p') }, 'failed', links.support],
])('the support link follows %s', async (name, replies, state, url) => {
  const contract = await getContract(stubApi(name, replies));
  expect(contract.state).toBe(state);
  const support = buildHelpLinks(links, contract.pricePlan).find((link) => link.name === 'support');
  expect(support?.url).toBe(url);
});
