// protobufjs is CommonJS: named imports of values do not survive every bundler and loader, the default one does.
import minimal from "protobufjs/minimal.js";

type Minimal = typeof import("protobufjs/minimal.js");
const { Reader: ReaderClass, Writer: WriterClass }: Minimal = minimal;

/** protobufjs' reader of the wire format. */
export const Reader: Minimal["Reader"] = ReaderClass;
export type Reader = InstanceType<Minimal["Reader"]>;
/** protobufjs' writer of the wire format. */
export const Writer: Minimal["Writer"] = WriterClass;
export type Writer = InstanceType<Minimal["Writer"]>;
