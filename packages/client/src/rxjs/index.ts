export { type AcknowledgingOptions, acknowledging, type Work } from "./acknowledging.ts";
export type { Delivery } from "./delivery.ts";
export { type MergeMapByKeyOptions, mergeMapByKey } from "./merge-map-by-key.ts";
export { type MessagesOptions, messages$, type Subscribing } from "./messages.ts";
export { type Sendable, type SendToOptions, sendTo } from "./send-to.ts";
