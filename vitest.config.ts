import { defineConfig, type ViteUserConfig } from "vitest/config";

const conditions = ["source", "module", "node", "import", "default"];

const config: ViteUserConfig = defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: [
      "protocol/**/*.test.ts",
      "packages/*/src/**/*.test.ts",
      "test/{scenario,simulation,hostile}/**/*.test.ts",
    ],
    testTimeout: 10_000,
  },
});

export default config;
