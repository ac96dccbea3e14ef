import { checkOptions } from "../check-options.ts";
import { InvalidConfigurationError } from "../errors.ts";
import { checkTransaction, Transaction } from "../transactions/transaction.ts";

export interface AcknowledgeOptions {
  /** The acknowledgement counts when this transaction commits; aborted, the message is delivered again. */
  transaction?: Transaction;
}

const OPTIONS: Readonly<Record<keyof AcknowledgeOptions, true>> = { transaction: true };

/**
 * The transaction to acknowledge in, if any. Throws an InvalidConfigurationError for anything else: an acknowledgement must
 * not go outside of the transaction that was meant.
 */
export function transactionOf(call: string, options: AcknowledgeOptions | undefined): Transaction | undefined {
  if (options === undefined) return undefined;
  if (options instanceof Transaction) {
    throw new InvalidConfigurationError(`${call} takes { transaction } behind the message, not the transaction itself`);
  }
  checkOptions(call, options, OPTIONS);
  return checkTransaction(options.transaction);
}
