import tailwindcss from '@tailwindcss/vite';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { firstPaint } from './scripts/firstPaint';
import { fonts } from './scripts/fonts';

// EQUITY_URL is the server behind the development server.
const server = process.env.EQUITY_URL ?? 'http://127.0.0.1:8080';

/** The layouts of signed-in pages, which most first pages need. They are not split off. */
const layouts = ['/_user', '/_user/company/$organization'];
const splitBehavior = ({ routeId }: { routeId: string }) => (layouts.includes(routeId) ? [] : undefined);

export default defineConfig({
  cacheDir: '.vite',
  plugins: [
    fonts,
    tanstackRouter({ target: 'react', autoCodeSplitting: true, codeSplittingOptions: { splitBehavior } }),
    react(),
    tailwindcss(),
    firstPaint,
  ],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    target: 'baseline-widely-available',
    modulePreload: { polyfill: false },
    license: { fileName: 'licenses.txt' },
    rolldownOptions: {
      output: {
        // Few files: each one costs a header, and large files compress better.
        codeSplitting: {
          groups: [
            {
              name: 'react',
              test: /node_modules\/(react|react-dom|scheduler|use-sync-external-store|@base-ui\/react\/csp-provider)\//,
              priority: 4,
            },
            { name: 'data', test: /node_modules\/(@tanstack\/|openapi-)/, priority: 4 },
            // No page needs these before the user opens something.
            {
              name: 'floating',
              test: /node_modules\/(@floating-ui|@base-ui\/(utils|react\/(floating-ui-react|internals|utils|merge-props)))\//,
              minShareCount: 3,
              priority: 3,
            },
            { name: 'combobox', test: /node_modules\/@base-ui\/react\/combobox/, minShareCount: 2, priority: 2 },
            {
              name: 'shared',
              test: /\/src\/(?!posting\/(?!useOpen)|(records|rounds)\/|ui\/(Drawer|Combobox|Select|Unsaved))|node_modules\/lucide-react/,
              minShareCount: 5,
              priority: 1,
            },
            // The cap table does not need these before the user opens something.
            { name: 'records', test: /src\/(posting|records|rounds)\//, minShareCount: 5 },
            // Every page of a company needs these.
            {
              name: 'company',
              test: /src\/(live\/|shell\/(theme|pages|signOut)|ui\/Figures|why\/WhySum|register\/download)|icons\/(shield-check|download)\./,
            },
          ],
        },
      },
    },
  },
  server: { host: '127.0.0.1', proxy: { '/v1': server, '/docs': server } },
  resolve: { alias: { '~': new URL('./src', import.meta.url).pathname } },
  // A busy machine takes seconds to import a module within a test.
  test: { environment: 'happy-dom', include: ['src/**/*.test.{ts,tsx}'], testTimeout: 30_000 },
});
