// Configuration of unit and component tests; runs without the build's plugins.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{app,i18n}/**/*.test.{ts,tsx}'],
  },
});
