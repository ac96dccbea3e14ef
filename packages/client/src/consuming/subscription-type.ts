export type SubscriptionType = "Exclusive" | "Shared" | "Failover" | "Key_Shared";

/** Whether several consumers of a subscription get messages, each its own. */
export function isShared(type: SubscriptionType): boolean {
  return type === "Shared" || type === "Key_Shared";
}
