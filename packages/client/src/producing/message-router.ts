import { javaStringHash, murmur3Hash } from "@pulsewire/protocol";
import type { Random } from "@pulsewire/runtime";
import { InvalidConfigurationError } from "../errors.ts";
import { type ProducerMessage, wireKey } from "./producer-message.ts";
import type { HashingScheme, ResolvedProducerOptions } from "./producer-options.ts";

/** Whether the batch of a partition is open, that is, would take one message more. */
export type HasOpenBatch = (partition: number) => boolean;

/** Chooses a message's partition. */
export type Router = (message: ProducerMessage, partitions: number) => number;

/** The partition a key belongs to. Every client that uses the same scheme agrees. */
export function keyPartition(key: string | Uint8Array, partitions: number, scheme: HashingScheme): number {
  const text = wireKey(key).text;
  return (scheme === "Murmur3_32Hash" ? murmur3Hash(text) : javaStringHash(text)) % partitions;
}

/**
 * The router the options ask for. Round robin goes from one partition to the next when a batch is full or sent, so that
 * batches stay whole; without batching, with each message.
 */
export function createRouter(options: ResolvedProducerOptions, random: Random, hasOpenBatch: HasOpenBatch): Router {
  const { hashingScheme } = options;
  const keyed =
    (otherwise: Router): Router =>
    (message, partitions) =>
      message.key === undefined ? otherwise(message, partitions) : keyPartition(message.key, partitions, hashingScheme);
  switch (options.messageRoutingMode) {
    case "CustomPartition":
      return checked(options.messageRouter as Router);
    case "SinglePartition": {
      let chosen = -1;
      return keyed((_message, partitions) => {
        if (chosen < 0) chosen = random.integer(partitions);
        return chosen;
      });
    }
    default:
      return keyed(roundRobin(random, hasOpenBatch));
  }
}

function roundRobin(random: Random, hasOpenBatch: HasOpenBatch): Router {
  let current = -1;
  return (_message, partitions) => {
    if (current < 0) current = random.integer(partitions);
    else if (!hasOpenBatch(current)) current = (current + 1) % partitions;
    return current;
  };
}

function checked(router: Router): Router {
  return (message, partitions) => {
    const chosen = router(message, partitions);
    if (Number.isInteger(chosen) && chosen >= 0 && chosen < partitions) return chosen;
    throw new InvalidConfigurationError(`messageRouter answered ${chosen}, it must be from 0 to below ${partitions}`);
  };
}
