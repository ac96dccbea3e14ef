export * from "./names.ts";
// `import Pulsar from` is how most programs have the official client
export * as default from "./names.ts";
