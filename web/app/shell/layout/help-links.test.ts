import { describe, expect, it } from 'vitest';
import { buildHelpLinks } from './help-links.server.ts';

const links = {
  terms: 'https://example.com/terms',
  support: 'https://example.com/support',
  planSupport: { marker: 'Premium', url: 'https://example.com/premium' },
};
const named = (planName: string | null) =>
  Object.fromEntries(buildHelpLinks(links, planName).map(({ name, url }) => [name, url]));

describe('helpLinksOf', () => {
  it('keeps the order and leaves out what has no address', () => {
    expect(buildHelpLinks(links, null).map(({ name }) => name)).toEqual(['api-document', 'support', 'terms']);
    expect(buildHelpLinks({}, null)).toEqual([{ name: 'api-document', url: '/docs/api' }]);
  });

  it.each([
    [null, 'https://example.com/support'],
    ['Standard', 'https://example.com/support'],
    ['Yagura Premium 2025', 'https://example.com/premium'],
  ])('the plan %s has its support at %s', (plan, url) => {
    expect(named(plan).support).toBe(url);
  });
});
