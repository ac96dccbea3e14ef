import type { Mutation } from "./mutation.ts";

const WRITER = "packages/server/src/bookkeeper/client/ledger-writer.ts";
const RECOVERY = "packages/server/src/bookkeeper/client/ledger-recovery.ts";
const LEDGER_STORE = "packages/server/src/bookkeeper/client/ledger-metadata-store.ts";
const BOOKIE = "packages/server/src/bookkeeper/bookie";
const MANAGED_LEDGER = "packages/server/src/managed-ledger";

/** Known ways to break storage, each of which the simulation has to find. */
export const MUTATIONS: readonly Mutation[] = [
  {
    name: "acknowledge at Qa − 1",
    breaks: "an entry counts when one bookie fewer than the ack quorum confirmed it",
    of: "storage",
    seedsMax: 60,
    edits: [
      {
        file: WRITER,
        from: "this.#ackQuorum = this.metadata.ackQuorum;",
        to: "this.#ackQuorum = Math.max(1, this.metadata.ackQuorum - 1);",
      },
    ],
  },
  {
    name: "acknowledge out of order",
    breaks: "an entry that was confirmed takes those before it along",
    of: "storage",
    seedsMax: 60,
    edits: [
      {
        file: WRITER,
        from: "if (add === undefined || add.confirmations < this.#ackQuorum) return;",
        to: "if (add === undefined) return;",
      },
    ],
  },
  {
    name: "fence too few",
    breaks: "recovery fences Qw − Qa bookies, and looks for entries without fencing",
    of: "storage",
    seedsMax: 60,
    edits: [
      {
        file: RECOVERY,
        from: "    const { bookies } = lastFragment(metadata);\n    const answers",
        to:
          "    const few = Math.max(1, metadata.writeQuorum - metadata.ackQuorum);\n" +
          "    const bookies = lastFragment(metadata).bookies.slice(0, few);\n    const answers",
      },
      { file: RECOVERY, from: "entryIds: [entryId], fence: true", to: "entryIds: [entryId], fence: false" },
    ],
  },
  {
    name: "let a fenced add through",
    breaks: "a bookie takes entries of a ledger that was fenced",
    of: "storage",
    seedsMax: 60,
    edits: [
      {
        file: `${BOOKIE}/ledger-table.ts`,
        from: 'if (ledger !== undefined && ledger.fenced !== "no") return "LedgerFenced";',
        to: "",
      },
    ],
  },
  {
    name: "recovery stops at the LAC",
    breaks: "recovery does not look for entries behind the last one known to be confirmed",
    of: "storage",
    seedsMax: 60,
    edits: [{ file: RECOVERY, from: "await this.#rewriteFrom(ledger, lac + 1, writer);", to: "" }],
  },
  {
    name: "recovery takes one absence for proof",
    breaks: "one bookie without an entry is enough for recovery to end the ledger before it",
    of: "storage",
    seedsMax: 60,
    edits: [
      {
        file: RECOVERY,
        from: "const absentEnough = metadata.writeQuorum - metadata.ackQuorum + 1;",
        to: "const absentEnough = 1;",
      },
    ],
  },
  {
    name: "forget to re-replicate in recovery",
    breaks: "recovery closes the ledger behind entries it did not write again",
    of: "storage",
    seedsMax: 60,
    edits: [
      {
        file: WRITER,
        from: "    const links = this.#links;\n    const first = add.entry.entryId % links.length;",
        to:
          "    if (this.recovery) {\n      for (let i = 0; i < this.#writeQuorum; i++) add.confirm(i);\n" +
          "      queueMicrotask(() => this.#acknowledge());\n      return;\n    }\n" +
          "    const links = this.#links;\n    const first = add.entry.entryId % links.length;",
      },
    ],
  },
  {
    name: "close at the wrong entry",
    breaks: "a ledger is closed behind what was sent, not behind what was confirmed",
    of: "storage",
    seedsMax: 60,
    edits: [{ file: WRITER, from: "lastEntryId: this.#lastConfirmed,", to: "lastEntryId: this.#nextEntryId - 1," }],
  },
  {
    name: "new bookies get nothing",
    breaks: "after an ensemble change a confirmation of the bookie that left counts for the one that came",
    of: "storage",
    seedsMax: 60,
    edits: [
      { file: WRITER, from: "add.unconfirm(place);\n        (this.#links[slot] as BookieLink).add(add);", to: "" },
    ],
  },
  {
    name: "fragment from the wrong entry on",
    breaks: "an ensemble change begins its fragment behind what was sent, not behind what was confirmed",
    of: "storage",
    seedsMax: 60,
    edits: [
      {
        file: WRITER,
        from: "{ firstEntryId: this.#lastConfirmed + 1, bookies: ensemble }",
        to: "{ firstEntryId: this.#nextEntryId, bookies: ensemble }",
      },
    ],
  },
  {
    name: "ledger list without CAS",
    breaks: "an owner stores its list of ledgers whatever another stored meanwhile",
    of: "storage",
    seedsMax: 60,
    edits: [
      {
        file: `${MANAGED_LEDGER}/managed-ledger-record.ts`,
        from: "encodeJson(record), { expectedVersion: this.#version });",
        to: "encodeJson(record));",
      },
    ],
  },
  {
    name: "cursor without CAS",
    breaks: "an owner stores a cursor whatever another stored meanwhile",
    of: "storage",
    seedsMax: 200,
    edits: [
      {
        file: `${MANAGED_LEDGER}/cursor/cursor-store.ts`,
        from: "const put = { expectedVersion: this.#version };",
        to: "const put = {};",
      },
    ],
  },
  {
    name: "reuse a ledger id",
    breaks: "every fourth ledger gets the id of the one before it",
    of: "storage",
    seedsMax: 60,
    edits: [
      {
        file: LEDGER_STORE,
        from: "return this.#try(() => this.#store.nextSequence(ID_KEY));",
        to: "const id = await this.#try(() => this.#store.nextSequence(ID_KEY));\n    return id % 4 === 3 ? id - 1 : id;",
      },
      {
        file: LEDGER_STORE,
        from: "this.#store.put(ledgerKey(ledgerId), value, { expectedVersion: -1 })",
        to: "this.#store.put(ledgerKey(ledgerId), value)",
      },
    ],
  },
  {
    name: "read past the LAC",
    breaks: "entries are handed to readers when they are sent, not when they are confirmed",
    of: "storage",
    seedsMax: 60,
    edits: [
      {
        file: `${MANAGED_LEDGER}/append-log.ts`,
        from: "(this.#writer as LedgerWriter).append(append.data, append);",
        to:
          "const entryId = (this.#writer as LedgerWriter).append(append.data, append);\n" +
          "    const slot = this.#slot as LedgerSlot;\n" +
          "    if (entryId >= 0) {\n      slot.entries++;\n      this.#options.entries.added(new Entry(slot.ledgerId, entryId, append.data));\n" +
          "      this.#lastConfirmed = { ledgerId: slot.ledgerId, entryId };\n      this.#options.onAdvanced();\n    }",
      },
      {
        file: `${MANAGED_LEDGER}/append-log.ts`,
        from: "    this.#list.grow(slot, append.data.length);\n    this.#lastConfirmed = position;",
        to: "",
      },
    ],
  },
  {
    name: "trim one ledger too many",
    breaks: "the ledger in which the slowest cursor stands is deleted with those before it",
    of: "storage",
    seedsMax: 60,
    edits: [
      {
        file: `${MANAGED_LEDGER}/retention.ts`,
        from: "if (slowest !== undefined && comparePositions(slowest, end) < 0) break;",
        to: "if (slowest !== undefined && slowest.ledgerId < end.ledgerId) break;",
      },
    ],
  },
  {
    name: "lose a range",
    breaks: "the last run of acknowledged entries of a ledger is not stored with its cursor",
    of: "storage",
    seedsMax: 60,
    edits: [
      {
        file: `${MANAGED_LEDGER}/cursor/acked-entries.ts`,
        from: "answer.push({ ledgerId, runs });",
        to: "answer.push({ ledgerId, runs: runs.slice(0, -2) });",
      },
    ],
  },
  {
    name: "skip the fsync",
    breaks: "a bookie confirms entries that its journal wrote and did not sync",
    of: "storage",
    seedsMax: 60,
    edits: [
      { file: `${BOOKIE}/journal/journal.ts`, from: "this.#file.appendDurably(bytes", to: "this.#file.append(bytes" },
    ],
  },
  {
    name: "forget the fence in a crash",
    breaks: "a bookie answers that a ledger is fenced before its journal has it",
    of: "storage",
    seedsMax: 60,
    edits: [
      {
        file: `${BOOKIE}/disk-ledger-storage.ts`,
        from: 'return this.#record(RecordKind.Fence, ledgerId).then(() => {\n      ledger.fenced = "durable";\n    });',
        to: 'ledger.fenced = "durable";',
      },
    ],
  },
  {
    name: "drop the torn-tail check",
    breaks: "after a crash a bookie leaves half a record at the end of its journal",
    of: "storage",
    seedsMax: 60,
    edits: [
      {
        file: `${BOOKIE}/journal/journal-replay.ts`,
        from: "      await file.truncate(offset);\n      return;",
        to: "      return;",
      },
    ],
  },
  {
    name: "skip the fsync of entry logs",
    breaks: "a checkpoint lets the journal go though the entry logs that have its entries were not synced",
    of: "storage",
    seedsMax: 60,
    edits: [{ file: `${BOOKIE}/entry-log/entry-logs.ts`, from: "      await this.#current?.file.sync();\n", to: "" }],
  },
  {
    name: "call lost copies made again",
    breaks: "auto-recovery strikes a ledger off its list without having copied the entries it lacks",
    of: "cluster",
    seedsMax: 30,
    edits: [
      {
        file: "packages/server/src/bookkeeper/recovery/fragment-replicator.ts",
        from: "if (ids.size === 0) return;",
        to: "if (ids.size >= 0) return;",
      },
    ],
  },
  {
    name: "answer acknowledgements before they are stored",
    breaks: "an ACK is confirmed while its cursor is still to be stored",
    of: "cluster",
    seedsMax: 30,
    edits: [
      {
        file: "packages/server/src/broker/connection/commands/ack.ts",
        from: "await connection.consumers.get(body.consumerId)?.consumer.flushAcknowledgements();",
        to: "",
      },
    ],
  },
  {
    name: "store a duplicate",
    breaks: "under deduplication what was sent a second time is stored a second time",
    of: "cluster",
    seedsMax: 60,
    edits: [
      {
        file: "packages/server/src/broker/topic/deduplication.ts",
        from: "if (pushed !== undefined && sequenceId <= pushed) {",
        to: "if (pushed !== undefined && sequenceId < 0) {",
      },
    ],
  },
  {
    name: "collect nothing",
    breaks: "a ledger that nobody lists is never deleted",
    of: "storage",
    seedsMax: 60,
    edits: [
      {
        file: "packages/server/src/bookkeeper/recovery/orphan-collector.ts",
        from: 'if ((await lists.lookUp(ledgerId, metadata.properties)) !== "orphan") return "none";',
        to: 'if ((await lists.lookUp(ledgerId, metadata.properties)) !== "gone" as never) return "none";',
      },
    ],
  },
  {
    name: "collect without fencing",
    breaks: "a ledger that nobody lists is deleted and forgotten, its writer free to go on",
    of: "storage",
    seedsMax: 200,
    edits: [
      {
        file: "packages/server/src/bookkeeper/recovery/orphan-collector.ts",
        from: "const fenced = await bookkeeper.fenceLedger(ledgerId);",
        to: "const fenced = await bookkeeper.readMetadata(ledgerId);",
      },
      {
        file: "packages/server/src/bookkeeper/bookie/ledger-table.ts",
        from: 'if (this.#deleted.has(ledgerId)) return "NoSuchLedger";',
        to: "",
      },
    ],
  },
  {
    name: "collect at one look",
    breaks: "a ledger that was listed since it was looked for is deleted all the same",
    of: "storage",
    seedsMax: 200,
    edits: [
      {
        file: "packages/server/src/bookkeeper/recovery/orphan-collector.ts",
        from: 'if ((await lists.lookUp(ledgerId, fenced.metadata.properties)) !== "orphan") return "none";',
        to: "",
      },
    ],
  },
];
