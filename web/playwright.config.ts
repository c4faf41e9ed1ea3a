// Journeys through the built product in a real browser, in both languages.
import { defineConfig } from '@playwright/test';

/** A browser of the system, when Playwright's own is not wanted. */
const executablePath = process.env.YAGURA_CHROMIUM ?? '/usr/bin/chromium';
// Remix renders for bots without streaming; a headless browser calls itself one.
const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

export default defineConfig({
  testDir: './test',
  // Each has a server of its own; while one waits for a page, the other works.
  workers: 2,
  // On a busy machine a page may come alive after the first click. `npm test` names whatever passed only at the second try.
  retries: process.env.CI ? 1 : 0,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  forbidOnly: true,
  reporter: [['list']],
  use: {
    userAgent,
    timezoneId: 'Asia/Tokyo',
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
    actionTimeout: 20_000,
    launchOptions: { executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'] },
  },
  projects: [
    // Walks over every page in both languages by itself; first, as it takes longest.
    { name: 'walk', testMatch: 'all-pages.ts', timeout: 1_800_000 },
    { name: 'en', testMatch: '*.spec.ts', use: { locale: 'en-US' } },
    { name: 'ja', testMatch: '*.spec.ts', use: { locale: 'ja-JP' } },
  ],
});
