import { expect, it } from 'vitest';
import { renderInRouter } from '../ui/test/render.tsx';
import { StatusTiles } from './status-tiles.tsx';

const forbidden = { ok: false, reason: 'forbidden' } as const;
const failed = { ok: false, reason: 'error' } as const;
const counted = (total: number, filter: string) => ({ ok: true, value: { total, filter } }) as const;

it('leads from every number to what it counts or to where it takes place, and hides what may not be listed', async () => {
  const { container } = await renderInRouter(
    <StatusTiles
      counts={forbidden}
      recent={counted(1234, 'receivedAt ge "2026-01-01T00:00:00Z"')}
      silentSlots={counted(1, 'watchState eq "overdue"')}
      failed={forbidden}
      runningDeliveries={failed}
      scans={counted(2, 'status eq "started"')}
      sessions={forbidden}
      calls={counted(0, 'status eq "waiting"')}
    />,
  );
  const tiles = [...container.querySelectorAll('a')].map((link) => [
    link.textContent,
    decodeURIComponent(link.getAttribute('href')!.replaceAll('+', ' ')),
  ]);
  expect(tiles).toEqual([
    ['1,234Messages, last 24 hours', '/apps/alerthub/messages?filter=receivedAt ge "2026-01-01T00:00:00Z"'],
    ['1Silent receive slots', '/apps/alerthub/receive-slots?filter=watchState eq "overdue"'],
    ['–Deliveries in progress', '/#deliveries'],
    ['2Scans in progress', '/apps/sonar/networks'],
    ['0Calls in progress', '/apps/pigeon/results?filter=status eq "waiting"'],
  ]);
});
