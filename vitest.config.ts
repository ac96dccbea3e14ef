import { defineConfig, type ViteUserConfig } from "vitest/config";

// Node is given them too, for what is not bundled: "module" would give it modules for bundlers, which it cannot load,
// and "import" modules where a library asks by require
const conditions = ["source", "node"];

const config: ViteUserConfig = defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: [
      "protocol/**/*.test.ts",
      "packages/*/src/**/*.test.ts",
      "test/{scenario,simulation,hostile}/**/*.test.ts",
    ],
    // no module keeps state of its own, and to load them anew for each file took more time than the tests
    isolate: false,
    // the tests wait little: as many at a time as there are processors
    maxWorkers: "100%",
    // no assertion: it only ends what hangs, on a machine that is busy too
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});

export default config;
