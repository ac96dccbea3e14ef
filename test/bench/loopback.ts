import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { serve, TSX } from "./program.ts";

const WRITE_BYTES = 128 * 1024;

/** Bytes a second from one Node process down a loopback socket into another: nothing here can be faster. */
export async function loopbackBytesPerSecond(seconds: number): Promise<number> {
  const drain = await serve(process.execPath, [...TSX, join(import.meta.dirname, "programs/drain.ts")]);
  try {
    const socket = connect(Number(drain.firstLine), "127.0.0.1");
    await once(socket, "connect");
    const chunk = new Uint8Array(WRITE_BYTES);
    const startMs = performance.now();
    let sent = 0;
    while (performance.now() - startMs < seconds * 1000) {
      sent += chunk.length;
      if (!socket.write(chunk)) await once(socket, "drain");
    }
    const tookMs = performance.now() - startMs;
    socket.destroy();
    return sent / (tookMs / 1000);
  } finally {
    await drain.stop();
  }
}
