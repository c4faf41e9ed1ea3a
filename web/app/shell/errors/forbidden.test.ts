import type { LoaderFunctionArgs } from '@remix-run/node';
import { ipBlockedDetail, Problem } from '@yagura/core/http/problem';
import { expect, test } from 'vitest';
import { loader } from './forbidden.tsx';

const { type } = new Problem('forbidden');
const call = 'Your session was stolen. Call +1-555-0100.';

test.each([
  [{}, { type: null, ipBlocked: false }],
  [{ 'error-type': type }, { type, ipBlocked: false }],
  [
    { 'error-type': type, 'error-detail': ipBlockedDetail },
    { type, ipBlocked: true },
  ],
  [
    { 'error-type': call, 'error-detail': `${ipBlockedDetail}. ${call}` },
    { type: null, ipBlocked: true },
  ],
  [
    { 'error-type': 'urn:yagura:problem:toString', 'error-detail': call },
    { type: null, ipBlocked: false },
  ],
  [{ 'error-type': `${type} ${call}` }, { type: null, ipBlocked: false }],
])('of %j the page shows only texts of its own', async (query, shown) => {
  const request = new Request(
    `https://console.test/403?${new URLSearchParams(query as Record<string, string>)}`,
  );
  const { data, init } = await loader({ request } as LoaderFunctionArgs);
  expect([data, init?.status]).toEqual([shown, 403]);
});
