export type * from "./contracts.ts";
export { createSubscription } from "./subscription.ts";
