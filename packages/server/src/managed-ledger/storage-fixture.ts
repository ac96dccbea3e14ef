import { BookKeeperFixture, type BookKeeperNode, bytesOf } from "../bookkeeper/bookkeeper-fixture.ts";
import type { BookKeeperClientSettings } from "../bookkeeper/client/client-settings.ts";
import type {
  AppendListener,
  ManagedLedger,
  ManagedLedgerError,
  ManagedLedgerFactory,
  ManagedLedgerOptions,
} from "./managed-ledger.ts";
import { createManagedLedgerFactory } from "./managed-ledger-factory.ts";
import type { Position } from "./position.ts";

export { bytesOf, textOf } from "../bookkeeper/bookkeeper-fixture.ts";

/** One broker's side of storage. */
export interface StorageNode extends BookKeeperNode {
  factory: ManagedLedgerFactory;
}

/** Managed ledgers over bookies and metadata in memory, on a clock that stands still. */
export class StorageFixture extends BookKeeperFixture {
  static override async start(bookies = 3): Promise<StorageFixture> {
    const fixture = new StorageFixture();
    await fixture.addBookies(bookies);
    return fixture;
  }

  override node(options?: number | Partial<BookKeeperClientSettings>): StorageNode {
    const { clock } = this;
    const cacheBytesMax = typeof options === "number" ? options : undefined;
    const node = super.node(typeof options === "object" ? options : {});
    const cache = cacheBytesMax === undefined ? {} : { cacheBytesMax };
    return { ...node, factory: createManagedLedgerFactory({ clock, ...node, ...cache }) };
  }

  open(options: ManagedLedgerOptions = {}, name = "public/default/persistent/t"): Promise<ManagedLedger> {
    return this.node().factory.open(name, options);
  }
}

/** Appends one entry; rejects with the ManagedLedgerError. */
export function append(ledger: ManagedLedger, text: string): Promise<Position> {
  return new Promise((resolve, reject) => {
    ledger.append(bytesOf(text), { onAppended: resolve, onAppendFailed: reject });
  });
}

/** Appends some entries at once and waits for all. */
export function appendMany(ledger: ManagedLedger, count: number, prefix = "m"): Promise<Position[]> {
  return Promise.all(Array.from({ length: count }, (_, i) => append(ledger, `${prefix}${i}`)));
}

/** Keeps what it is told, in order. */
export class RecordingListener implements AppendListener {
  readonly positions: Position[] = [];
  readonly errors: ManagedLedgerError[] = [];

  onAppended(position: Position): void {
    this.positions.push(position);
  }

  onAppendFailed(error: ManagedLedgerError): void {
    this.errors.push(error);
  }
}
