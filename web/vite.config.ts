// SPDX-License-Identifier: Apache-2.0
// Builds the page into dist/: relative addresses, nothing inline, nothing from other hosts, so that the strictest
// Content-Security-Policy that WebGL and our styles allow holds.
import { defineConfig } from 'vite';

export default defineConfig({
  base: './',
  build: {
    outDir: 'dist',
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    rollupOptions: {
      input: { index: 'index.html', fleet: 'fleet.html' },
      output: {
        // Names without a hash of the content order: the program serves them with its own validators.
        entryFileNames: 'assets/[name]-[hash].js',
        chunkFileNames: 'assets/[name]-[hash].js',
        assetFileNames: 'assets/[name]-[hash][extname]',
      },
    },
  },
});
