// Unit and screen tests; the build's plugins stay out of them.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{app,i18n}/**/*.test.{ts,tsx}'],
  },
});
