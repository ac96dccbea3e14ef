import { TopicName } from "@pulsewire/protocol";

/**
 * A name as one step of a metadata path, as Java's `URLEncoder` writes it: `t1:t1` becomes `t1%3At1`, a space `+`.
 * Pulsar keeps topic names in this form.
 */
export function encodeName(name: string): string {
  return encodeURIComponent(name)
    .replace(/%20/g, "+")
    .replace(/[!'()~]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** The name back from `encodeName`. What is not such an encoding is answered as it is. */
export function decodeName(encoded: string): string {
  try {
    return decodeURIComponent(encoded.replace(/\+/g, " "));
  } catch (error) {
    if (error instanceof URIError) return encoded;
    throw error;
  }
}

/** The managed ledger of a topic: `tenant/namespace/persistent/encoded`. */
export function managedLedgerName(topic: TopicName): string {
  return `${topic.namespace}/${topic.domain}/${encodeName(topic.localName)}`;
}

/** The topic whose managed ledger has this encoded last step. */
export function topicOfLedger(namespace: string, encoded: string): TopicName {
  return TopicName.parse(`persistent://${namespace}/${decodeName(encoded)}`);
}

/** Where Pulsar keeps things in the metadata store. */
export const paths = {
  tenants: "/admin/policies",
  tenant: (tenant: string): string => `/admin/policies/${tenant}`,
  namespace: (namespace: string): string => `/admin/policies/${namespace}`,
  clusters: "/admin/clusters",
  cluster: (cluster: string): string => `/admin/clusters/${cluster}`,
  partitionedTopics: (namespace: string, domain: string): string => `/admin/partitioned-topics/${namespace}/${domain}`,
  partitionedTopic: (topic: TopicName): string =>
    `/admin/partitioned-topics/${topic.namespace}/${topic.domain}/${encodeName(topic.localName)}`,
  ledgers: (namespace: string): string => `/managed-ledgers/${namespace}/persistent`,
  ledger: (topic: TopicName): string => `/managed-ledgers/${managedLedgerName(topic)}`,
  schema: (topic: TopicName): string => `/schemas/${topic.namespace}/${encodeName(topic.localName)}`,
  topicPolicies: (topic: TopicName): string => `/admin/topic-policies/${managedLedgerName(topic)}`,
  topicEpoch: (topic: TopicName): string => `/admin/topic-epochs/${managedLedgerName(topic)}`,
  brokers: "/loadbalance/brokers",
  broker: (brokerId: string): string => `/loadbalance/brokers/${brokerId}`,
  bundle: (bundle: string): string => `/namespace/${bundle}`,
  producerNames: "/counters/producer-name",
} as const;
