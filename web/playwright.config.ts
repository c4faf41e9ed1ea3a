// End-to-end tests of the built product in a real browser, in both languages.
import { defineConfig } from '@playwright/test';
import { findBrowser } from '../tools/find-browser.mjs';

const executablePath = findBrowser();
// Remix does not stream to bots, and a headless browser's default user agent counts as one.
const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

export default defineConfig({
  testDir: './test',
  // Each worker has its own server; while one waits for a page, the others work.
  workers: 3,
  // On a busy machine a page may hydrate after the first click. `npm test` lists tests that passed only on
  // the second try.
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
    launchOptions: {
      ...(executablePath && { executablePath }),
      args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
    },
  },
  projects: [
    // Visits every page in both languages itself; runs first because it takes longest.
    { name: 'walk', testMatch: 'all-pages.ts', timeout: 1_800_000 },
    // Tests of behavior that is the same in both languages have the tag of the one in which they run.
    { name: 'en', testMatch: '*.spec.ts', grepInvert: /@ja/, use: { locale: 'en-US' } },
    { name: 'ja', testMatch: '*.spec.ts', grepInvert: /@en/, use: { locale: 'ja-JP' } },
  ],
});
